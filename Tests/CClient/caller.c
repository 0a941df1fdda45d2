/* One call: socket, method, parameters, timeout in ms. */
#include "outcomes.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    struct waymark_reply reply;
    enum waymark_outcome outcome;
    if (count != 5)
        return 2;
    outcome = waymark_call(arguments[1], arguments[2], arguments[3], atoi(arguments[4]), &reply);
    printf("%s %s %d %zu %s\n", name_of(outcome), reply.error ? reply.error : "-", reply.error_number, reply.length,
           reply.parameters && reply.length < 60000 ? reply.parameters : "-");
    waymark_reply_free(&reply);
    return 0;
}
