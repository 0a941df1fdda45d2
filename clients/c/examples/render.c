/*
 * A render loop: the pose of the time at which each frame is displayed, from shared memory. With a number it ends after
 * as many frames.
 *
 *     cc render.c $(pkg-config --cflags --libs waymark) -o render && ./render 100
 */
#include <waymark.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* From the start of rendering to light, of this display. Unit: ns. */
static const int64_t latency = 25000000;

static void draw(const struct waymark_ring_slot *pose, bool is_new_scene)
{
    const char *state = waymark_localization_state_word((enum waymark_localization_state)pose->state);
    printf("%s scene %" PRIu32 "%s position %.3f %.3f %.3f orientation %.4f %.4f %.4f %.4f\n",
           state ? state : "unknown", pose->generation, is_new_scene ? " (new)" : "", pose->position[0],
           pose->position[1], pose->position[2], pose->orientation[0], pose->orientation[1], pose->orientation[2],
           pose->orientation[3]);
}

int main(int count, char **arguments)
{
    const struct timespec frame = {0, 16666667};
    long left = count > 1 ? strtol(arguments[1], NULL, 10) : -1;
    struct waymark_reader *reader = waymark_reader_new(NULL);
    enum waymark_outcome reported = WAYMARK_OK;
    struct waymark_reading last = {0}, reading;

    while (reader && left != 0) {
        /* Connects, also to a daemon that was restarted. */
        enum waymark_outcome outcome = waymark_reader_update(reader);
        if (outcome != reported)
            fprintf(stderr, "render: %s: %s\n", waymark_reader_path(reader), waymark_outcome_text(outcome));
        reported = outcome;
        if (waymark_reader_newest(reader, &reading) == WAYMARK_OK) {
            struct waymark_ring_slot pose;
            /* In another scene frame, or after a restart, content is to be placed anew. */
            bool is_new_scene = reading.daemon_generation != last.daemon_generation ||
                reading.pose.generation != last.pose.generation;
            waymark_predict(&reading.pose, waymark_now() + latency, &pose);
            draw(&pose, is_new_scene);
            last = reading;
            if (left > 0)
                left--;
        }
        /* In place of waiting for the display. */
        nanosleep(&frame, NULL);
    }
    waymark_reader_free(reader);
    return 0;
}
