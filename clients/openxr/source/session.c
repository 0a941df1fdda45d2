#include "frame.h"
#include "instance.h"
#include "session.h"

static enum layer_mode mode_of_system(XrSystemId system)
{
    XrSystemProperties properties = {.type = XR_TYPE_SYSTEM_PROPERTIES};
    if (the_instance.settings.mode != LAYER_MODE_AUTOMATIC)
        return the_instance.settings.mode;
    if (XR_FAILED(the_instance.next.get_system_properties(the_instance.handle, system, &properties)))
        return LAYER_MODE_REPLACE;
    return properties.trackingProperties.positionTracking ? LAYER_MODE_CORRECT : LAYER_MODE_REPLACE;
}

static XrResult make_own_space(XrSession session, XrReferenceSpaceType type, XrSpace *space)
{
    XrReferenceSpaceCreateInfo info = {.type = XR_TYPE_REFERENCE_SPACE_CREATE_INFO, .referenceSpaceType = type};
    info.poseInReferenceSpace = pose_to_xr(NO_POSE);
    return the_instance.next.create_reference_space(session, &info, space);
}

/* A session that the layer cannot follow is the runtime's alone. */
static void begin(struct session *session, XrSession handle, XrSystemId system)
{
    enum layer_mode mode = mode_of_system(system);
    (void)pthread_mutex_lock(&session->lock);
    session->mode = mode;
    session->scene_types = 0;
    session->futures = 0;
    session->view = session->local = XR_NULL_HANDLE;
    session->tracker.state = XR_GEOSPATIAL_TRACKER_STATE_STOPPED_ANDROID;
    if (mode != LAYER_MODE_OFF &&
        (XR_FAILED(make_own_space(handle, XR_REFERENCE_SPACE_TYPE_VIEW, &session->view)) ||
         XR_FAILED(make_own_space(handle, XR_REFERENCE_SPACE_TYPE_LOCAL, &session->local)) ||
         !follower_begin(session)))
        mode = LAYER_MODE_OFF;
    __atomic_store_n(&session->mode, mode, __ATOMIC_RELEASE);
    __atomic_store_n(&session->handle, handle, __ATOMIC_RELEASE);
    (void)pthread_mutex_unlock(&session->lock);
}

XRAPI_ATTR XrResult XRAPI_CALL layer_create_session(
    XrInstance instance, const XrSessionCreateInfo *info, XrSession *made)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    XrResult result;
    int index = 0;
    if (!info || !made)
        return XR_ERROR_VALIDATION_FAILURE;
    (void)pthread_mutex_lock(&lock);
    while (index < MOST_SESSIONS && the_instance.sessions[index].handle != XR_NULL_HANDLE)
        index++;
    result = index < MOST_SESSIONS ? the_instance.next.create_session(instance, info, made) : XR_ERROR_LIMIT_REACHED;
    if (XR_SUCCEEDED(result))
        begin(&the_instance.sessions[index], *made, info->systemId);
    (void)pthread_mutex_unlock(&lock);
    return result;
}

void session_end(struct session *session)
{
    (void)pthread_mutex_lock(&session->lock);
    __atomic_store_n(&session->mode, LAYER_MODE_OFF, __ATOMIC_RELEASE);
    spaces_forget(session);
    events_forget(session);
    geospatial_end(session);
    follower_end(session);
    frame_end(session);
    __atomic_store_n(&session->handle, XR_NULL_HANDLE, __ATOMIC_RELEASE);
    (void)pthread_mutex_unlock(&session->lock);
}

XRAPI_ATTR XrResult XRAPI_CALL layer_destroy_session(XrSession handle)
{
    struct session *session = session_find(handle);
    if (session)
        session_end(session);
    return the_instance.next.destroy_session(handle);
}

XRAPI_ATTR XrResult XRAPI_CALL layer_create_reference_space(
    XrSession handle, const XrReferenceSpaceCreateInfo *info, XrSpace *made)
{
    struct session *session = session_find_tracked(handle);
    struct space space = {.kind = SPACE_SCENE};
    XrResult result;
    uint32_t type;
    if (!session || !info || !made)
        return the_instance.next.create_reference_space(handle, info, made);
    result = the_instance.next.create_reference_space(handle, info, made);
    type = scene_type_of(info->referenceSpaceType);
    if (XR_FAILED(result) || (type == 0 && info->referenceSpaceType != XR_REFERENCE_SPACE_TYPE_VIEW))
        return result;
    (void)__atomic_fetch_or(&session->scene_types, type, __ATOMIC_RELAXED);
    space.kind = type ? SPACE_SCENE : SPACE_HEAD;
    space.session = session;
    space.offset = pose_of_xr(info->poseInReferenceSpace);
    if (space_add(*made, &space))
        return result;
    (void)the_instance.next.destroy_space(*made);
    *made = XR_NULL_HANDLE;
    return XR_ERROR_LIMIT_REACHED;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_destroy_space(XrSpace space)
{
    space_remove(space);
    return the_instance.next.destroy_space(space);
}

XRAPI_ATTR XrResult XRAPI_CALL layer_get_bounds(XrSession handle, XrReferenceSpaceType type, XrExtent2Df *bounds)
{
    const struct session *session = session_find_tracked(handle);
    const XrResult result = the_instance.next.get_bounds(handle, type, bounds);
    /* The runtime's are those of a room; the scene has none. */
    if (result != XR_SUCCESS || !session || scene_type_of(type) == 0 ||
        snapshots_newest(&session->snapshots).after.source == TRACK_NONE)
        return result;
    *bounds = (XrExtent2Df){0, 0};
    return XR_SPACE_BOUNDS_UNAVAILABLE;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_get_system_properties(
    XrInstance instance, XrSystemId system, XrSystemProperties *properties)
{
    const XrResult result = the_instance.next.get_system_properties(instance, system, properties);
    if (XR_SUCCEEDED(result) && the_instance.has_geospatial) {
        XrSystemGeospatialPropertiesANDROID *geospatial =
            chain_find(properties->next, XR_TYPE_SYSTEM_GEOSPATIAL_PROPERTIES_ANDROID);
        if (geospatial)
            geospatial->supportsGeospatial = the_instance.settings.mode != LAYER_MODE_OFF;
    }
    return result;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_poll_event(XrInstance instance, XrEventDataBuffer *event)
{
    int index;
    if (!event)
        return the_instance.next.poll_event(instance, event);
    for (index = 0; index < MOST_SESSIONS; index++)
        if (__atomic_load_n(&the_instance.sessions[index].handle, __ATOMIC_ACQUIRE) != XR_NULL_HANDLE)
            follower_update(&the_instance.sessions[index]);
    if (events_take(event))
        return XR_SUCCESS;
    for (;;) {
        const XrResult result = the_instance.next.poll_event(instance, event);
        XrEventDataReferenceSpaceChangePending change;
        struct session *session;
        if (result != XR_SUCCESS || event->type != XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING)
            return result;
        memcpy(&change, event, sizeof change);
        session = session_find(change.session);
        if (!session || !follower_take_change(session, &change))
            return result;
        /* The program gives the structure with this type. */
        event->type = XR_TYPE_EVENT_DATA_BUFFER;
    }
}
