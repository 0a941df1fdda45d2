#include "waymark-pose-ring.h"

/* The layout is a promise to programs that were built earlier. */
_Static_assert(sizeof(struct waymark_ring_offer) == 16, "offer");
_Static_assert(sizeof(struct waymark_ring_header) == 256, "header");
_Static_assert(offsetof(struct waymark_ring_header, newest) == 64, "a cache line of its own");
_Static_assert(offsetof(struct waymark_ring_header, futex) == 128, "a cache line of its own");
_Static_assert(sizeof(struct waymark_ring_slot) == 512, "slot");
