/* A value that one thread at a time writes, and any number of threads read without a lock. A writer that is interrupted
 * keeps nobody waiting: it writes beside the newest value. */
#ifndef PUBLISHED_H
#define PUBLISHED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PUBLISHED_SLOTS 4u
/* Memory of the values, as many words, for a type without padding whose size is a multiple of 8 bytes. */
#define PUBLISHED_WORDS(type) (PUBLISHED_SLOTS * sizeof(type) / sizeof(uint64_t))

struct published {
    uint64_t newest;
};

static inline void published_write(struct published *published, uint64_t *words, const void *value, size_t size)
{
    const uint64_t number = __atomic_load_n(&published->newest, __ATOMIC_RELAXED) + 1;
    uint64_t *slot = words + number % PUBLISHED_SLOTS * (size / sizeof *words), part;
    size_t word;
    /* The number before it is seen before a reader sees a word of this one. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (word = 0; word < size / sizeof part; word++) {
        memcpy(&part, (const char *)value + word * sizeof part, sizeof part);
        __atomic_store_n(&slot[word], part, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&published->newest, number, __ATOMIC_RELEASE);
}

static inline void published_read(const struct published *published, const uint64_t *words, void *value, size_t size)
{
    uint64_t number;
    /* A slot is written again when three more values have been: who was interrupted for as long reads anew. */
    do {
        const uint64_t *slot;
        size_t word;
        number = __atomic_load_n(&published->newest, __ATOMIC_ACQUIRE);
        slot = words + number % PUBLISHED_SLOTS * (size / sizeof *words);
        for (word = 0; word < size / sizeof *words; word++) {
            const uint64_t part = __atomic_load_n(&slot[word], __ATOMIC_RELAXED);
            memcpy((char *)value + word * sizeof part, &part, sizeof part);
        }
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    } while (__atomic_load_n(&published->newest, __ATOMIC_RELAXED) - number >= PUBLISHED_SLOTS - 1);
}
#endif
