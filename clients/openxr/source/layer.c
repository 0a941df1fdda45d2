/*
 * The layer as the loader meets it: negotiation, the instance, and the functions that it puts itself in place of.
 */
#include "instance.h"
#include "loader.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

/* Of OpenXR 1.1. */
#define EXTENSION_DEPENDENCY_NOT_ENABLED ((XrResult)-1000710001)

/* When a function of the layer is in place of the runtime's. */
enum condition {
    ALWAYS,
    /* Where the runtime has it. */
    WITH_NEXT,
    WITH_GEOSPATIAL,
    WITH_PLACEMENTS,
    WITH_FUTURE
};

static XRAPI_ATTR XrResult XRAPI_CALL get_instance_proc_addr(
    XrInstance instance, const char *name, PFN_xrVoidFunction *function);
static XRAPI_ATTR XrResult XRAPI_CALL destroy_instance(XrInstance instance);

static const struct {
    const char *name;
    PFN_xrVoidFunction function;
    enum condition condition;
} functions[] = {
    {"xrGetInstanceProcAddr", (PFN_xrVoidFunction)get_instance_proc_addr, ALWAYS},
    {"xrDestroyInstance", (PFN_xrVoidFunction)destroy_instance, ALWAYS},
    {"xrGetSystemProperties", (PFN_xrVoidFunction)layer_get_system_properties, ALWAYS},
    {"xrPollEvent", (PFN_xrVoidFunction)layer_poll_event, ALWAYS},
    {"xrCreateSession", (PFN_xrVoidFunction)layer_create_session, ALWAYS},
    {"xrDestroySession", (PFN_xrVoidFunction)layer_destroy_session, ALWAYS},
    {"xrCreateReferenceSpace", (PFN_xrVoidFunction)layer_create_reference_space, ALWAYS},
    {"xrDestroySpace", (PFN_xrVoidFunction)layer_destroy_space, ALWAYS},
    {"xrGetReferenceSpaceBoundsRect", (PFN_xrVoidFunction)layer_get_bounds, ALWAYS},
    {"xrLocateSpace", (PFN_xrVoidFunction)layer_locate_space, ALWAYS},
    {"xrLocateSpaces", (PFN_xrVoidFunction)layer_locate_spaces, WITH_NEXT},
    {"xrLocateSpacesKHR", (PFN_xrVoidFunction)layer_locate_spaces, WITH_NEXT},
    {"xrLocateViews", (PFN_xrVoidFunction)layer_locate_views, ALWAYS},
    {"xrLocateHandJointsEXT", (PFN_xrVoidFunction)layer_locate_hand_joints, WITH_NEXT},
    {"xrWaitFrame", (PFN_xrVoidFunction)layer_wait_frame, ALWAYS},
    {"xrEndFrame", (PFN_xrVoidFunction)layer_end_frame, ALWAYS},
    {"xrCreateGeospatialTrackerANDROID", (PFN_xrVoidFunction)layer_create_geospatial_tracker, WITH_GEOSPATIAL},
    {"xrDestroyGeospatialTrackerANDROID", (PFN_xrVoidFunction)layer_destroy_geospatial_tracker, WITH_GEOSPATIAL},
    {"xrLocateGeospatialPoseFromPoseANDROID", (PFN_xrVoidFunction)layer_locate_geospatial_pose_from_pose,
     WITH_GEOSPATIAL},
    {"xrLocateGeospatialPoseANDROID", (PFN_xrVoidFunction)layer_locate_geospatial_pose, WITH_GEOSPATIAL},
    {"xrCheckVpsAvailabilityAsyncANDROID", (PFN_xrVoidFunction)layer_check_vps_availability, WITH_GEOSPATIAL},
    {"xrCheckVpsAvailabilityCompleteANDROID", (PFN_xrVoidFunction)layer_complete_vps_availability, WITH_GEOSPATIAL},
    {"xrPollFutureEXT", (PFN_xrVoidFunction)layer_poll_future, WITH_FUTURE},
    {"xrCancelFutureEXT", (PFN_xrVoidFunction)layer_cancel_future, WITH_FUTURE},
    {"xrEnumeratePlacementsWAYMARK", (PFN_xrVoidFunction)layer_enumerate_placements, WITH_PLACEMENTS},
    {"xrCreatePlacementSpaceWAYMARK", (PFN_xrVoidFunction)layer_create_placement_space, WITH_PLACEMENTS},
};

