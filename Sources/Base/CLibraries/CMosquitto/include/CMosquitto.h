#pragma once
/* Wraps libmosquitto for connections to an MQTT 3.1.1 broker. The library is opened at the first connection, so that
 * the daemon, which is the same program and uses no broker, loads neither it nor OpenSSL. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cmosquitto cmosquitto;

/* Options of a connection. Text that is not needed is NULL. */
typedef struct {
    const char *client_id;
    /* Whether the broker discards the client's subscriptions and waiting messages when the client disconnects. */
    bool is_clean;
    const char *username;
    const char *password;
    /* Whether the connection is encrypted with TLS. */
    bool is_encrypted;
    /* File of the authorities that may have signed the broker's certificate; NULL for those of the system. */
    const char *authority_file;
    /* Client certificate, and its private key. */
    const char *certificate_file;
    const char *key_file;
    /* Retained message that the broker publishes when it loses the client. */
    const char *will_topic;
    const uint8_t *will;
    size_t will_length;
    /* Maximum number of messages of QoS 1 that are sent but not yet acknowledged. */
    int window;
    /* Whether the client subscribes. If it does not, the connection ends when the broker sends a message. */
    bool is_reader;
} cmosquitto_options;

/* Called by the thread that runs `cmosquitto_run`. */
typedef struct {
    void *context;
    /* The broker has accepted the connection. */
    void (*connected)(void *context);
    /* The broker has acknowledged a message of QoS 1. */
    void (*acknowledged)(void *context, int message);
    /* A message of a subscription. */
    void (*received)(void *context, const char *topic, const uint8_t *payload, size_t length, bool is_retained);
    /* The broker has answered a subscription; `is_granted` is true if it granted it. */
    void (*subscribed)(void *context, bool is_granted);
} cmosquitto_handlers;

/* Makes a connection that is not open yet. Returns NULL on failure, with the reason in `problem`. */
cmosquitto *cmosquitto_new(
    const cmosquitto_options *options, const cmosquitto_handlers *handlers, char *problem, size_t size);

/* Connects; blocks during name lookup and for TCP and TLS. Returns false on failure, with the reason in `problem`. */
bool cmosquitto_connect(
    cmosquitto *client, const char *host, int port, int keepalive_seconds, char *problem, size_t size);

/* Waits for the broker for at most `milliseconds`, and handles what it sends. Returns false once the connection has
 * ended, with the reason in `problem`. */
bool cmosquitto_run(cmosquitto *client, int milliseconds, char *problem, size_t size);

/* Sends a message of QoS 1. May be called from any thread. Returns the number that `acknowledged` will report; negative
 * on failure. */
int cmosquitto_publish(cmosquitto *client, const char *topic, const uint8_t *payload, size_t length, bool is_retained);

/* Asks for the messages of a topic filter, at QoS 1. */
bool cmosquitto_subscribe(cmosquitto *client, const char *filter);

/* Disconnects properly, so that the broker does not publish the will. May be called from any thread. */
void cmosquitto_disconnect(cmosquitto *client);

void cmosquitto_free(cmosquitto *client);

#ifdef __cplusplus
}
#endif
