#include "Curl.h"

static curl_library functions;

static bool start(void) { return functions.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

/* From libcurl4 or libcurl4t64, the OpenSSL variant, which Debian's other programs load as well. */
static loaded_library library = LOADED_LIBRARY("libcurl.so.4", functions, CURL_FUNCTIONS, start);

const curl_library *curl_library_open(char *problem, size_t size) {
    return loaded_library_open(&library, problem, size) ? &functions : NULL;
}