static bool applies(enum condition condition, XrInstance instance, const char *name)
{
    PFN_xrVoidFunction below = NULL;
    switch (condition) {
    case WITH_NEXT:
        return XR_SUCCEEDED(the_instance.next.get_instance_proc_addr(instance, name, &below)) && below;
    case WITH_GEOSPATIAL: return the_instance.has_geospatial;
    case WITH_PLACEMENTS: return the_instance.has_placements;
    case WITH_FUTURE: return the_instance.has_future;
    case ALWAYS: break;
    }
    return true;
}

static XRAPI_ATTR XrResult XRAPI_CALL get_instance_proc_addr(
    XrInstance instance, const char *name, PFN_xrVoidFunction *function)
{
    size_t index;
    if (!name || !function)
        return XR_ERROR_VALIDATION_FAILURE;
    if (!the_instance.next.get_instance_proc_addr)
        return XR_ERROR_HANDLE_INVALID;
    if (instance != XR_NULL_HANDLE && instance == the_instance.handle)
        for (index = 0; index < sizeof functions / sizeof *functions; index++)
            if (strcmp(name, functions[index].name) == 0 && applies(functions[index].condition, instance, name)) {
                *function = functions[index].function;
                return XR_SUCCESS;
            }
    return the_instance.next.get_instance_proc_addr(instance, name, function);
}

static PFN_xrVoidFunction find(XrInstance instance, const char *name)
{
    PFN_xrVoidFunction function = NULL;
    if (XR_FAILED(the_instance.next.get_instance_proc_addr(instance, name, &function)))
        return NULL;
    return function;
}

static void find_next_functions(XrInstance instance)
{
    struct next_functions *next = &the_instance.next;
    next->destroy_instance = (PFN_xrDestroyInstance)find(instance, "xrDestroyInstance");
    next->get_system_properties = (PFN_xrGetSystemProperties)find(instance, "xrGetSystemProperties");
    next->poll_event = (PFN_xrPollEvent)find(instance, "xrPollEvent");
    next->create_session = (PFN_xrCreateSession)find(instance, "xrCreateSession");
    next->destroy_session = (PFN_xrDestroySession)find(instance, "xrDestroySession");
    next->create_reference_space = (PFN_xrCreateReferenceSpace)find(instance, "xrCreateReferenceSpace");
    next->destroy_space = (PFN_xrDestroySpace)find(instance, "xrDestroySpace");
    next->get_bounds = (PFN_xrGetReferenceSpaceBoundsRect)find(instance, "xrGetReferenceSpaceBoundsRect");
    next->locate_space = (PFN_xrLocateSpace)find(instance, "xrLocateSpace");
    next->locate_spaces = (locate_spaces_function)find(instance, "xrLocateSpaces");
    next->locate_spaces_khr = (locate_spaces_function)find(instance, "xrLocateSpacesKHR");
    next->locate_views = (PFN_xrLocateViews)find(instance, "xrLocateViews");
    next->wait_frame = (PFN_xrWaitFrame)find(instance, "xrWaitFrame");
    next->end_frame = (PFN_xrEndFrame)find(instance, "xrEndFrame");
    next->locate_hand_joints = (PFN_xrLocateHandJointsEXT)find(instance, "xrLocateHandJointsEXT");
    next->convert_timespec = (PFN_xrConvertTimespecTimeToTimeKHR)find(instance, "xrConvertTimespecTimeToTimeKHR");
    next->poll_future = (PFN_xrPollFutureEXT)find(instance, "xrPollFutureEXT");
    next->cancel_future = (PFN_xrCancelFutureEXT)find(instance, "xrCancelFutureEXT");
}

static bool has_core_functions(const struct next_functions *next)
{
    return next->destroy_instance && next->get_system_properties && next->poll_event && next->create_session &&
        next->destroy_session && next->create_reference_space && next->destroy_space && next->get_bounds &&
        next->locate_space && next->locate_views && next->wait_frame && next->end_frame;
}

