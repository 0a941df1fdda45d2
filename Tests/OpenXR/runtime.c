/*
 * An OpenXR runtime for tests: without a display, with a head and a hand whose motion is known. Debian 12 has no
 * runtime at all, and no real one says where a head truly was.
 *
 * It has sessions without graphics, reference and action spaces, views, frames, hand joints and the conversion of
 * times, each as little as the layer meets. Handles are checked strictly: those of destroyed objects are refused, and
 * given again to the next that is made, as by runtimes whose handles are addresses. One lock is around all but the
 * pauses of frames.
 */
#include "loader.h"
#include "runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))
#define MOST_OBJECTS 65536u
#define MOST_EVENTS 64u
#define FIRST_HANDLE UINT64_C(0x100000)

enum kind { FREE, INSTANCE, SESSION, SPACE, ACTION_SET, ACTION, HAND_TRACKER };
enum place { IN_VIEW, IN_LOCAL, IN_STAGE, IN_HAND };

struct object {
    enum kind kind;
    /* What it was made in, and the session of that. */
    uint32_t parent, session;
    enum place place;
    struct pose offset;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object objects[MOST_OBJECTS];
static uint32_t free_list[MOST_OBJECTS], free_count, object_count;
static XrEventDataBuffer events[MOST_EVENTS];
static uint32_t event_first, event_count;
static struct runtime own = {.period = 10000000, .tracks_positions = true, .local = {{0, 0, 0, 1}, {0, 0, 0}}};
static struct runtime *shared = &own;

static struct object *find(const void *handle, enum kind kind)
{
    const uint64_t index = (uint64_t)(size_t)handle - FIRST_HANDLE;
    shared->calls++;
    return index % 16 == 0 && index / 16 < object_count && objects[index / 16].kind == kind ? &objects[index / 16] :
        NULL;
}

static void *make(enum kind kind, const struct object *parent, struct object **made)
{
    uint32_t index;
    if (free_count == 0 && object_count == MOST_OBJECTS)
        return NULL;
    index = free_count > 0 ? free_list[--free_count] : object_count++;
    *made = &objects[index];
    memset(*made, 0, sizeof **made);
    (*made)->kind = kind;
    (*made)->parent = parent ? (uint32_t)(parent - objects) : index;
    (*made)->session = !parent || kind == SESSION ? index : parent->session;
    return (void *)(size_t)(FIRST_HANDLE + 16 * (uint64_t)index);
}

static void destroy(struct object *object)
{
    const uint32_t gone = (uint32_t)(object - objects);
    uint32_t index;
    const enum kind kind = object->kind;
    object->kind = FREE;
    free_list[free_count++] = gone;
    if (kind != SPACE)
        for (index = 0; index < object_count; index++)
            if (objects[index].kind != FREE && objects[index].parent == gone)
                destroy(&objects[index]);
}

/* Each function takes the lock, and returns its result without it. */
#define BEGIN (void)pthread_mutex_lock(&lock)
#define END(result) return (void)pthread_mutex_unlock(&lock), (result)
#define NEED(condition, result) \
    do { \
        if (!(condition)) \
            END(result); \
    } while (0)
#define FUNCTION static XRAPI_ATTR XrResult XRAPI_CALL

static void put_event(const void *event, size_t size)
{
    if (event_count < MOST_EVENTS)
        memcpy(&events[(event_first + event_count++) % MOST_EVENTS], event, size);
}

static XrTime now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec + shared->epoch;
}

FUNCTION get_instance_proc_addr(XrInstance instance, const char *name, PFN_xrVoidFunction *function);

