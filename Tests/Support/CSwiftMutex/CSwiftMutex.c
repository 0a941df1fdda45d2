#include "include/CSwiftMutex.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WAYMARK_THREAD_SANITIZED 1
#endif
#endif

#if WAYMARK_THREAD_SANITIZED

/* Swift's Mutex takes and releases a free lock by atomic operations in the caller, which ThreadSanitizer sees. A lock
 * that another thread waits for goes through these two functions of libswiftSynchronization, which it does not see: what
 * the lock protects would be reported as a race. The definitions here precede the library's, call them, and say what
 * they order. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef SWIFT void lock_function(uint32_t thread, SELF void *mutex);
typedef SWIFT void unlock_function(SELF void *mutex);

lock_function lock_slowly __asm__(LOCK);
unlock_function unlock_slowly __asm__(UNLOCK);

static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found) return found;
    fprintf(stderr, "CSwiftMutex: this version of Swift has no %s\n", name);
    abort();
}

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) {
    static lock_function *original;
    lock_function *function = __atomic_load_n(&original, __ATOMIC_RELAXED);
    if (!function) __atomic_store_n(&original, function = (lock_function *)next(LOCK), __ATOMIC_RELAXED);
    function(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock_slowly(SELF void *mutex) {
    static unlock_function *original;
    unlock_function *function = __atomic_load_n(&original, __ATOMIC_RELAXED);
    if (!function) __atomic_store_n(&original, function = (unlock_function *)next(UNLOCK), __ATOMIC_RELAXED);
    __tsan_release(mutex);
    function(mutex);
}

#endif
