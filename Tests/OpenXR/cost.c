/* What locating costs: no memory and no lock of the layer's, and how much time beside the runtime's own. Built without
 * sanitizers: the program's own functions stand in for those of the C library, and count the calls from the layer. */
#include "program.h"
#include "scenarios.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

static uint64_t allocations, locks;
static uintptr_t layer_begin, layer_end;

#define COUNT(counter) \
    do { \
        const uintptr_t caller = (uintptr_t)__builtin_return_address(0); \
        if (caller >= layer_begin && caller < layer_end) \
            __atomic_add_fetch(&(counter), 1, __ATOMIC_RELAXED); \
    } while (0)

#ifndef __SANITIZE_ADDRESS__
#ifndef __SANITIZE_THREAD__
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

void *malloc(size_t size)
{
    COUNT(allocations);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    COUNT(allocations);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    COUNT(allocations);
    return __libc_realloc(memory, size);
}

void free(void *memory)
{
    COUNT(allocations);
    __libc_free(memory);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*next)(pthread_mutex_t *);
    COUNT(locks);
    if (!next)
        next = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    return next(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    static int (*next)(pthread_mutex_t *);
    COUNT(locks);
    if (!next)
        next = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_trylock");
    return next(mutex);
}
#endif
#endif

static int look_for_layer(struct dl_phdr_info *info, size_t size, void *unused)
{
    int index;
    (void)size;
    (void)unused;
    if (strstr(info->dlpi_name, "libXrApiLayer_waymark"))
        for (index = 0; index < info->dlpi_phnum; index++)
            if (info->dlpi_phdr[index].p_type == PT_LOAD && (info->dlpi_phdr[index].p_flags & PF_X)) {
                layer_begin = info->dlpi_addr + info->dlpi_phdr[index].p_vaddr;
                layer_end = layer_begin + info->dlpi_phdr[index].p_memsz;
            }
    return 0;
}

#define CALLS 20000

static void locate_views(XrTime time)
{
    XrView views[2] = {{.type = XR_TYPE_VIEW}, {.type = XR_TYPE_VIEW}};
    XrViewLocateInfo info = {
        XR_TYPE_VIEW_LOCATE_INFO, NULL, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, time, program.local};
    XrViewState state = {.type = XR_TYPE_VIEW_STATE};
    uint32_t count;
    SUCCEEDS(program.call.xrLocateViews(program.session, &info, &state, 2, &count, views));
}

static void locate_view(XrTime time)
{
    (void)program_locate(program.view, program.local, time);
}

static void locate_hand(XrTime time)
{
    (void)program_locate(program.hand, program.local, time);
}

static void locate_past(XrTime time)
{
    (void)program_locate(program.view, program.local, time - 60 * MILLISECOND);
}

static void measure(const char *what, void (*locate)(XrTime))
{
    const uint64_t allocations_before = allocations, locks_before = locks;
    int64_t begin = waymark_now();
    int call;
    for (call = 0; call < CALLS; call++)
        locate(program.display);
    /* The test compares the times of two runs. */
    printf("cost %s %.0f\n", what, (double)(waymark_now() - begin) / CALLS);
    CHECK(allocations == allocations_before && locks == locks_before, "%s: %llu allocations, %llu locks", what,
        (unsigned long long)(allocations - allocations_before), (unsigned long long)(locks - locks_before));
}

void cost(void)
{
    const bool with_layer = getenv("XR_ENABLE_API_LAYERS") != NULL;
    program_begin(with_layer);
    (void)dl_iterate_phdr(look_for_layer, NULL);
    CHECK(with_layer == (layer_end > layer_begin), "the layer is not found in memory");
    if (with_layer) {
        program_wait_for_scene();
        /* Frames do both, or the counters would count nothing. */
        CHECK(locks > 0, "no lock is counted");
    } else {
        (void)program_frame();
    }
    measure("views", locate_views);
    measure("VIEW", locate_view);
    measure("hand", locate_hand);
    measure("past", locate_past);
    program_end();
}
