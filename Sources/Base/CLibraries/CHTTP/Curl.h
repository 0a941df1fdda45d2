#pragma once
/* Wraps libcurl, opened by dlopen at the first request, so that the daemon does not load it. */
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "CLoadedLibrary.h"

/* The functions of libcurl that are used, with the types of its header. */
#define CURL_FUNCTIONS(use) \
    use(curl_global_init) use(curl_easy_init) use(curl_easy_setopt) use(curl_easy_getinfo) use(curl_easy_cleanup) \
    use(curl_easy_strerror) use(curl_multi_init) use(curl_multi_add_handle) use(curl_multi_remove_handle) \
    use(curl_multi_perform) use(curl_multi_poll) use(curl_multi_info_read) use(curl_multi_cleanup) \
    use(curl_slist_append) use(curl_slist_free_all)

/* The header defines type-checking macros with some of the names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

typedef struct {
    CURL_FUNCTIONS(LOADED_MEMBER)
} curl_library;

/* Opens the library at the first call. NULL on failure, with the reason in `problem`. */
const curl_library *curl_library_open(char *problem, size_t size);
