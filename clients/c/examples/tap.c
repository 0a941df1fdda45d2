/*
 * What a display does when its wearer taps: leads to what the wearer looks at, or says why there is no route. With a
 * number, what is up to that number of degrees beside the line of sight is meant as well.
 *
 *     cc tap.c $(pkg-config --cflags --libs waymark) -o tap && ./tap 5
 */
#include <waymark.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* navigation.timeout_seconds of the settings, a second of the daemon's own, and one more for the way. Unit: ms. */
static const int route_timeout = 12000;

static bool call(
    const char *method, const struct waymark_arguments *arguments, int timeout, struct waymark_reply *reply)
{
    enum waymark_outcome outcome = waymark_call(NULL, method, waymark_arguments_text(arguments), timeout, reply);
    if (outcome == WAYMARK_CALL_FAILED)
        fprintf(stderr, "tap: %s %s\n", reply->error, reply->parameters);
    else if (outcome != WAYMARK_OK)
        fprintf(stderr, "tap: %s\n", waymark_outcome_text(outcome));
    return outcome == WAYMARK_OK;
}

/*
 * The placement's id as it stands in the reply, a JSON string with its quotes; NULL where nothing is hit. It comes
 * first in a placement. A program that has a JSON library reads it with that.
 */
static char *id_of_placement(const char *parameters)
{
    static const char before[] = "\"placement\":{\"id\":";
    const char *begin = strstr(parameters, before), *end;
    if (!begin || begin[sizeof before - 1] != '"')
        return NULL;
    begin += sizeof before - 1;
    for (end = begin + 1; *end && *end != '"'; end++)
        if (*end == '\\' && end[1])
            end++;
    return *end ? strndup(begin, (size_t)(end + 1 - begin)) : NULL;
}

static bool navigate(const char *id)
{
    struct waymark_arguments arguments;
    struct waymark_reply reply;
    bool succeeds;

    waymark_arguments_begin(&arguments);
    waymark_arguments_json(&arguments, "place", id);
    succeeds = call(WAYMARK_SCENE_NAVIGATE_TO, &arguments, route_timeout, &reply);
    if (succeeds)
        printf("%s\n", reply.parameters);
    waymark_reply_free(&reply);
    return succeeds;
}

int main(int count, char **options)
{
    struct waymark_arguments arguments;
    struct waymark_reply reply;
    char *id = NULL;
    bool succeeds;

    waymark_arguments_begin(&arguments);
    if (count > 1)
        waymark_arguments_number(&arguments, "tolerance", strtod(options[1], NULL));
    succeeds = call(WAYMARK_SCENE_PICK, &arguments, 5000, &reply);
    if (succeeds && !(id = id_of_placement(reply.parameters)))
        fprintf(stderr, "tap: nothing there\n");
    waymark_reply_free(&reply);
    succeeds = id && navigate(id);
    free(id);
    return succeeds ? 0 : 1;
}
