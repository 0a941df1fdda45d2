/* The daemon's side of the pose ring, for its only writing thread. Not for clients. */
#ifndef WAYMARK_POSE_RING_WRITER_H
#define WAYMARK_POSE_RING_WRITER_H

#include "waymark-pose-ring.h"

/* Size of the whole ring. Unit: bytes. */
#define WAYMARK_RING_SIZE (sizeof(struct waymark_ring_header) + WAYMARK_RING_SLOTS * sizeof(struct waymark_ring_slot))

/* WAYMARK_RING_SIZE as a function for Swift, which imports only macros that are plain numbers. */
size_t waymark_ring_size(void);

/* Converts a UUID from hexadecimal digits with dashes to its bytes. */
void waymark_ring_boot_id(const uint8_t text[36], uint8_t boot_id[16]);

/* Fills in the header of memory that is all zero. */
void waymark_ring_begin(struct waymark_ring_header *header, const uint8_t boot_id[16], uint64_t generation);

struct waymark_ring_offer waymark_ring_make_offer(enum waymark_ring_answer answer);

/* Writes the next pose, whose number is `number`, and makes it the newest. The pose's `version` is ignored. */
static inline void waymark_ring_write(
    struct waymark_ring_header *header, const struct waymark_ring_slot *pose, uint64_t number)
{
    typedef uint64_t __attribute__((may_alias)) any_word;
    const any_word *words = (const any_word *)(const void *)pose;
    uint64_t *slot = (uint64_t *)(void *)((uint8_t *)header + sizeof *header +
                                          (number - 1) % WAYMARK_RING_SLOTS * sizeof *pose);
    size_t word;
    __atomic_store_n(slot, 2 * number - 1, __ATOMIC_RELAXED);
    /* The odd version is seen before any of the words. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (word = 1; word < sizeof *pose / sizeof *slot; word++)
        __atomic_store_n(slot + word, words[word], __ATOMIC_RELAXED);
    __atomic_store_n(slot, 2 * number, __ATOMIC_RELEASE);
    __atomic_store_n(&header->newest, number, __ATOMIC_RELEASE);
    /* The pose is written before the doorbells are checked: see waymark_ring_wait. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Wakes waiting threads of a client, at most WAYMARK_RING_WAKES, and returns their number. Call it for each client
 * after each pose, and after waymark_ring_end. Makes no system call if the client does not wait. */
static inline int waymark_ring_wake(struct waymark_ring_doorbell *doorbell)
{
    long woken;
    if (__atomic_load_n(&doorbell->waiting, __ATOMIC_RELAXED) == 0)
        return 0;
    /* Cleared before the futex changes: see waymark_ring_wait. */
    __atomic_store_n(&doorbell->waiting, 0, __ATOMIC_RELAXED);
    (void)__atomic_fetch_add(&doorbell->futex, 1, __ATOMIC_RELEASE);
    woken = syscall(SYS_futex, &doorbell->futex, FUTEX_WAKE, WAYMARK_RING_WAKES, NULL, NULL, 0);
    /* More threads may be asleep, and none of them would set the doorbell for the next pose. */
    if (woken >= WAYMARK_RING_WAKES)
        __atomic_store_n(&doorbell->waiting, 1, __ATOMIC_RELAXED);
    return woken > 0 ? (int)woken : 0;
}

/* Marks the ring as ended. Call waymark_ring_wake for each client afterwards, as after a pose. */
static inline void waymark_ring_end(struct waymark_ring_header *header)
{
    __atomic_store_n(&header->ended, 1, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
#endif
