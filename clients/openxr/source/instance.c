#include "instance.h"

/* Keys of the table of spaces that are no handles. */
#define KEY_EMPTY UINT64_C(0)
#define KEY_REMOVED UINT64_MAX
/* Twice as many as there may be spaces, so that a search soon comes to an empty one. */
#define SLOTS (2 * MOST_SPACES)

struct instance the_instance = {.events = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static struct {
    pthread_mutex_t lock;
    unsigned count;
    uint64_t keys[SLOTS];
    struct space spaces[SLOTS];
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

uint32_t scene_type_of(XrReferenceSpaceType type)
{
    switch ((int)type) {
    case XR_REFERENCE_SPACE_TYPE_LOCAL: return SCENE_LOCAL;
    case XR_REFERENCE_SPACE_TYPE_STAGE: return SCENE_STAGE;
    case XR_REFERENCE_SPACE_TYPE_LOCAL_FLOOR: return SCENE_LOCAL_FLOOR;
    case XR_REFERENCE_SPACE_TYPE_UNBOUNDED_MSFT: return SCENE_UNBOUNDED;
    default: return 0;
    }
}

struct session *session_find(XrSession handle)
{
    int index;
    if (handle == XR_NULL_HANDLE)
        return NULL;
    for (index = 0; index < MOST_SESSIONS; index++)
        if (__atomic_load_n(&the_instance.sessions[index].handle, __ATOMIC_ACQUIRE) == handle)
            return &the_instance.sessions[index];
    return NULL;
}

struct session *session_find_tracked(XrSession handle)
{
    struct session *session = session_find(handle);
    return session && session_is_tracked(session) ? session : NULL;
}

struct session *session_of_tracker(XrGeospatialTrackerANDROID handle)
{
    int index;
    if (handle == XR_NULL_HANDLE)
        return NULL;
    for (index = 0; index < MOST_SESSIONS; index++)
        if (__atomic_load_n(&the_instance.sessions[index].tracker.handle, __ATOMIC_ACQUIRE) ==
            (uint64_t)(size_t)handle)
            return &the_instance.sessions[index];
    return NULL;
}

static unsigned first_slot(uint64_t key)
{
    return (unsigned)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) % SLOTS;
}

struct space *space_find(XrSpace handle)
{
    const uint64_t wanted = (uint64_t)(size_t)handle;
    unsigned slot = first_slot(wanted), count;
    if (wanted == KEY_EMPTY || wanted == KEY_REMOVED)
        return NULL;
    for (count = 0; count < SLOTS; count++, slot = (slot + 1) % SLOTS) {
        const uint64_t key = __atomic_load_n(&table.keys[slot], __ATOMIC_ACQUIRE);
        if (key == wanted)
            return &table.spaces[slot];
        if (key == KEY_EMPTY)
            return NULL;
    }
    return NULL;
}

bool space_add(XrSpace handle, const struct space *space)
{
    const uint64_t key = (uint64_t)(size_t)handle;
    unsigned slot = first_slot(key), count;
    bool is_added = false;
    (void)pthread_mutex_lock(&table.lock);
    for (count = 0; table.count < MOST_SPACES && count < SLOTS && !is_added; count++, slot = (slot + 1) % SLOTS)
        if (table.keys[slot] == KEY_EMPTY || table.keys[slot] == KEY_REMOVED) {
            table.spaces[slot] = *space;
            __atomic_store_n(&table.keys[slot], key, __ATOMIC_RELEASE);
            table.count++;
            is_added = true;
        }
    (void)pthread_mutex_unlock(&table.lock);
    return is_added;
}

/* Searches end at an empty slot, so what is before one may be empty, too. */
static void remove_slot(unsigned slot)
{
    table.count--;
    __atomic_store_n(&table.keys[slot], KEY_REMOVED, __ATOMIC_RELEASE);
    while (table.keys[slot] == KEY_REMOVED && table.keys[(slot + 1) % SLOTS] == KEY_EMPTY) {
        __atomic_store_n(&table.keys[slot], KEY_EMPTY, __ATOMIC_RELEASE);
        slot = (slot + SLOTS - 1) % SLOTS;
    }
}

void space_remove(XrSpace handle)
{
    const struct space *space;
    (void)pthread_mutex_lock(&table.lock);
    space = space_find(handle);
    if (space)
        remove_slot((unsigned)(space - table.spaces));
    (void)pthread_mutex_unlock(&table.lock);
}

void spaces_forget(const struct session *session)
{
    unsigned slot;
    (void)pthread_mutex_lock(&table.lock);
    for (slot = 0; slot < SLOTS; slot++)
        if (table.keys[slot] != KEY_EMPTY && table.keys[slot] != KEY_REMOVED &&
            (!session || table.spaces[slot].session == session))
            remove_slot(slot);
    (void)pthread_mutex_unlock(&table.lock);
}

void spaces_of_placements(
    const struct session *session, void (*visit)(struct space *space, const void *context), const void *context)
{
    unsigned slot;
    (void)pthread_mutex_lock(&table.lock);
    for (slot = 0; slot < SLOTS; slot++)
        if (table.keys[slot] != KEY_EMPTY && table.keys[slot] != KEY_REMOVED &&
            table.spaces[slot].session == session && table.spaces[slot].kind == SPACE_PLACEMENT)
            visit(&table.spaces[slot], context);
    (void)pthread_mutex_unlock(&table.lock);
}

void events_forget(const struct session *session)
{
    struct event_queue *queue = &the_instance.events;
    unsigned index, kept = 0;
    (void)pthread_mutex_lock(&queue->lock);
    for (index = 0; index < queue->count; index++)
        if (queue->entries[(queue->first + index) % MOST_EVENTS].session != session)
            queue->entries[(queue->first + kept++) % MOST_EVENTS] =
                queue->entries[(queue->first + index) % MOST_EVENTS];
    queue->count = kept;
    (void)pthread_mutex_unlock(&queue->lock);
}

void events_put(const struct session *session, const void *event, size_t size)
{
    struct event_queue *queue = &the_instance.events;
    (void)pthread_mutex_lock(&queue->lock);
    if (queue->count < MOST_EVENTS && size <= sizeof(XrEventDataBuffer)) {
        const unsigned last = (queue->first + queue->count++) % MOST_EVENTS;
        queue->entries[last].session = session;
        memcpy(&queue->entries[last].event, event, size);
    }
    (void)pthread_mutex_unlock(&queue->lock);
}

bool events_take(XrEventDataBuffer *event)
{
    struct event_queue *queue = &the_instance.events;
    bool is_there;
    (void)pthread_mutex_lock(&queue->lock);
    is_there = queue->count > 0;
    if (is_there) {
        memcpy(event, &queue->entries[queue->first].event, sizeof *event);
        queue->first = (queue->first + 1) % MOST_EVENTS;
        queue->count--;
    }
    (void)pthread_mutex_unlock(&queue->lock);
    return is_there;
}
