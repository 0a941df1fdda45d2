#include "Connection.h"

#include <stdlib.h>
#include <string.h>

bool cweb_reply_set(cweb_reply *reply, const void *bytes, size_t length) {
    free(reply->bytes);
    reply->bytes = malloc(LWS_PRE + length);
    reply->length = reply->bytes != NULL ? length : 0;
    if (reply->bytes == NULL) return false;
    memcpy(reply->bytes + LWS_PRE, bytes, length);
    return true;
}

bool connection_enqueue(connection *of, bool binary, const void *bytes, size_t length) {
    message *added = malloc(sizeof *added + LWS_PRE + length);
    if (added == NULL) return false;
    added->next = NULL;
    added->length = length;
    added->binary = binary;
    if (length > 0) memcpy(added->bytes + LWS_PRE, bytes, length);
    if (of->last != NULL) of->last->next = added;
    else of->first = added;
    of->last = added;
    return true;
}

bool connection_collect(connection *of, const void *bytes, size_t length, size_t longest) {
    if (length > longest - of->received_length) return false;
    const size_t wanted = of->received_length + length;
    if (wanted > of->received_capacity) {
        const size_t capacity = 2 * wanted < longest ? 2 * wanted : longest;
        unsigned char *grown = realloc(of->received, capacity);
        if (grown == NULL) return false;
        of->received = grown;
        of->received_capacity = capacity;
    }
    if (length > 0) memcpy(of->received + of->received_length, bytes, length);
    of->received_length = wanted;
    return true;
}

void connection_free(connection *of) {
    while (of->first != NULL) {
        message *next = of->first->next;
        free(of->first);
        of->first = next;
    }
    free(of->received);
    free(of->reply.bytes);
    free(of);
}
