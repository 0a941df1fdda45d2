/*
 * Prints the status of the daemon once, as JSON.
 *
 *     cc status.c $(pkg-config --cflags --libs waymark) -o status && ./status
 */
#include <waymark.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    struct waymark_reply reply;
    enum waymark_outcome outcome = waymark_call(NULL, WAYMARK_STATUS_GET_STATUS, NULL, 5000, &reply);
    if (outcome == WAYMARK_OK)
        printf("%s\n", reply.parameters);
    else if (outcome == WAYMARK_CALL_FAILED)
        fprintf(stderr, "status: %s %s\n", reply.error, reply.parameters);
    else
        fprintf(stderr, "status: %s%s%s\n", waymark_outcome_text(outcome), reply.error_number ? ": " : "",
                reply.error_number ? strerror(reply.error_number) : "");
    waymark_reply_free(&reply);
    return outcome == WAYMARK_OK ? 0 : 1;
}