FUNCTION enumerate_extensions(
    const char *layer, uint32_t capacity, uint32_t *count, XrExtensionProperties *properties)
{
    static const char *const names[] = {
        XR_MND_HEADLESS_EXTENSION_NAME, XR_EXT_HAND_TRACKING_EXTENSION_NAME,
        XR_KHR_COMPOSITION_LAYER_CYLINDER_EXTENSION_NAME, XR_KHR_COMPOSITION_LAYER_CUBE_EXTENSION_NAME,
        XR_KHR_COMPOSITION_LAYER_EQUIRECT2_EXTENSION_NAME, "XR_KHR_locate_spaces",
        XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME};
    uint32_t index;
    (void)layer;
    *count = sizeof names / sizeof *names - (shared->has_no_time ? 1 : 0);
    for (index = 0; index < *count && index < capacity; index++) {
        strcpy(properties[index].extensionName, names[index]);
        properties[index].extensionVersion = 1;
    }
    return capacity > 0 && capacity < *count ? XR_ERROR_SIZE_INSUFFICIENT : XR_SUCCESS;
}

FUNCTION create_instance(const XrInstanceCreateInfo *info, XrInstance *instance)
{
    struct object *made;
    uint32_t index;
    for (index = 0; index < info->enabledExtensionCount; index++) {
        XrExtensionProperties properties[16];
        uint32_t count, other = 0;
        (void)enumerate_extensions(NULL, 16, &count, properties);
        while (other < count && strcmp(properties[other].extensionName, info->enabledExtensionNames[index]) != 0)
            other++;
        if (other == count)
            return XR_ERROR_EXTENSION_NOT_PRESENT;
    }
    BEGIN;
    event_count = 0;
    *instance = make(INSTANCE, NULL, &made);
    END(XR_SUCCESS);
}

FUNCTION destroy_instance(XrInstance instance)
{
    struct object *object;
    BEGIN;
    object = find(instance, INSTANCE);
    NEED(object, XR_ERROR_HANDLE_INVALID);
    destroy(object);
    END(XR_SUCCESS);
}

FUNCTION get_instance_properties(XrInstance instance, XrInstanceProperties *properties)
{
    BEGIN;
    NEED(find(instance, INSTANCE), XR_ERROR_HANDLE_INVALID);
    properties->runtimeVersion = XR_MAKE_VERSION(1, 0, 0);
    strcpy(properties->runtimeName, "Waymark's test runtime");
    END(XR_SUCCESS);
}

FUNCTION get_system(XrInstance instance, const XrSystemGetInfo *info, XrSystemId *system)
{
    BEGIN;
    NEED(find(instance, INSTANCE), XR_ERROR_HANDLE_INVALID);
    NEED(info && system, XR_ERROR_VALIDATION_FAILURE);
    *system = 1;
    END(XR_SUCCESS);
}

FUNCTION get_system_properties(XrInstance instance, XrSystemId system, XrSystemProperties *properties)
{
    BEGIN;
    NEED(find(instance, INSTANCE), XR_ERROR_HANDLE_INVALID);
    NEED(properties && properties->type == XR_TYPE_SYSTEM_PROPERTIES, XR_ERROR_VALIDATION_FAILURE);
    NEED(system == 1, XR_ERROR_SYSTEM_INVALID);
    properties->systemId = system;
    properties->trackingProperties.orientationTracking = XR_TRUE;
    properties->trackingProperties.positionTracking = shared->tracks_positions;
    END(XR_SUCCESS);
}

FUNCTION poll_event(XrInstance instance, XrEventDataBuffer *event)
{
    BEGIN;
    NEED(find(instance, INSTANCE), XR_ERROR_HANDLE_INVALID);
    NEED(event && event->type == XR_TYPE_EVENT_DATA_BUFFER, XR_ERROR_VALIDATION_FAILURE);
    if (shared->is_announced) {
        XrEventDataReferenceSpaceChangePending change = {.type = XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING};
        change.session = shared->announced_session;
        change.referenceSpaceType = XR_REFERENCE_SPACE_TYPE_LOCAL;
        change.changeTime = shared->change;
        change.poseValid = shared->is_announced_with_pose;
        change.poseInPreviousSpace = pose_to_xr(pose_product(pose_inverse(shared->local), shared->next_local));
        put_event(&change, sizeof change);
        shared->is_announced = false;
    }
    NEED(event_count > 0, XR_EVENT_UNAVAILABLE);
    *event = events[event_first];
    event_first = (event_first + 1) % MOST_EVENTS;
    event_count--;
    END(XR_SUCCESS);
}

