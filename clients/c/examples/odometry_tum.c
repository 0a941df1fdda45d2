/*
 * Offers the odometry of a camera from a trajectory file, in real time; the first pose is that of now. The format is that
 * of the RGB-D benchmark of TU Munich, which many programs write: lines of "timestamp tx ty tz qx qy qz qw" (s, m), pose
 * of the camera in a frame with z up; `#` begins a comment. The exit status is 1 where a
 * line is damaged, which ends it, or where an offer was not delivered or was refused.
 *
 *     cc odometry_tum.c $(pkg-config --cflags --libs waymark) -lm -o odometry_tum && ./odometry_tum trajectory.txt
 */
#include <waymark.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct pose {
    double time;
    double position[3];
    /* x, y, z, w: from the camera's axes into the frame of the trajectory. */
    double orientation[4];
};

/* Turns a frame with z up by -90 degrees about x, so that y is up. */
static void turn_upright(struct pose *pose)
{
    const double half = sqrt(0.5);
    const double y = pose->position[1], *q = pose->orientation;
    const double turned[4] = {half * (q[0] - q[3]), half * (q[1] + q[2]), half * (q[2] - q[1]), half * (q[3] + q[0])};
    int index;
    pose->position[1] = pose->position[2];
    pose->position[2] = -y;
    for (index = 0; index < 4; index++)
        pose->orientation[index] = turned[index];
}

enum reading { POSE, END, DAMAGED };

/* Skips what did not fit into a line. */
static void skip_rest(FILE *file, const char *line)
{
    int byte = strchr(line, '\n') ? '\n' : 0;
    while (byte != '\n' && byte != EOF)
        byte = getc(file);
}

static enum reading read_pose(FILE *file, struct pose *pose)
{
    double *p = pose->position, *q = pose->orientation;
    char line[512];
    while (fgets(line, sizeof line, file)) {
        char first = line[strspn(line, " \t\r\n")];
        skip_rest(file, line);
        if (first == '#' || first == '\0')
            continue;
        if (sscanf(line, "%lf %lf %lf %lf %lf %lf %lf %lf", &pose->time, &p[0], &p[1], &p[2], &q[0], &q[1], &q[2],
                   &q[3]) == 8)
            return POSE;
        fprintf(stderr, "odometry_tum: no pose: %s\n", line);
        return DAMAGED;
    }
    return ferror(file) ? DAMAGED : END;
}

static void sleep_until(int64_t time)
{
    int64_t left = time - waymark_now();
    const struct timespec pause = {(time_t)(left / 1000000000), (long)(left % 1000000000)};
    if (left > 0)
        nanosleep(&pause, NULL);
}

/* Whether all poses of the file were delivered. */
static bool offer_all(struct waymark_aid *aid, FILE *file)
{
    const double longest = 86400;
    enum waymark_outcome reported = WAYMARK_OK;
    int64_t start = waymark_now();
    struct pose pose;
    double first = NAN;
    bool delivered = true;
    enum reading reading;
    while ((reading = read_pose(file, &pose)) == POSE) {
        enum waymark_outcome outcome;
        int64_t time;
        if (isnan(first))
            first = pose.time;
        if (!(fabs(pose.time - first) < longest)) {
            fprintf(stderr, "odometry_tum: a time stamp of %g s after one of %g s\n", pose.time, first);
            return false;
        }
        turn_upright(&pose);
        time = start + (int64_t)((pose.time - first) * 1e9);
        sleep_until(time);
        outcome = waymark_aid_offer_odometry(aid, time, pose.position, pose.orientation, 0, 1);
        if (outcome != reported)
            fprintf(stderr, "odometry_tum: %s\n", waymark_outcome_text(outcome));
        reported = outcome;
        delivered = delivered && outcome == WAYMARK_OK;
    }
    return delivered && reading == END;
}

int main(int count, char **arguments)
{
    struct waymark_aid_description camera = {.source = "camera", .kinds = 1 << WAYMARK_AID_KIND_ODOMETRY};
    struct waymark_aid_state state;
    struct waymark_aid *aid;
    enum waymark_outcome outcome;
    bool delivered = false;
    FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: odometry_tum FILE\n");
        return 2;
    }
    /* The camera looks ahead and has the axes of an optical frame: x right, y down, z ahead. */
    camera.mount.has_rotation = true;
    camera.mount.rotation.x = 1;
    /* It is on the right temple. Unit: m. */
    camera.mount.has_lever_arm = true;
    camera.mount.lever_arm.x = 0.06;
    camera.mount.lever_arm.z = -0.02;
    if (waymark_aid_new(NULL, &camera, &aid) != WAYMARK_OK)
        return 1;
    outcome = waymark_aid_wait(aid, 5000);
    if (outcome == WAYMARK_OK) {
        delivered = offer_all(aid, file);
        outcome = waymark_aid_wait(aid, 5000);
    }
    waymark_aid_state(aid, &state);
    printf("%" PRIu64 " accepted, %" PRIu64 " refused %s\n", state.accepted, state.refused, state.error);
    if (outcome != WAYMARK_OK)
        fprintf(stderr, "odometry_tum: %s %s\n", waymark_outcome_text(outcome), state.error);
    waymark_aid_free(aid);
    fclose(file);
    return outcome == WAYMARK_OK && delivered && !state.refused && !state.unanswered ? 0 : 1;
}
