#include "frame.h"
#include "locate.h"

#include <stdlib.h>

/* A layer of a frame, as the runtime is to have it. */
union layer {
    XrCompositionLayerBaseHeader header;
    XrCompositionLayerProjection projection;
    XrCompositionLayerQuad quad;
    XrCompositionLayerCylinderKHR cylinder;
    XrCompositionLayerCubeKHR cube;
    XrCompositionLayerEquirectKHR equirect;
    XrCompositionLayerEquirect2KHR equirect2;
};

/* More layers or views than any runtime takes are left to it as they are. */
#define MOST_LAYERS 256u
#define MOST_VIEWS 1024u

struct frame_memory {
    const XrCompositionLayerBaseHeader *pointers[MOST_LAYERS];
    union layer layers[MOST_LAYERS];
    uint32_t view_count;
    XrCompositionLayerProjectionView views[MOST_VIEWS];
};

void frame_end(struct session *session)
{
    free(session->frame);
    session->frame = NULL;
}

XRAPI_ATTR XrResult XRAPI_CALL layer_wait_frame(XrSession handle, const XrFrameWaitInfo *info, XrFrameState *state)
{
    const XrResult result = the_instance.next.wait_frame(handle, info, state);
    struct session *session = session_find_tracked(handle);
    if (XR_SUCCEEDED(result) && session) {
        __atomic_store_n(&session->follower.display_time, state->predictedDisplayTime, __ATOMIC_RELAXED);
        __atomic_store_n(&session->follower.display_period, state->predictedDisplayPeriod, __ATOMIC_RELAXED);
        follower_update(session);
    }
    return result;
}

/* The size of a layer whose pose is changed; 0 for the others. */
static size_t layer_size(XrStructureType type)
{
    switch ((int)type) {
    case XR_TYPE_COMPOSITION_LAYER_PROJECTION: return sizeof(XrCompositionLayerProjection);
    case XR_TYPE_COMPOSITION_LAYER_QUAD: return sizeof(XrCompositionLayerQuad);
    case XR_TYPE_COMPOSITION_LAYER_CYLINDER_KHR: return sizeof(XrCompositionLayerCylinderKHR);
    case XR_TYPE_COMPOSITION_LAYER_CUBE_KHR: return sizeof(XrCompositionLayerCubeKHR);
    case XR_TYPE_COMPOSITION_LAYER_EQUIRECT_KHR: return sizeof(XrCompositionLayerEquirectKHR);
    case XR_TYPE_COMPOSITION_LAYER_EQUIRECT2_KHR: return sizeof(XrCompositionLayerEquirect2KHR);
    default: return 0;
    }
}

static void carry(XrPosef *pose, struct pose to_runtime)
{
    *pose = pose_to_xr(pose_product(to_runtime, pose_of_xr(*pose)));
}

static bool carry_views(struct frame_memory *memory, XrCompositionLayerProjection *layer, struct pose to_runtime)
{
    XrCompositionLayerProjectionView *views = &memory->views[memory->view_count];
    uint32_t index;
    if (layer->viewCount > MOST_VIEWS - memory->view_count || !layer->views)
        return false;
    for (index = 0; index < layer->viewCount; index++) {
        views[index] = layer->views[index];
        carry(&views[index].pose, to_runtime);
    }
    memory->view_count += layer->viewCount;
    layer->views = views;
    return true;
}