FUNCTION create_session(XrInstance instance, const XrSessionCreateInfo *info, XrSession *session)
{
    const struct object *parent;
    struct object *made;
    BEGIN;
    parent = find(instance, INSTANCE);
    NEED(parent, XR_ERROR_HANDLE_INVALID);
    NEED(info && info->type == XR_TYPE_SESSION_CREATE_INFO && session, XR_ERROR_VALIDATION_FAILURE);
    NEED(info->systemId == 1, XR_ERROR_SYSTEM_INVALID);
    *session = make(SESSION, parent, &made);
    END(*session ? XR_SUCCESS : XR_ERROR_LIMIT_REACHED);
}

FUNCTION destroy_session(XrSession session)
{
    struct object *object;
    BEGIN;
    object = find(session, SESSION);
    NEED(object, XR_ERROR_HANDLE_INVALID);
    destroy(object);
    END(XR_SUCCESS);
}

FUNCTION begin_session(XrSession session, const XrSessionBeginInfo *info)
{
    BEGIN;
    NEED(find(session, SESSION), XR_ERROR_HANDLE_INVALID);
    END(info ? XR_SUCCESS : XR_ERROR_VALIDATION_FAILURE);
}

FUNCTION end_session(XrSession session)
{
    BEGIN;
    END(find(session, SESSION) ? XR_SUCCESS : XR_ERROR_HANDLE_INVALID);
}

FUNCTION create_reference_space(XrSession session, const XrReferenceSpaceCreateInfo *info, XrSpace *space)
{
    const struct object *parent;
    struct object *made;
    BEGIN;
    parent = find(session, SESSION);
    NEED(parent, XR_ERROR_HANDLE_INVALID);
    NEED(info && info->type == XR_TYPE_REFERENCE_SPACE_CREATE_INFO && space, XR_ERROR_VALIDATION_FAILURE);
    NEED(pose_is_sound(info->poseInReferenceSpace), XR_ERROR_POSE_INVALID);
    NEED(info->referenceSpaceType >= XR_REFERENCE_SPACE_TYPE_VIEW &&
        info->referenceSpaceType <= XR_REFERENCE_SPACE_TYPE_STAGE, XR_ERROR_REFERENCE_SPACE_UNSUPPORTED);
    *space = make(SPACE, parent, &made);
    NEED(*space, XR_ERROR_LIMIT_REACHED);
    made->place = info->referenceSpaceType == XR_REFERENCE_SPACE_TYPE_VIEW ? IN_VIEW :
        info->referenceSpaceType == XR_REFERENCE_SPACE_TYPE_LOCAL ? IN_LOCAL : IN_STAGE;
    made->offset = pose_of_xr(info->poseInReferenceSpace);
    END(XR_SUCCESS);
}

FUNCTION create_action_set(XrInstance instance, const XrActionSetCreateInfo *info, XrActionSet *set)
{
    const struct object *parent;
    struct object *made;
    BEGIN;
    parent = find(instance, INSTANCE);
    NEED(parent, XR_ERROR_HANDLE_INVALID);
    NEED(info && set, XR_ERROR_VALIDATION_FAILURE);
    *set = make(ACTION_SET, parent, &made);
    END(*set ? XR_SUCCESS : XR_ERROR_LIMIT_REACHED);
}

FUNCTION create_action(XrActionSet set, const XrActionCreateInfo *info, XrAction *action)
{
    const struct object *parent;
    struct object *made;
    BEGIN;
    parent = find(set, ACTION_SET);
    NEED(parent, XR_ERROR_HANDLE_INVALID);
    NEED(info && action, XR_ERROR_VALIDATION_FAILURE);
    *action = make(ACTION, parent, &made);
    END(*action ? XR_SUCCESS : XR_ERROR_LIMIT_REACHED);
}

FUNCTION create_action_space(XrSession session, const XrActionSpaceCreateInfo *info, XrSpace *space)
{
    const struct object *parent;
    struct object *made;
    BEGIN;
    parent = find(session, SESSION);
    NEED(parent && info && find(info->action, ACTION), XR_ERROR_HANDLE_INVALID);
    NEED(space, XR_ERROR_VALIDATION_FAILURE);
    NEED(pose_is_sound(info->poseInActionSpace), XR_ERROR_POSE_INVALID);
    *space = make(SPACE, parent, &made);
    NEED(*space, XR_ERROR_LIMIT_REACHED);
    made->place = IN_HAND;
    made->offset = pose_of_xr(info->poseInActionSpace);
    END(XR_SUCCESS);
}

