/* Feeds another filter by a timer, for scripts/bench_measurement/paced.py, which loads this into its own process. */
#include <time.h>

typedef void update(void *filter, const double *rate, const double *force, const double *field);

static double thread_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Processor time of a sample in nanoseconds, with that of its wake-up; without a filter that of a wake-up alone. */
double paced(update *update, void *filter, const double *rows, long samples) {
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    double begin = thread_time();
    for (long sample = 0; sample < samples; sample++) {
        due.tv_nsec += 5000000;
        if (due.tv_nsec >= 1000000000) {
            due.tv_nsec -= 1000000000;
            due.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        const double *row = rows + 9 * sample;
        if (update) update(filter, row, row + 3, row + 6);
    }
    return (thread_time() - begin) / (double)samples;
}
