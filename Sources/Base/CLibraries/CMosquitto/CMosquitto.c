#define _GNU_SOURCE
#include "CMosquitto.h"

#include <errno.h>
#include <limits.h>
#include <linux/tcp.h>
#include <mosquitto.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "CLoadedLibrary.h"

#if LIBMOSQUITTO_VERSION_NUMBER < 2000011
#error "libmosquitto 2.0.11, Debian 12's, or newer is needed"
#endif

/* The functions of libmosquitto that are used, with their types from its header. */
#define MOSQUITTO_FUNCTIONS(use) \
    use(mosquitto_lib_init) use(mosquitto_new) use(mosquitto_destroy) use(mosquitto_int_option) \
    use(mosquitto_threaded_set) use(mosquitto_will_set) use(mosquitto_username_pw_set) use(mosquitto_tls_set) \
    use(mosquitto_connect) use(mosquitto_disconnect) use(mosquitto_loop) use(mosquitto_publish) \
    use(mosquitto_subscribe) use(mosquitto_socket) use(mosquitto_strerror) \
    use(mosquitto_connect_callback_set) use(mosquitto_publish_callback_set) use(mosquitto_message_callback_set) \
    use(mosquitto_subscribe_callback_set) use(mosquitto_log_callback_set)

static struct {
    MOSQUITTO_FUNCTIONS(LOADED_MEMBER)
} functions;

static bool start(void) { return functions.mosquitto_lib_init() == MOSQ_ERR_SUCCESS; }

/* Opened at the first connection, so that the daemon does not load it. */
static loaded_library library = LOADED_LIBRARY("libmosquitto.so.1", functions, MOSQUITTO_FUNCTIONS, start);

/* Maximum value of `unasked`. Above it, the broker is considered to send answers that nothing asked for. The value
 * exceeds the window of unacknowledged messages, because answers to all of them may arrive after the client's last
 * packet. */
#define MOST_UNASKED 1000
/* Limits of what a broker may send to a client that is not a reader. The first applies to the TLS handshake. The second
 * applies to each packet, and exceeds the TLS record of an answer. Unit: bytes. */
#define MOST_BYTES (256 * 1024)
#define BYTES_OF_ANSWER 64

struct cmosquitto {
    struct mosquitto *mosquitto;
    cmosquitto_handlers handlers;
    /* MQTT's number of the reason why the broker refused the connection; 0 if it did not. */
    int refusal;
    bool is_reader;
    /* Length of the text "Client NAME ", with which the library's log messages about packets begin. */
    size_t log_prefix;
    /* Number of packets from the broker that are not messages, minus the packets that the client has sent since; never
     * below 0, except for races between threads. */
    atomic_int unasked;
    /* Number of packets from the broker. */
    atomic_uint_least64_t received;
    /* Description of a packet that the broker was not allowed to send; NULL if there was none. */
    const char *_Atomic offence;
    /* Last error that the library logged, which contains the reasons of OpenSSL. Several threads log. */
    char logged[160];
    pthread_mutex_t logging;
};

/* Explains a broker's answer (MQTT 3.1.1, section 3.2.2.3), and says what to do. */
static const char *refusal_text(int code) {
    switch (code) {
    case 1: return "the broker does not speak MQTT 3.1.1";
    case 2: return "the broker refuses the client id";
    case 3: return "the broker is not available";
    case 4: return "the broker refuses user name or password";
    case 5: return "the broker does not permit this client";
    default: return "the broker refuses the connection";
    }
}

static void on_connect(struct mosquitto *mosquitto, void *context, int code) {
    (void)mosquitto;
    cmosquitto *client = context;
    client->refusal = code;
    if (code == 0) client->handlers.connected(client->handlers.context);
}

static void on_publish(struct mosquitto *mosquitto, void *context, int message) {
    (void)mosquitto;
    cmosquitto *client = context;
    client->handlers.acknowledged(client->handlers.context, message);
}

static void on_message(struct mosquitto *mosquitto, void *context, const struct mosquitto_message *message) {
    (void)mosquitto;
    cmosquitto *client = context;
    const size_t length = message->payloadlen > 0 ? (size_t)message->payloadlen : 0;
    client->handlers.received(client->handlers.context, message->topic, message->payload, length, message->retain);
}