FUNCTION destroy_space(XrSpace space)
{
    struct object *object;
    BEGIN;
    object = find(space, SPACE);
    NEED(object, XR_ERROR_HANDLE_INVALID);
    destroy(object);
    END(XR_SUCCESS);
}

FUNCTION get_bounds(XrSession session, XrReferenceSpaceType type, XrExtent2Df *bounds)
{
    BEGIN;
    NEED(find(session, SESSION), XR_ERROR_HANDLE_INVALID);
    NEED(bounds, XR_ERROR_VALIDATION_FAILURE);
    *bounds = type == XR_REFERENCE_SPACE_TYPE_STAGE ? (XrExtent2Df){2, 3} : (XrExtent2Df){0, 0};
    END(type == XR_REFERENCE_SPACE_TYPE_STAGE ? XR_SUCCESS : XR_SPACE_BOUNDS_UNAVAILABLE);
}

static struct motion head_at(XrTime time)
{
    return shared->head ? shared->head(time) : runtime_head(time);
}

static struct motion in_world(const struct object *space, XrTime time)
{
    const struct motion offset = motion_at_rest(space->offset);
    switch (space->place) {
    case IN_VIEW: return motion_product(head_at(time), offset);
    case IN_HAND: return motion_product(runtime_hand(time), offset);
    case IN_STAGE: return motion_product(motion_at_rest(runtime_stage()), offset);
    case IN_LOCAL: break;
    }
    return motion_product(
        motion_at_rest(shared->change > 0 && time >= shared->change ? shared->next_local : shared->local), offset);
}

static struct motion relation(const struct object *space, const struct object *base, XrTime time)
{
    return motion_product(motion_inverse(in_world(base, time)), in_world(space, time));
}

FUNCTION locate_space(XrSpace space, XrSpace base, XrTime time, XrSpaceLocation *location)
{
    const struct object *one, *other;
    struct motion motion;
    XrSpaceVelocity *velocity;
    BEGIN;
    one = find(space, SPACE);
    other = find(base, SPACE);
    NEED(one && other && one->session == other->session, XR_ERROR_HANDLE_INVALID);
    NEED(location && location->type == XR_TYPE_SPACE_LOCATION, XR_ERROR_VALIDATION_FAILURE);
    NEED(time > 0, XR_ERROR_TIME_INVALID);
    motion = relation(one, other, time);
    location->locationFlags = motion.location;
    location->pose = pose_to_xr(motion.pose);
    velocity = chain_find(location->next, XR_TYPE_SPACE_VELOCITY);
    if (velocity) {
        velocity->velocityFlags = motion.velocity;
        velocity->linearVelocity = vector_to_xr(motion.linear);
        velocity->angularVelocity = vector_to_xr(motion.angular);
    }
    END(XR_SUCCESS);
}

FUNCTION locate_spaces(XrSession session, const XrSpacesLocateInfo *info, XrSpaceLocations *locations)
{
    XrSpaceVelocities *velocities;
    uint32_t index;
    if (!info || !locations || info->spaceCount == 0 || info->spaceCount != locations->locationCount ||
        !info->spaces || !locations->locations)
        return XR_ERROR_VALIDATION_FAILURE;
    BEGIN;
    NEED(find(session, SESSION), XR_ERROR_HANDLE_INVALID);
    (void)pthread_mutex_unlock(&lock);
    velocities = chain_find(locations->next, XR_TYPE_SPACE_VELOCITIES);
    for (index = 0; index < info->spaceCount; index++) {
        XrSpaceVelocity velocity = {.type = XR_TYPE_SPACE_VELOCITY};
        XrSpaceLocation location = {.type = XR_TYPE_SPACE_LOCATION, .next = &velocity};
        const XrResult result = locate_space(info->spaces[index], info->baseSpace, info->time, &location);
        if (XR_FAILED(result))
            return result;
        locations->locations[index] = (XrSpaceLocationData){location.locationFlags, location.pose};
        if (velocities && velocities->velocities && index < velocities->velocityCount)
            velocities->velocities[index] = (XrSpaceVelocityData){
                velocity.velocityFlags, velocity.linearVelocity, velocity.angularVelocity};
    }
    return XR_SUCCESS;
}