static bool is_own(const char *extension)
{
    return strcmp(extension, XR_ANDROID_GEOSPATIAL_EXTENSION_NAME) == 0 ||
        strcmp(extension, XR_WAYMARK_PLACEMENTS_EXTENSION_NAME) == 0;
}

/* What the program asks for without what the layer provides, and with the conversion of times where `with_time`.
 * Futures are left to the runtime with `with_future`. Returns the number of names. */
static uint32_t extensions_below(
    const XrInstanceCreateInfo *info, const char **names, bool with_time, bool with_future)
{
    uint32_t index, count = 0;
    for (index = 0; index < info->enabledExtensionCount; index++) {
        const char *name = info->enabledExtensionNames[index];
        if (is_own(name) || strcmp(name, XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME) == 0 ||
            (strcmp(name, XR_EXT_FUTURE_EXTENSION_NAME) == 0 && !with_future))
            continue;
        names[count++] = name;
    }
    if (with_time)
        names[count++] = XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME;
    return count;
}

static bool asks_for(const XrInstanceCreateInfo *info, const char *extension)
{
    uint32_t index;
    for (index = 0; index < info->enabledExtensionCount; index++)
        if (strcmp(info->enabledExtensionNames[index], extension) == 0)
            return true;
    return false;
}

static bool names_are_there(const XrInstanceCreateInfo *info)
{
    uint32_t index;
    if (info->enabledExtensionCount > 1024 || (info->enabledExtensionCount > 0 && !info->enabledExtensionNames))
        return false;
    for (index = 0; index < info->enabledExtensionCount; index++)
        if (!info->enabledExtensionNames[index])
            return false;
    return true;
}

/* Makes the instance below, with as much as the runtime has of what the layer would like. A layer in between need not
 * say what there is before it has an instance, so that this is found out by trying. */
static XrResult create_below(
    const XrInstanceCreateInfo *info, const struct loader_create_info *layer_info, XrInstance *instance)
{
    const bool wants_time = asks_for(info, XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME);
    const bool needs_time = the_instance.settings.mode != LAYER_MODE_OFF;
    const bool wants_future = asks_for(info, XR_EXT_FUTURE_EXTENSION_NAME);
    const char **names = calloc((size_t)info->enabledExtensionCount + 1, sizeof *names);
    struct loader_create_info below = *layer_info;
    XrInstanceCreateInfo own = *info;
    XrResult result = XR_ERROR_EXTENSION_NOT_PRESENT;
    int attempt;
    if (!names)
        return XR_ERROR_OUT_OF_MEMORY;
    below.next_info = layer_info->next_info->next;
    own.enabledExtensionNames = names;
    for (attempt = 0; attempt < 4; attempt++) {
        const bool with_time = wants_time || (needs_time && attempt < 2);
        /* With geospatial the futures of the layer are likely to be all that is wanted. */
        const bool with_future = wants_future && (attempt % 2 == 1) == the_instance.has_geospatial;
        if ((attempt >= 2 && (wants_time || !needs_time)) || (attempt % 2 == 1 && !wants_future))
            continue;
        own.enabledExtensionCount = extensions_below(info, names, with_time, with_future);
        result = layer_info->next_info->next_create_instance(&own, &below, instance);
        if (result != XR_ERROR_EXTENSION_NOT_PRESENT && result != EXTENSION_DEPENDENCY_NOT_ENABLED)
            break;
    }
    free(names);
    return result;
}

static void read_requests(const XrInstanceCreateInfo *info)
{
    the_instance.has_placements = asks_for(info, XR_WAYMARK_PLACEMENTS_EXTENSION_NAME);
    the_instance.has_geospatial =
        the_instance.has_placements || asks_for(info, XR_ANDROID_GEOSPATIAL_EXTENSION_NAME);
    the_instance.has_future = the_instance.has_geospatial || asks_for(info, XR_EXT_FUTURE_EXTENSION_NAME);
}

/* The layer is in the way of nothing: what it cannot do is the runtime's. */
static void look_at_runtime(void)
{
    if (the_instance.settings.mode == LAYER_MODE_OFF || the_instance.next.convert_timespec)
        return;
    fprintf(
        stderr, "waymark-openxr: the runtime has no %s, without which poses have no time: it tracks alone\n",
        XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME);
    the_instance.settings.mode = LAYER_MODE_OFF;
}

