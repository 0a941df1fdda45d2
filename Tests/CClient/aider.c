/*
 * An aid, driven by its input: each line begins with the name of a kind, `wait` or `state`, is answered with the outcome,
 * and for `state` with what the aid knows. Socket and name of the source are the arguments; offers are of fixed values.
 */
#include "outcomes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static enum waymark_outcome offer(struct waymark_aid *aid, const char *kind, double value)
{
    const double vector[3] = {0, 0, -1}, rotation[4] = {0, 0, 0, value};
    const struct waymark_location low = {47.37, 8.54, false, 0}, high = {47.37, 8.54, true, 450};
    const struct waymark_geo beacon = {47.37, 8.54, 450};
    int64_t time = waymark_now();
    if (strcmp(kind, "odometry") == 0)
        return waymark_aid_offer_odometry(aid, time, vector, rotation, 7, 0.75);
    if (strcmp(kind, "position") == 0)
        return waymark_aid_offer_position(aid, time, &high, value, 0);
    if (strcmp(kind, "sighting") == 0)
        return waymark_aid_offer_sighting(aid, time, vector, &low, value);
    if (strcmp(kind, "sun") == 0)
        return waymark_aid_offer_sighting(aid, time, vector, NULL, value);
    if (strcmp(kind, "range") == 0)
        return waymark_aid_offer_range(aid, time, &beacon, 12.5, value);
    if (strcmp(kind, "heading") == 0)
        return waymark_aid_offer_heading(aid, time, 45, value);
    if (strcmp(kind, "height") == 0)
        return waymark_aid_offer_height(aid, time, 450, value);
    if (strcmp(kind, "negative") == 0)
        return waymark_aid_offer_height(aid, -1, 450, value);
    return waymark_aid_offer_height(aid, time, NAN, value);
}

int main(int count, char **arguments)
{
    struct waymark_aid_description description = {.kinds = (1 << WAYMARK_AID_KIND_SAMPLES) - 1, .latency = 0.001};
    struct waymark_aid_state state;
    struct waymark_aid *aid;
    char line[100], kind[20];
    enum waymark_outcome outcome;
    if (count != 3)
        return 2;
    description.source = arguments[2];
    outcome = waymark_aid_new(arguments[1], &description, &aid);
    if (outcome != WAYMARK_OK) {
        printf("%s\n", name_of(outcome));
        return 0;
    }
    while (fgets(line, sizeof line, stdin)) {
        double value = 0;
        if (sscanf(line, "%19s %lf", kind, &value) < 1)
            return 2;
        if (strcmp(kind, "wait") == 0) {
            printf("%s\n", name_of(waymark_aid_wait(aid, (int)value)));
        } else if (strcmp(kind, "state") == 0) {
            waymark_aid_state(aid, &state);
            printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n", name_of(state.result), state.connections,
                   state.accepted, state.refused, state.unanswered, state.error);
        } else {
            printf("%s\n", name_of(offer(aid, kind, value)));
        }
        fflush(stdout);
    }
    waymark_aid_free(aid);
    return 0;
}
