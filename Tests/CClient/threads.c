/*
 * Threads that read one reader in each way until the input ends, while the daemon writes and restarts. Each pose has its
 * number in each coordinate of the position, so that one that is put together from two shows. Each line of the input is
 * answered with the counts so far.
 */
#include "outcomes.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 6

static struct waymark_reader *reader;
static int is_over;
static uint64_t torn, backwards, reads, waits;

static void print_counts(void)
{
    const uint64_t *counts[] = {&torn, &backwards, &reads, &waits};
    struct waymark_reader_state state;
    size_t index;
    for (index = 0; index < sizeof counts / sizeof *counts; index++)
        printf("%" PRIu64 " ", __atomic_load_n(counts[index], __ATOMIC_RELAXED));
    waymark_reader_state(reader, &state);
    printf("%" PRIu64 "\n", state.connections);
    fflush(stdout);
}

static void look_at(const struct waymark_reading *reading, struct waymark_reading *last)
{
    const double number = (double)reading->number;
    const double *position = reading->pose.position;
    if (reading->number == 0)
        return;
    if (position[0] != number || position[1] != number || position[2] != number)
        __atomic_fetch_add(&torn, 1, __ATOMIC_RELAXED);
    if (reading->daemon_generation == last->daemon_generation && reading->number < last->number)
        __atomic_fetch_add(&backwards, 1, __ATOMIC_RELAXED);
    *last = *reading;
    __atomic_fetch_add(&reads, 1, __ATOMIC_RELAXED);
}

static void *read_newest(void *unused)
{
    struct waymark_reading reading, last = {0}, past;
    (void)unused;
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        (void)waymark_reader_newest(reader, &reading);
        look_at(&reading, &last);
        if (reading.number > 0 && waymark_reader_at(reader, reading.pose.time, &past) == WAYMARK_OK &&
            past.daemon_generation == reading.daemon_generation && past.pose.position[0] != (double)past.number)
            __atomic_fetch_add(&torn, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void *wait_for_each(void *unused)
{
    struct waymark_reading reading = {0}, last = {0};
    (void)unused;
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED))
        if (waymark_reader_wait(reader, &reading, 50) == WAYMARK_OK) {
            look_at(&reading, &last);
            __atomic_fetch_add(&waits, 1, __ATOMIC_RELAXED);
        }
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t threads[THREADS];
    int index, byte;
    reader = waymark_reader_new(count > 1 ? arguments[1] : NULL);
    for (index = 0; index < THREADS; index++)
        if (pthread_create(&threads[index], NULL, index % 2 ? read_newest : wait_for_each, NULL) != 0)
            return 1;
    while ((byte = getchar()) != EOF)
        if (byte == '\n')
            print_counts();
    __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
    for (index = 0; index < THREADS; index++)
        pthread_join(threads[index], NULL);
    waymark_reader_free(reader);
    return torn > 0 || backwards > 0;
}
