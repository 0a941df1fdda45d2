/* Checks of the availability of visual positioning, which the daemon has none of: each is done when it is begun. */
#include "earth.h"

/* Futures are numbers that no runtime gives. */
#define FIRST_FUTURE UINT64_C(0x5741594655540000)
/* Of a session, asked for and not yet completed: bits of a word. */
#define MOST_FUTURES 64

/* The session of a future of the layer, and its bit; NULL where there is no such future. */
static struct session *find_future(XrFutureEXT future, uint64_t *bit)
{
    const uint64_t number = (uint64_t)(size_t)future - FIRST_FUTURE;
    struct session *session;
    if (number >= (uint64_t)MOST_SESSIONS * MOST_FUTURES)
        return NULL;
    session = &the_instance.sessions[number / MOST_FUTURES];
    *bit = UINT64_C(1) << number % MOST_FUTURES;
    return __atomic_load_n(&session->futures, __ATOMIC_ACQUIRE) & *bit ? session : NULL;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_check_vps_availability(
    XrSession handle, double latitude, double longitude, XrFutureEXT *future)
{
    struct session *session = session_find(handle);
    uint64_t index;
    if (!session)
        return XR_ERROR_HANDLE_INVALID;
    if (!future)
        return XR_ERROR_VALIDATION_FAILURE;
    if (!is_on_globe(latitude, longitude))
        return XR_ERROR_GEOSPATIAL_COORDINATES_INVALID_ANDROID;
    for (index = 0; index < MOST_FUTURES; index++)
        if (!(__atomic_fetch_or(&session->futures, UINT64_C(1) << index, __ATOMIC_ACQ_REL) & UINT64_C(1) << index)) {
            *future = (XrFutureEXT)(size_t)(
                FIRST_FUTURE + (uint64_t)(session - the_instance.sessions) * MOST_FUTURES + index);
            return XR_SUCCESS;
        }
    return XR_ERROR_LIMIT_REACHED;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_complete_vps_availability(
    XrSession handle, XrFutureEXT future, XrVPSAvailabilityCheckCompletionANDROID *completion)
{
    struct session *session = session_find(handle);
    uint64_t bit;
    if (!session)
        return XR_ERROR_HANDLE_INVALID;
    if (!completion || completion->type != XR_TYPE_VPS_AVAILABILITY_CHECK_COMPLETION_ANDROID)
        return XR_ERROR_VALIDATION_FAILURE;
    if (find_future(future, &bit) != session)
        return XR_ERROR_FUTURE_INVALID_EXT;
    (void)__atomic_fetch_and(&session->futures, ~bit, __ATOMIC_ACQ_REL);
    completion->futureResult = XR_SUCCESS;
    completion->availability = XR_VPS_AVAILABILITY_UNAVAILABLE_ANDROID;
    return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_poll_future(
    XrInstance instance, const XrFuturePollInfoEXT *info, XrFuturePollResultEXT *result)
{
    uint64_t bit;
    if (!info || !result)
        return XR_ERROR_VALIDATION_FAILURE;
    if (find_future(info->future, &bit)) {
        result->state = XR_FUTURE_STATE_READY_EXT;
        return XR_SUCCESS;
    }
    return the_instance.next.poll_future ? the_instance.next.poll_future(instance, info, result) :
        XR_ERROR_FUTURE_INVALID_EXT;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_cancel_future(XrInstance instance, const XrFutureCancelInfoEXT *info)
{
    struct session *session;
    uint64_t bit;
    if (!info)
        return XR_ERROR_VALIDATION_FAILURE;
    session = find_future(info->future, &bit);
    if (session) {
        (void)__atomic_fetch_and(&session->futures, ~bit, __ATOMIC_ACQ_REL);
        return XR_SUCCESS;
    }
    return the_instance.next.cancel_future ? the_instance.next.cancel_future(instance, info) :
        XR_ERROR_FUTURE_INVALID_EXT;
}