FUNCTION locate_views(
    XrSession session, const XrViewLocateInfo *info, XrViewState *state, uint32_t capacity, uint32_t *count,
    XrView *views)
{
    const struct object *base;
    const struct object head = {.kind = SPACE, .place = IN_VIEW, .offset = NO_POSE};
    uint32_t index;
    BEGIN;
    NEED(find(session, SESSION), XR_ERROR_HANDLE_INVALID);
    NEED(info && info->type == XR_TYPE_VIEW_LOCATE_INFO && state && count && (capacity == 0 || views),
        XR_ERROR_VALIDATION_FAILURE);
    base = find(info->space, SPACE);
    NEED(base, XR_ERROR_HANDLE_INVALID);
    NEED(info->displayTime > 0, XR_ERROR_TIME_INVALID);
    *count = 2;
    state->viewStateFlags = LOCATED | TRACKED;
    NEED(capacity == 0 || capacity >= 2, XR_ERROR_SIZE_INSUFFICIENT);
    for (index = 0; index < capacity && index < 2; index++) {
        const struct pose eye = {NO_ROTATION, {index == 0 ? -RUNTIME_EYES / 2 : RUNTIME_EYES / 2, 0, 0}};
        views[index].pose = pose_to_xr(pose_product(relation(&head, base, info->displayTime).pose, eye));
        views[index].fov = (XrFovf){-0.8f, 0.8f, 0.7f, -0.7f};
    }
    END(XR_SUCCESS);
}

FUNCTION wait_frame(XrSession session, const XrFrameWaitInfo *info, XrFrameState *state)
{
    const int64_t period = shared->period;
    struct timespec until;
    XrTime next;
    (void)info;
    BEGIN;
    NEED(find(session, SESSION), XR_ERROR_HANDLE_INVALID);
    NEED(state, XR_ERROR_VALIDATION_FAILURE);
    (void)pthread_mutex_unlock(&lock);
    next = (now() / period + 1) * period;
    until.tv_sec = (time_t)((next - shared->epoch) / 1000000000);
    until.tv_nsec = (long)((next - shared->epoch) % 1000000000);
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    state->predictedDisplayTime = next + 2 * period;
    state->predictedDisplayPeriod = period;
    state->shouldRender = XR_TRUE;
    return XR_SUCCESS;
}

FUNCTION begin_frame(XrSession session, const XrFrameBeginInfo *info)
{
    (void)info;
    BEGIN;
    END(find(session, SESSION) ? XR_SUCCESS : XR_ERROR_HANDLE_INVALID);
}

static XrPosef pose_of_layer(const XrCompositionLayerBaseHeader *layer)
{
    XrPosef pose = pose_to_xr(NO_POSE);
    switch ((int)layer->type) {
    case XR_TYPE_COMPOSITION_LAYER_QUAD: return ((const XrCompositionLayerQuad *)layer)->pose;
    case XR_TYPE_COMPOSITION_LAYER_CYLINDER_KHR: return ((const XrCompositionLayerCylinderKHR *)layer)->pose;
    case XR_TYPE_COMPOSITION_LAYER_EQUIRECT_KHR: return ((const XrCompositionLayerEquirectKHR *)layer)->pose;
    case XR_TYPE_COMPOSITION_LAYER_EQUIRECT2_KHR: return ((const XrCompositionLayerEquirect2KHR *)layer)->pose;
    case XR_TYPE_COMPOSITION_LAYER_CUBE_KHR:
        pose.orientation = ((const XrCompositionLayerCubeKHR *)layer)->orientation;
        break;
    case XR_TYPE_COMPOSITION_LAYER_PROJECTION:
        if (((const XrCompositionLayerProjection *)layer)->viewCount > 0 &&
            ((const XrCompositionLayerProjection *)layer)->views)
            return ((const XrCompositionLayerProjection *)layer)->views[0].pose;
    }
    return pose;
}

