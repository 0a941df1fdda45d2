/* What loader and layers exchange: version 1 of the loader's interface, by the layouts of its specification. Debian
 * 12's headers lack them. */
#ifndef LOADER_H
#define LOADER_H

#include "openxr.h"

#include <stddef.h>

#define LOADER_INTERFACE 1u

enum loader_structure {
    LOADER_STRUCTURE_INFO = 1,
    LOADER_STRUCTURE_LAYER_REQUEST = 2,
    LOADER_STRUCTURE_CREATE_INFO = 4,
    LOADER_STRUCTURE_NEXT_INFO = 5
};

struct loader_info {
    enum loader_structure structure;
    uint32_t version;
    size_t size;
    uint32_t min_interface, max_interface;
    XrVersion min_api, max_api;
};

struct loader_create_info;
typedef XrResult(XRAPI_PTR *loader_create_instance)(
    const XrInstanceCreateInfo *info, const struct loader_create_info *layer_info, XrInstance *instance);

struct loader_next_info {
    enum loader_structure structure;
    uint32_t version;
    size_t size;
    char layer_name[XR_MAX_API_LAYER_NAME_SIZE];
    PFN_xrGetInstanceProcAddr next_get_instance_proc_addr;
    loader_create_instance next_create_instance;
    struct loader_next_info *next;
};

struct loader_create_info {
    enum loader_structure structure;
    uint32_t version;
    size_t size;
    void *loader_instance;
    char settings_file[512];
    struct loader_next_info *next_info;
};

struct loader_layer_request {
    enum loader_structure structure;
    uint32_t version;
    size_t size;
    uint32_t layer_interface;
    XrVersion layer_api;
    PFN_xrGetInstanceProcAddr get_instance_proc_addr;
    loader_create_instance create_instance;
};
#endif
