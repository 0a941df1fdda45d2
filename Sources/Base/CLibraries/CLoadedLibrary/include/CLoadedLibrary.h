#pragma once
/* A shared library that is opened when it is first needed. All programs are one executable, so those that do not use
 * the library would otherwise load it too, which takes a short command longer than its own work. */
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *file;
    /* Names of the functions, and the variables for their addresses in the same order. */
    const char *const *names;
    void **addresses;
    size_t count;
    /* Called once after all functions have been found; NULL for none. */
    bool (*start)(void);
    bool is_open;
    char problem[256];
} loaded_library;

/* Members of a structure that contains only pointers to the functions, with the types from the library's header. */
#define LOADED_MEMBER(name, ...) __typeof__(&name) name;
#define LOADED_NAME(name, ...) #name,

/* Value of a `loaded_library`. `functions` is a static structure made with LOADED_MEMBER. `list` is a macro that
 * applies another macro to each function's name, and to further arguments if the list has any. */
#define LOADED_LIBRARY(soname, functions, list, starter) \
    {.file = (soname), .names = (const char *const[]){list(LOADED_NAME)}, .addresses = (void **)&(functions), \
     .count = sizeof(functions) / sizeof(void *), .start = (starter)}

/* Opens the library unless it is open. May be called from any thread. Returns false on failure, with the reason in
 * `problem`; the next call tries again, because the library may have been installed meanwhile. */
bool loaded_library_open(loaded_library *library, char *problem, size_t size);

/* Returns the function whose address is at `address`, of a library that is always installed with the program. Opens the
 * library at the first call. On failure prints the reason and ends the program with exit code 127, as the dynamic linker
 * does when a library is missing that the program is linked with. May be called from any thread. */
void *loaded_library_function(loaded_library *library, void *const *address);

/* Defines a function that calls the one with the same name of `library`, whose address is in `functions`. The list has
 * for each function its name, its type, its parameters and its arguments. */
#define LOADED_FORWARD(name, type, parameters, arguments) \
    type name parameters { \
        return ((__typeof__(&name))loaded_library_function(&library, (void *const *)&functions.name)) arguments; \
    }

#ifdef __cplusplus
}
#endif