FUNCTION end_frame(XrSession session, const XrFrameEndInfo *info)
{
    const struct object *owner;
    uint32_t index;
    BEGIN;
    owner = find(session, SESSION);
    NEED(owner, XR_ERROR_HANDLE_INVALID);
    NEED(info && info->type == XR_TYPE_FRAME_END_INFO, XR_ERROR_VALIDATION_FAILURE);
    NEED(info->layerCount <= RUNTIME_LAYERS, XR_ERROR_LAYER_LIMIT_EXCEEDED);
    NEED(info->displayTime > 0, XR_ERROR_TIME_INVALID);
    for (index = 0; index < info->layerCount; index++) {
        const struct object *space;
        NEED(info->layers && info->layers[index], XR_ERROR_LAYER_INVALID);
        space = find(info->layers[index]->space, SPACE);
        NEED(space && space->session == owner->session, XR_ERROR_HANDLE_INVALID);
        shared->layers[index].type = info->layers[index]->type;
        shared->layers[index].pose = pose_of_layer(info->layers[index]);
        shared->layers[index].in_world = pose_product(
            in_world(space, info->displayTime).pose, pose_of_xr(shared->layers[index].pose));
    }
    shared->layer_count = info->layerCount;
    shared->display = info->displayTime;
    shared->frame_count++;
    END(XR_SUCCESS);
}

FUNCTION create_hand_tracker(XrSession session, const XrHandTrackerCreateInfoEXT *info, XrHandTrackerEXT *tracker)
{
    const struct object *parent;
    struct object *made;
    BEGIN;
    parent = find(session, SESSION);
    NEED(parent, XR_ERROR_HANDLE_INVALID);
    NEED(info && tracker, XR_ERROR_VALIDATION_FAILURE);
    *tracker = make(HAND_TRACKER, parent, &made);
    END(*tracker ? XR_SUCCESS : XR_ERROR_LIMIT_REACHED);
}

FUNCTION destroy_hand_tracker(XrHandTrackerEXT tracker)
{
    struct object *object;
    BEGIN;
    object = find(tracker, HAND_TRACKER);
    NEED(object, XR_ERROR_HANDLE_INVALID);
    destroy(object);
    END(XR_SUCCESS);
}

/* Joint i lies i centimetres ahead of the hand. */
FUNCTION locate_hand_joints(
    XrHandTrackerEXT tracker, const XrHandJointsLocateInfoEXT *info, XrHandJointLocationsEXT *locations)
{
    const struct object *hand, *base;
    XrHandJointVelocitiesEXT *velocities;
    uint32_t index;
    BEGIN;
    hand = find(tracker, HAND_TRACKER);
    NEED(hand, XR_ERROR_HANDLE_INVALID);
    NEED(info && locations && locations->jointCount == XR_HAND_JOINT_COUNT_EXT && locations->jointLocations,
        XR_ERROR_VALIDATION_FAILURE);
    base = find(info->baseSpace, SPACE);
    NEED(base && base->session == hand->session, XR_ERROR_HANDLE_INVALID);
    NEED(info->time > 0, XR_ERROR_TIME_INVALID);
    velocities = chain_find(locations->next, XR_TYPE_HAND_JOINT_VELOCITIES_EXT);
    locations->isActive = XR_TRUE;
    for (index = 0; index < XR_HAND_JOINT_COUNT_EXT; index++) {
        const struct object joint = {
            .kind = SPACE, .place = IN_HAND, .offset = {NO_ROTATION, {0, 0, -0.01 * (double)index}}};
        const struct motion motion = relation(&joint, base, info->time);
        locations->jointLocations[index] = (XrHandJointLocationEXT){motion.location, pose_to_xr(motion.pose), 0.01f};
        if (velocities && velocities->jointVelocities && index < velocities->jointCount)
            velocities->jointVelocities[index] = (XrHandJointVelocityEXT){
                motion.velocity, vector_to_xr(motion.linear), vector_to_xr(motion.angular)};
    }
    END(XR_SUCCESS);
}

