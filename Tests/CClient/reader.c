/* A reader that does what it is asked, line by line, and answers each with a line. */
#include "outcomes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_reading(enum waymark_outcome outcome, const struct waymark_reading *reading)
{
    printf("%s %" PRIu64 " %" PRIu64 " %" PRId64, name_of(outcome), reading->daemon_generation, reading->number,
           reading->pose.time);
}

static void print_numbers(const double *numbers, int count)
{
    int index;
    for (index = 0; index < count; index++)
        printf(" %.17g", numbers[index]);
}

/* Position, orientation and both velocities, and the six accuracies. */
static void print_pose(const struct waymark_ring_slot *pose)
{
    print_numbers(pose->position, 3);
    print_numbers(pose->orientation, 4);
    print_numbers(pose->linear_velocity, 3);
    print_numbers(pose->angular_velocity, 3);
    print_numbers(&pose->horizontal_accuracy, 6);
}

int main(int count, char **arguments)
{
    struct waymark_reader *reader = waymark_reader_new(count > 1 ? arguments[1] : NULL);
    struct waymark_reading last = {0};
    char command[16];
    long long number;
    while (reader && scanf("%15s %lld", command, &number) == 2) {
        struct waymark_reading reading = {0};
        struct waymark_reader_state state;
        struct waymark_ring_slot predicted;
        switch (command[0]) {
        case 'u':
            printf("%s", name_of(waymark_reader_update(reader)));
            break;
        case 'n':
            print_reading(waymark_reader_newest(reader, &reading), &reading);
            print_pose(&reading.pose);
            break;
        case 'w':
            print_reading(waymark_reader_wait(reader, &last, (int)number), &last);
            print_pose(&last.pose);
            break;
        case 'a':
            print_reading(waymark_reader_at(reader, number, &reading), &reading);
            print_pose(&reading.pose);
            break;
        case 'p':
            print_reading(waymark_reader_at(reader, number, &reading), &reading);
            /* By the milliseconds that stand behind. */
            if (scanf("%lld", &number) != 1)
                return 1;
            printf(" %d", waymark_predict(&reading.pose, reading.pose.time + number * 1000000, &predicted));
            printf(" %" PRId64, predicted.time - reading.pose.time);
            print_pose(&predicted);
            break;
        default:
            waymark_reader_state(reader, &state);
            printf("%s %d %" PRIu64 " %" PRIu64, name_of(state.result), state.error_number, state.connections,
                   state.daemon_generation);
        }
        printf("\n");
        fflush(stdout);
    }
    waymark_reader_free(reader);
    return 0;
}