/* They last as long as the library: a thread may come to one of a session that has ended. */
static void make_locks(void)
{
    static bool are_made;
    int index;
    for (index = 0; index < MOST_SESSIONS && !are_made; index++) {
        (void)pthread_mutex_init(&the_instance.sessions[index].lock, NULL);
        (void)pthread_mutex_init(&the_instance.sessions[index].frame_lock, NULL);
    }
    are_made = true;
}

static XRAPI_ATTR XrResult XRAPI_CALL create_instance(
    const XrInstanceCreateInfo *info, const struct loader_create_info *layer_info, XrInstance *instance)
{
    XrResult result;
    bool is_outermost;
    if (!info || !layer_info || !instance || layer_info->structure != LOADER_STRUCTURE_CREATE_INFO ||
        !layer_info->next_info || layer_info->next_info->structure != LOADER_STRUCTURE_NEXT_INFO ||
        !layer_info->next_info->next_create_instance || !layer_info->next_info->next_get_instance_proc_addr ||
        !names_are_there(info))
        return XR_ERROR_INITIALIZATION_FAILED;
    if (the_instance.handle != XR_NULL_HANDLE)
        return XR_ERROR_LIMIT_REACHED;
    is_outermost = !the_instance.is_being_made;
    if (is_outermost) {
        the_instance.is_being_made = true;
        make_locks();
        the_instance.settings = settings_read();
        read_requests(info);
    }
    result = create_below(info, layer_info, instance);
    /* A layer whose manifest lies in two folders is in the chain twice, and the lower one has done the work. */
    if (XR_SUCCEEDED(result) && the_instance.handle == XR_NULL_HANDLE) {
        memset(&the_instance.next, 0, sizeof the_instance.next);
        the_instance.next.get_instance_proc_addr = layer_info->next_info->next_get_instance_proc_addr;
        find_next_functions(*instance);
        look_at_runtime();
        the_instance.handle = *instance;
        if (!has_core_functions(&the_instance.next)) {
            (void)destroy_instance(*instance);
            result = XR_ERROR_INITIALIZATION_FAILED;
        }
    }
    if (is_outermost)
        the_instance.is_being_made = false;
    return result;
}

static XRAPI_ATTR XrResult XRAPI_CALL destroy_instance(XrInstance instance)
{
    const PFN_xrDestroyInstance destroy = the_instance.next.destroy_instance;
    int index;
    if (instance == XR_NULL_HANDLE || instance != the_instance.handle)
        return XR_ERROR_HANDLE_INVALID;
    for (index = 0; index < MOST_SESSIONS; index++)
        if (the_instance.sessions[index].handle != XR_NULL_HANDLE)
            session_end(&the_instance.sessions[index]);
    spaces_forget(NULL);
    the_instance.handle = XR_NULL_HANDLE;
    /* The runtime may be unloaded before this library is. */
    memset(&the_instance.next, 0, sizeof the_instance.next);
    return destroy ? destroy(instance) : XR_ERROR_RUNTIME_FAILURE;
}

EXPORTED XRAPI_ATTR XrResult XRAPI_CALL xrNegotiateLoaderApiLayerInterface(
    const struct loader_info *loader, const char *name, struct loader_layer_request *request);

EXPORTED XRAPI_ATTR XrResult XRAPI_CALL xrNegotiateLoaderApiLayerInterface(
    const struct loader_info *loader, const char *name, struct loader_layer_request *request)
{
    (void)name;
    if (!loader || !request || loader->structure != LOADER_STRUCTURE_INFO || loader->size < sizeof *loader ||
        request->structure != LOADER_STRUCTURE_LAYER_REQUEST || request->size < sizeof *request ||
        loader->min_interface > LOADER_INTERFACE || loader->max_interface < LOADER_INTERFACE)
        return XR_ERROR_INITIALIZATION_FAILED;
    request->layer_interface = LOADER_INTERFACE;
    /* Functions that later versions may add are left to the runtime. */
    request->layer_api = loader->max_api;
    request->get_instance_proc_addr = get_instance_proc_addr;
    request->create_instance = create_instance;
    return XR_SUCCESS;
}