/* A layer, from a space of the program into one of the runtime. */
static bool carry_layer(struct frame_memory *memory, union layer *layer, struct pose to_runtime)
{
    switch ((int)layer->header.type) {
    case XR_TYPE_COMPOSITION_LAYER_PROJECTION: return carry_views(memory, &layer->projection, to_runtime);
    case XR_TYPE_COMPOSITION_LAYER_QUAD: carry(&layer->quad.pose, to_runtime); return true;
    case XR_TYPE_COMPOSITION_LAYER_CYLINDER_KHR: carry(&layer->cylinder.pose, to_runtime); return true;
    case XR_TYPE_COMPOSITION_LAYER_EQUIRECT_KHR: carry(&layer->equirect.pose, to_runtime); return true;
    case XR_TYPE_COMPOSITION_LAYER_EQUIRECT2_KHR: carry(&layer->equirect2.pose, to_runtime); return true;
    default:
        layer->cube.orientation = quaternion_to_xr(quaternion_product(
            to_runtime.orientation, quaternion_of_xr(layer->cube.orientation)));
        return true;
    }
}

/* How a space of the program that is not the runtime's lies in one of the runtime; false where it is nowhere. */
static bool find_way(
    const struct moment *moment, const struct space *space, struct pose runtime_from_scene, XrSpace *base,
    struct pose *to_runtime)
{
    bool is_head_locked = false;
    struct pose in_scene = space->offset;
    if (space->kind == SPACE_PLACEMENT && !moment_placement(moment, space, &in_scene, &is_head_locked))
        return false;
    *base = is_head_locked ? moment->session->view : moment->session->local;
    *to_runtime = is_head_locked ? in_scene : pose_product(runtime_from_scene, in_scene);
    return true;
}

/* The layer itself, or a copy of it that the runtime understands; NULL where its place is not known. */
static const XrCompositionLayerBaseHeader *carried_layer(
    const struct moment *moment, struct frame_memory *memory, union layer *copy,
    const XrCompositionLayerBaseHeader *layer, struct pose runtime_from_scene)
{
    const struct space *space = layer ? space_find(layer->space) : NULL;
    const size_t size = layer ? layer_size(layer->type) : 0;
    struct pose to_runtime;
    XrSpace base;
    if (!space || size == 0 || space->kind == SPACE_HEAD || space->session != moment->session ||
        (moment->track->source == TRACK_NONE && space->kind == SPACE_SCENE))
        return layer;
    if (moment->track->source == TRACK_NONE || !find_way(moment, space, runtime_from_scene, &base, &to_runtime))
        return NULL;
    memcpy(copy, layer, size);
    copy->header.space = base;
    return carry_layer(memory, copy, to_runtime) ? &copy->header : layer;
}

static XrResult end_frame(
    const struct session *session, struct frame_memory *memory, const XrFrameEndInfo *info)
{
    XrFrameEndInfo own = *info;
    struct moment moment;
    struct pose runtime_from_scene = NO_POSE;
    uint32_t index;
    moment_begin(&moment, session, info->displayTime);
    if (moment.track->source != TRACK_NONE)
        runtime_from_scene = moment_runtime_from_scene(&moment);
    memory->view_count = 0;
    own.layerCount = 0;
    for (index = 0; index < info->layerCount; index++) {
        const XrCompositionLayerBaseHeader *layer =
            carried_layer(&moment, memory, &memory->layers[index], info->layers[index], runtime_from_scene);
        if (layer || !info->layers[index])
            memory->pointers[own.layerCount++] = layer;
    }
    own.layers = memory->pointers;
    return the_instance.next.end_frame(session->handle, &own);
}

XRAPI_ATTR XrResult XRAPI_CALL layer_end_frame(XrSession handle, const XrFrameEndInfo *info)
{
    struct session *session = session_find_tracked(handle);
    XrResult result = XR_ERROR_OUT_OF_MEMORY;
    if (!session || !info || info->displayTime <= 0 || !info->layers || info->layerCount == 0 ||
        info->layerCount > MOST_LAYERS)
        return the_instance.next.end_frame(handle, info);
    (void)pthread_mutex_lock(&session->frame_lock);
    if (!session->frame)
        session->frame = calloc(1, sizeof *session->frame);
    if (session->frame)
        result = end_frame(session, session->frame, info);
    (void)pthread_mutex_unlock(&session->frame_lock);
    return result;
}
