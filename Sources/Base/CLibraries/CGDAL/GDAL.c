#include "GDAL.h"

static gdal_library functions;

static bool start(void) {
    functions.CPLSetErrorHandler(functions.CPLQuietErrorHandler);
    /* A raster is a single file, so GDAL reads neither the files beside it nor the network. */
    functions.CPLSetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR");
    functions.CPLSetConfigOption("PROJ_NETWORK", "OFF");
    functions.GDALAllRegister();
    return true;
}

/* Versions of Debian 12 and Debian 13, and those in between. The newest installed version is used. */
static loaded_library libraries[] = {
    LOADED_LIBRARY("libgdal.so.36", functions, GDAL_FUNCTIONS, start),
    LOADED_LIBRARY("libgdal.so.35", functions, GDAL_FUNCTIONS, start),
    LOADED_LIBRARY("libgdal.so.34", functions, GDAL_FUNCTIONS, start),
    LOADED_LIBRARY("libgdal.so.33", functions, GDAL_FUNCTIONS, start),
    LOADED_LIBRARY("libgdal.so.32", functions, GDAL_FUNCTIONS, start),
};

const gdal_library *gdal_library_open(char *problem, size_t size) {
    for (size_t index = 0; index < sizeof libraries / sizeof *libraries; index++) {
        if (loaded_library_open(&libraries[index], problem, size)) return &functions;
    }
    return NULL;
}
