/*
 * An OpenXR API layer that writes down what passes it: located views and spaces, with what the pose ring says at that
 * moment, and events. Compiled with PROBE as its place, "above" or "below": two of them stand above and below another
 * layer. It appends records, as Tests/Support/harness/openxr.py reads them, to the file of WAYMARK_PROBE_ABOVE or
 * WAYMARK_PROBE_BELOW. For programs with one instance, one session and one thread that locates.
 */
#define XR_USE_TIMESPEC
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <openxr/openxr.h>
#include <openxr/openxr_loader_negotiation.h>
#include <openxr/openxr_platform.h>
#include <waymark.h>

#define MOST_RECORDS 400000
#define MOST_SPACES 64
/* Counting descriptors and threads takes longer than what is measured. */
#define COUNTED_EACH 32

enum kind { VIEWS = 1, SPACE, EVENT };

/* What the ring had, and its prediction for the display time. */
struct prediction {
    uint64_t daemon, number;
    uint32_t frame, outcome;
    double orientation[4], position[3];
};

struct record {
    uint32_t kind;
    int32_t result;
    /* XrReferenceSpaceType of space and base; 0 of others, and of a base with a pose of its own. */
    uint32_t space, base;
    /* XrTime; of an event its changeTime. */
    int64_t time;
    /* Of CLOCK_BOOTTIME. */
    int64_t boottime;
    /* Before and after the call, by CLOCK_MONOTONIC. */
    int64_t begun, ended;
    /* XrViewStateFlags, XrSpaceLocationFlags or, of an event, its XrStructureType. */
    uint64_t flags;
    uint32_t descriptors, threads;
    /* Of an event poseValid. */
    uint32_t valid, fill;
    /* Views; location of a space and its pose in its reference space; of an event the pose in the previous space. */
    XrPosef poses[2];
    struct prediction before, after;
};

struct space {
    XrSpace handle;
    XrReferenceSpaceType type;
    XrPosef pose;
};

static struct {
    PFN_xrGetInstanceProcAddr get;
    PFN_xrLocateViews locate_views;
    PFN_xrLocateSpace locate_space;
    PFN_xrCreateReferenceSpace create_reference_space;
    PFN_xrPollEvent poll_event;
    PFN_xrConvertTimeToTimespecTimeKHR convert;
} next;
static XrInstance instance;
static struct space spaces[MOST_SPACES];
static int space_count;
static int file = -1;
static int record_count;
/* Only above: below it would be one more client of the daemon. */
static struct waymark_reader *reader;

static int is_above(void)
{
    return strcmp(PROBE, "above") == 0;
}