static void on_subscribe(
    struct mosquitto *mosquitto, void *context, int message, int count, const int *granted) {
    (void)mosquitto;
    (void)message;
    cmosquitto *client = context;
    bool is_granted = count > 0;
    for (int each = 0; each < count; each++) is_granted = is_granted && granted[each] >= 0 && granted[each] <= 2;
    client->handlers.subscribed(client->handlers.context, is_granted);
}

static bool begins(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Counts the packets of both sides in the library's log, which alone shows all of them, because messages of QoS 2 reach
 * a callback only when the broker releases them, and answers that nothing asked for reach none. */
static void follow(cmosquitto *client, const char *packet) {
    if (begins(packet, "sending ")) {
        if (client->unasked > 0) client->unasked--;
        return;
    }
    if (!begins(packet, "received ")) return;
    client->received++;
    if (begins(packet, "received PUBLISH ")) {
        if (!client->is_reader) client->offence = "the broker sends messages that nothing asked for";
    } else if (++client->unasked > MOST_UNASKED) {
        client->offence = "the broker sends answers that nothing asked for";
    }
}

/* Whether the broker has sent more than answers need. This matters because a packet may have 256 MB, and the library
 * keeps it until it is complete. The library goes on reading as long as more of a packet arrives, so a fast broker is
 * detected only at the end of its first packet. False if there is no connection. */
static bool is_sent_too_much(cmosquitto *client) {
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    const int descriptor = functions.mosquitto_socket(client->mosquitto);
    if (client->is_reader || getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return false;
    return info.tcpi_bytes_received > MOST_BYTES + BYTES_OF_ANSWER * client->received;
}

static void on_log(struct mosquitto *mosquitto, void *context, int level, const char *text) {
    (void)mosquitto;
    cmosquitto *client = context;
    if (level == MOSQ_LOG_ERR) {
        pthread_mutex_lock(&client->logging);
        snprintf(client->logged, sizeof client->logged, "%s", text);
        pthread_mutex_unlock(&client->logging);
    }
    if (level == MOSQ_LOG_DEBUG && strlen(text) > client->log_prefix) follow(client, text + client->log_prefix);
}

/* Prevents OpenSSL from asking for the password of an encrypted key on the terminal. */
static int refuse_key_password(char *buffer, int size, int is_encrypting, void *context) {
    (void)is_encrypting;
    (void)context;
    if (size > 0) buffer[0] = '\0';
    return 0;
}

static void explain(cmosquitto *client, int code, int error, char *problem, size_t size) {
    /* If the broker closes the connection within a packet, the library reports no system error. */
    const bool is_closed = code == MOSQ_ERR_CONN_LOST || (code == MOSQ_ERR_ERRNO && error == 0);
    pthread_mutex_lock(&client->logging);
    if (client->refusal != 0) {
        snprintf(problem, size, "%s", refusal_text(client->refusal));
    } else if (is_closed && client->logged[0] == '\0') {
        snprintf(problem, size, "the broker closed the connection");
    } else if (code == MOSQ_ERR_KEEPALIVE) {
        snprintf(problem, size, "the broker has sent nothing for too long");
    } else {
        /* If a TLS handshake fails after it had to wait for the broker, the error is just EPROTO, and only the log has
         * the reason. */
        const char *text = code == MOSQ_ERR_ERRNO ? strerror(error) : functions.mosquitto_strerror(code);
        const char *separator = client->logged[0] == '\0' ? "" : ": ";
        snprintf(problem, size, "%s%s%s", text, separator, client->logged);
    }
    pthread_mutex_unlock(&client->logging);
}

static bool is_set(cmosquitto *client, int code, char *problem, size_t size) {
    if (code == MOSQ_ERR_SUCCESS) return true;
    explain(client, code, errno, problem, size);
    return false;
}

static bool set_encryption(cmosquitto *client, const cmosquitto_options *options, char *problem, size_t size) {
    if (!options->is_encrypted) return true;
    struct mosquitto *mosquitto = client->mosquitto;
    /* If there is a file of authorities, those of the system are not used. */
    if (options->authority_file == NULL &&
        !is_set(client, functions.mosquitto_int_option(mosquitto, MOSQ_OPT_TLS_USE_OS_CERTS, 1), problem, size))
        return false;
    if (options->authority_file == NULL && options->certificate_file == NULL) return true;
    const char *folder = options->authority_file == NULL ? "/etc/ssl/certs" : NULL;
    const int code = functions.mosquitto_tls_set(
        mosquitto, options->authority_file, folder, options->certificate_file, options->key_file, refuse_key_password);
    if (code == MOSQ_ERR_INVAL) {
        snprintf(problem, size, "certificate or private key cannot be read");
        return false;
    }
    return is_set(client, code, problem, size);
}

static bool set_options(cmosquitto *client, const cmosquitto_options *options, char *problem, size_t size) {
    struct mosquitto *mosquitto = client->mosquitto;
    int code = functions.mosquitto_threaded_set(mosquitto, true);
    if (code == MOSQ_ERR_SUCCESS)
        code = functions.mosquitto_int_option(mosquitto, MOSQ_OPT_SEND_MAXIMUM, options->window);
    if (code == MOSQ_ERR_SUCCESS && options->username != NULL)
        code = functions.mosquitto_username_pw_set(mosquitto, options->username, options->password);
    if (code == MOSQ_ERR_SUCCESS && options->will_topic != NULL)
        code = functions.mosquitto_will_set(
            mosquitto, options->will_topic, (int)options->will_length, options->will, 1, true);
    return is_set(client, code, problem, size) && set_encryption(client, options, problem, size);
}

cmosquitto *cmosquitto_new(
    const cmosquitto_options *options, const cmosquitto_handlers *handlers, char *problem, size_t size) {
    if (!loaded_library_open(&library, problem, size)) return NULL;
    cmosquitto *client = calloc(1, sizeof *client);
    if (client != NULL) client->mosquitto = functions.mosquitto_new(options->client_id, options->is_clean, client);
    if (client == NULL || client->mosquitto == NULL) {
        snprintf(problem, size, "%s", strerror(errno));
        free(client);
        return NULL;
    }
    client->handlers = *handlers;
    pthread_mutex_init(&client->logging, NULL);
    client->is_reader = options->is_reader;
    client->log_prefix = strlen("Client ") + strlen(options->client_id) + strlen(" ");
    functions.mosquitto_connect_callback_set(client->mosquitto, on_connect);
    functions.mosquitto_publish_callback_set(client->mosquitto, on_publish);
    functions.mosquitto_message_callback_set(client->mosquitto, on_message);
    functions.mosquitto_subscribe_callback_set(client->mosquitto, on_subscribe);
    functions.mosquitto_log_callback_set(client->mosquitto, on_log);
    if (set_options(client, options, problem, size)) return client;
    cmosquitto_free(client);
    return NULL;
}

bool cmosquitto_connect(
    cmosquitto *client, const char *host, int port, int keepalive_seconds, char *problem, size_t size) {
    errno = 0;
    const int code = functions.mosquitto_connect(client->mosquitto, host, port, keepalive_seconds);
    const int error = errno;
    if (code == MOSQ_ERR_SUCCESS) return true;
    if (code == MOSQ_ERR_EAI) {
        snprintf(problem, size, "the name %s is not found", host);
    } else {
        explain(client, code, error, problem, size);
    }
    return false;
}

bool cmosquitto_run(cmosquitto *client, int milliseconds, char *problem, size_t size) {
    const int code = functions.mosquitto_loop(client->mosquitto, milliseconds, 1);
    const int error = errno;
    if (is_sent_too_much(client)) client->offence = "the broker sends more than answers need";
    const char *offence = client->offence;
    if (offence != NULL) {
        snprintf(problem, size, "%s", offence);
        return false;
    }
    if (code == MOSQ_ERR_SUCCESS && client->refusal == 0) return true;
    explain(client, code, error, problem, size);
    return false;
}

int cmosquitto_publish(
    cmosquitto *client, const char *topic, const uint8_t *payload, size_t length, bool is_retained) {
    int message = -1;
    if (length > INT_MAX) return -1;
    const int code = functions.mosquitto_publish(
        client->mosquitto, &message, topic, (int)length, payload, 1, is_retained);
    return code == MOSQ_ERR_SUCCESS ? message : -1;
}

bool cmosquitto_subscribe(cmosquitto *client, const char *filter) {
    return functions.mosquitto_subscribe(client->mosquitto, NULL, filter, 1) == MOSQ_ERR_SUCCESS;
}

void cmosquitto_disconnect(cmosquitto *client) { functions.mosquitto_disconnect(client->mosquitto); }

void cmosquitto_free(cmosquitto *client) {
    if (client == NULL) return;
    functions.mosquitto_destroy(client->mosquitto);
    pthread_mutex_destroy(&client->logging);
    free(client);
}