FUNCTION convert_timespec(XrInstance instance, const struct timespec *time, XrTime *converted)
{
    BEGIN;
    NEED(find(instance, INSTANCE), XR_ERROR_HANDLE_INVALID);
    *converted = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec + shared->epoch;
    END(XR_SUCCESS);
}

#define NAMED(name, function) {name, (PFN_xrVoidFunction)function}

FUNCTION get_instance_proc_addr(XrInstance instance, const char *name, PFN_xrVoidFunction *function)
{
    static const struct {
        const char *name;
        PFN_xrVoidFunction function;
    } functions[] = {
        NAMED("xrGetInstanceProcAddr", get_instance_proc_addr), NAMED("xrCreateInstance", create_instance),
        NAMED("xrEnumerateInstanceExtensionProperties", enumerate_extensions),
        NAMED("xrDestroyInstance", destroy_instance), NAMED("xrGetInstanceProperties", get_instance_properties),
        NAMED("xrGetSystem", get_system), NAMED("xrGetSystemProperties", get_system_properties),
        NAMED("xrPollEvent", poll_event), NAMED("xrCreateSession", create_session),
        NAMED("xrDestroySession", destroy_session), NAMED("xrBeginSession", begin_session),
        NAMED("xrEndSession", end_session), NAMED("xrCreateReferenceSpace", create_reference_space),
        NAMED("xrCreateActionSet", create_action_set), NAMED("xrCreateAction", create_action),
        NAMED("xrCreateActionSpace", create_action_space), NAMED("xrDestroySpace", destroy_space),
        NAMED("xrGetReferenceSpaceBoundsRect", get_bounds),
        NAMED("xrLocateSpace", locate_space), NAMED("xrLocateViews", locate_views),
        NAMED("xrWaitFrame", wait_frame), NAMED("xrBeginFrame", begin_frame), NAMED("xrEndFrame", end_frame),
        NAMED("xrCreateHandTrackerEXT", create_hand_tracker), NAMED("xrDestroyHandTrackerEXT", destroy_hand_tracker),
        NAMED("xrLocateHandJointsEXT", locate_hand_joints),
        NAMED("xrConvertTimespecTimeToTimeKHR", convert_timespec), NAMED("xrLocateSpacesKHR", locate_spaces),
    };
    size_t index;
    (void)instance;
    *function = NULL;
    for (index = 0; index < sizeof functions / sizeof *functions; index++)
        if (strcmp(name, functions[index].name) == 0 &&
            !(shared->has_no_time && functions[index].function == (PFN_xrVoidFunction)convert_timespec) &&
            !(shared->has_no_locate_spaces && functions[index].function == (PFN_xrVoidFunction)locate_spaces)) {
            *function = functions[index].function;
            return XR_SUCCESS;
        }
    return XR_ERROR_FUNCTION_UNSUPPORTED;
}

/* As XrNegotiateRuntimeRequest, which Debian 12's headers lack. */
struct runtime_request {
    int structure;
    uint32_t version;
    size_t size;
    uint32_t runtime_interface;
    XrVersion runtime_api;
    PFN_xrGetInstanceProcAddr get_instance_proc_addr;
};

EXPORTED XRAPI_ATTR XrResult XRAPI_CALL xrNegotiateLoaderRuntimeInterface(
    const struct loader_info *loader, struct runtime_request *request);

EXPORTED XRAPI_ATTR XrResult XRAPI_CALL xrNegotiateLoaderRuntimeInterface(
    const struct loader_info *loader, struct runtime_request *request)
{
    struct runtime *of_program = dlsym(RTLD_DEFAULT, RUNTIME_NAME);
    if (of_program)
        shared = of_program;
    if (!loader || !request)
        return XR_ERROR_INITIALIZATION_FAILED;
    request->runtime_interface = 1;
    request->runtime_api = XR_CURRENT_API_VERSION;
    request->get_instance_proc_addr = get_instance_proc_addr;
    return XR_SUCCESS;
}