static int64_t monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static uint32_t entries(const char *path)
{
    uint32_t count = 0;
    DIR *folder = opendir(path);
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static void write_record(struct record *record)
{
    if (file < 0 || record_count >= MOST_RECORDS)
        return;
    if (record_count++ % COUNTED_EACH == 0) {
        record->descriptors = entries("/proc/self/fd");
        record->threads = entries("/proc/self/task");
    }
    if (write(file, record, sizeof *record) != sizeof *record)
        record_count = MOST_RECORDS;
}

static const struct space *found(XrSpace handle)
{
    int index;
    for (index = 0; index < space_count; index++)
        if (spaces[index].handle == handle)
            return &spaces[index];
    return NULL;
}

static uint32_t type_of_base(XrSpace handle)
{
    static const XrPosef identity = {{0, 0, 0, 1}, {0, 0, 0}};
    const struct space *base = found(handle);
    return base && memcmp(&base->pose, &identity, sizeof identity) == 0 ? (uint32_t)base->type : 0;
}

static void predict(int64_t time, struct prediction *prediction)
{
    struct waymark_reading reading;
    struct waymark_ring_slot predicted;
    if (!reader)
        return;
    prediction->outcome = waymark_reader_newest(reader, &reading);
    if (!reading.number)
        return;
    prediction->daemon = reading.daemon_generation;
    prediction->number = reading.number;
    prediction->frame = reading.pose.generation;
    waymark_predict(&reading.pose, time, &predicted);
    memcpy(prediction->orientation, predicted.orientation, sizeof predicted.orientation);
    memcpy(prediction->position, predicted.position, sizeof predicted.position);
}

/* Begins a record with all that is known before the call. */
static struct record begun(enum kind kind, XrTime time, XrSpace base)
{
    struct record record;
    struct timespec converted;
    memset(&record, 0, sizeof record);
    record.kind = kind;
    record.time = time;
    record.base = type_of_base(base);
    if (next.convert && next.convert(instance, time, &converted) == XR_SUCCESS)
        record.boottime = waymark_boottime((int64_t)converted.tv_sec * 1000000000 + converted.tv_nsec);
    if (reader)
        waymark_reader_update(reader);
    predict(record.boottime, &record.before);
    record.begun = monotonic();
    return record;
}

static void end(struct record *record, XrResult result)
{
    record->ended = monotonic();
    record->result = result;
    predict(record->boottime, &record->after);
}

static XRAPI_ATTR XrResult XRAPI_CALL locate_views(
    XrSession session, const XrViewLocateInfo *info, XrViewState *state, uint32_t capacity, uint32_t *count,
    XrView *views)
{
    struct record record = begun(VIEWS, info->displayTime, info->space);
    const XrResult result = next.locate_views(session, info, state, capacity, count, views);
    end(&record, result);
    if (result == XR_SUCCESS && capacity >= 2 && *count == 2) {
        record.flags = state->viewStateFlags;
        record.poses[0] = views[0].pose;
        record.poses[1] = views[1].pose;
        write_record(&record);
    }
    return result;
}

static XRAPI_ATTR XrResult XRAPI_CALL locate_space(XrSpace space, XrSpace base, XrTime time, XrSpaceLocation *location)
{
    const struct space *known = found(space);
    struct record record = begun(SPACE, time, base);
    const XrResult result = next.locate_space(space, base, time, location);
    end(&record, result);
    if (result == XR_SUCCESS && known) {
        record.space = (uint32_t)known->type;
        record.flags = location->locationFlags;
        record.poses[0] = location->pose;
        record.poses[1] = known->pose;
        write_record(&record);
    }
    return result;
}

static XRAPI_ATTR XrResult XRAPI_CALL create_reference_space(
    XrSession session, const XrReferenceSpaceCreateInfo *info, XrSpace *space)
{
    const XrResult result = next.create_reference_space(session, info, space);
    if (result == XR_SUCCESS && space_count < MOST_SPACES) {
        spaces[space_count].handle = *space;
        spaces[space_count].type = info->referenceSpaceType;
        spaces[space_count++].pose = info->poseInReferenceSpace;
    }
    return result;
}

static XRAPI_ATTR XrResult XRAPI_CALL poll_event(XrInstance of, XrEventDataBuffer *buffer)
{
    const XrResult result = next.poll_event(of, buffer);
    if (result == XR_SUCCESS) {
        struct record record;
        memset(&record, 0, sizeof record);
        record.kind = EVENT;
        record.begun = record.ended = monotonic();
        record.flags = buffer->type;
        if (buffer->type == XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING) {
            const XrEventDataReferenceSpaceChangePending *change =
                (const XrEventDataReferenceSpaceChangePending *)(const void *)buffer;
            record.space = (uint32_t)change->referenceSpaceType;
            record.time = change->changeTime;
            record.valid = change->poseValid;
            record.poses[0] = change->poseInPreviousSpace;
        }
        write_record(&record);
    }
    return result;
}

static XRAPI_ATTR XrResult XRAPI_CALL get(XrInstance of, const char *name, PFN_xrVoidFunction *function)
{
    static const struct {
        const char *name;
        PFN_xrVoidFunction function;
    } own[] = {
        {"xrGetInstanceProcAddr", (PFN_xrVoidFunction)get},
        {"xrLocateViews", (PFN_xrVoidFunction)locate_views},
        {"xrLocateSpace", (PFN_xrVoidFunction)locate_space},
        {"xrCreateReferenceSpace", (PFN_xrVoidFunction)create_reference_space},
        {"xrPollEvent", (PFN_xrVoidFunction)poll_event},
    };
    size_t index;
    for (index = 0; index < sizeof own / sizeof *own; index++)
        if (strcmp(name, own[index].name) == 0) {
            *function = own[index].function;
            return XR_SUCCESS;
        }
    /* As in other layers, this crashes where a layer above asks before there is an instance. */
    return next.get(of, name, function);
}

static XRAPI_ATTR XrResult XRAPI_CALL create_instance(
    const XrInstanceCreateInfo *info, const XrApiLayerCreateInfo *layer, XrInstance *created)
{
    static const char clock[] = XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME;
    const XrApiLayerNextInfo *below = layer->nextInfo;
    XrInstanceCreateInfo extended = *info;
    XrApiLayerCreateInfo rest = *layer;
    uint32_t index, has_clock = 0;
    const char **names = calloc(info->enabledExtensionCount + 1, sizeof *names);
    const char *path = getenv(is_above() ? "WAYMARK_PROBE_ABOVE" : "WAYMARK_PROBE_BELOW");
    XrResult result;
    if (!names)
        return XR_ERROR_OUT_OF_MEMORY;
    for (index = 0; index < info->enabledExtensionCount; index++) {
        names[index] = info->enabledExtensionNames[index];
        has_clock |= strcmp(names[index], clock) == 0;
    }
    if (!has_clock)
        names[extended.enabledExtensionCount++] = clock;
    extended.enabledExtensionNames = names;
    rest.nextInfo = below->next;
    result = below->nextCreateApiLayerInstance(&extended, &rest, created);
    free(names);
    if (result != XR_SUCCESS)
        return result;
    instance = *created;
    next.get = below->nextGetInstanceProcAddr;
    next.get(instance, "xrLocateViews", (PFN_xrVoidFunction *)&next.locate_views);
    next.get(instance, "xrLocateSpace", (PFN_xrVoidFunction *)&next.locate_space);
    next.get(instance, "xrCreateReferenceSpace", (PFN_xrVoidFunction *)&next.create_reference_space);
    next.get(instance, "xrPollEvent", (PFN_xrVoidFunction *)&next.poll_event);
    next.get(instance, "xrConvertTimeToTimespecTimeKHR", (PFN_xrVoidFunction *)&next.convert);
    if (path)
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (is_above())
        reader = waymark_reader_new(NULL);
    return XR_SUCCESS;
}

__attribute__((visibility("default"))) XRAPI_ATTR XrResult XRAPI_CALL xrNegotiateLoaderApiLayerInterface(
    const XrNegotiateLoaderInfo *loader, const char *name, XrNegotiateApiLayerRequest *request)
{
    (void)loader;
    (void)name;
    request->layerInterfaceVersion = XR_CURRENT_LOADER_API_LAYER_VERSION;
    request->layerApiVersion = XR_CURRENT_API_VERSION;
    request->getInstanceProcAddr = get;
    request->createApiLayerInstance = create_instance;
    return XR_SUCCESS;
}
