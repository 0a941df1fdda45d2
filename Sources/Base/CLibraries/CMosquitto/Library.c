#include "Library.h"

static mosquitto_library functions;

static bool start(void) { return functions.mosquitto_lib_init() == MOSQ_ERR_SUCCESS; }

static loaded_library library = LOADED_LIBRARY("libmosquitto.so.1", functions, MOSQUITTO_FUNCTIONS, start);

const mosquitto_library *mosquitto_library_open(char *problem, size_t size) {
    return loaded_library_open(&library, problem, size) ? &functions : NULL;
}
