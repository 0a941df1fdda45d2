#pragma once
/* The functions of GDAL's C interface that are used, with their types from gdal.h, gdal_utils.h and cpl_error.h, which
 * have been stable since GDAL 2.1. The headers are not included, because GDAL's development package depends on those of
 * a hundred libraries. */
#include <stdbool.h>
#include <stddef.h>

#include "CLoadedLibrary.h"

typedef void *GDALDatasetH;
typedef void *GDALRasterBandH;
typedef struct GDALWarpAppOptions GDALWarpAppOptions;

void GDALAllRegister(void);
GDALDatasetH GDALOpenEx(
    const char *path, unsigned flags, const char *const *drivers, const char *const *options,
    const char *const *siblings);
int GDALClose(GDALDatasetH);
int GDALGetRasterCount(GDALDatasetH);
int GDALGetRasterXSize(GDALDatasetH);
int GDALGetRasterYSize(GDALDatasetH);
int GDALGetGeoTransform(GDALDatasetH, double *six);
GDALRasterBandH GDALGetRasterBand(GDALDatasetH, int number);
const char *GDALGetRasterUnitType(GDALRasterBandH);
double GDALGetRasterScale(GDALRasterBandH band, int *is_set);
double GDALGetRasterOffset(GDALRasterBandH band, int *is_set);
int GDALRasterIO(
    GDALRasterBandH, int direction, int x, int y, int width, int height, void *buffer, int buffer_width,
    int buffer_height, int type, int pixel_space, int line_space);
GDALWarpAppOptions *GDALWarpAppOptionsNew(char **arguments, void *for_binary);
void GDALWarpAppOptionsFree(GDALWarpAppOptions *);
GDALDatasetH GDALWarp(
    const char *path, GDALDatasetH destination, int count, GDALDatasetH *sources, const GDALWarpAppOptions *options,
    int *usage_error);
void CPLSetConfigOption(const char *key, const char *value);
void CPLErrorReset(void);
const char *CPLGetLastErrorMsg(void);
void *CPLSetErrorHandler(void (*handler)(int, int, const char *));
void CPLQuietErrorHandler(int, int, const char *);

#define GDAL_FUNCTIONS(use) \
    use(GDALAllRegister) use(GDALOpenEx) use(GDALClose) use(GDALGetRasterCount) use(GDALGetRasterXSize) \
    use(GDALGetRasterYSize) use(GDALGetGeoTransform) use(GDALGetRasterBand) use(GDALGetRasterUnitType) \
    use(GDALGetRasterScale) use(GDALGetRasterOffset) \
    use(GDALRasterIO) use(GDALWarpAppOptionsNew) use(GDALWarpAppOptionsFree) use(GDALWarp) use(CPLSetConfigOption) \
    use(CPLErrorReset) use(CPLGetLastErrorMsg) use(CPLSetErrorHandler) use(CPLQuietErrorHandler)

typedef struct {
    GDAL_FUNCTIONS(LOADED_MEMBER)
} gdal_library;

/* Opens the library at the first call. NULL on failure, with the reason in `problem`. */
const gdal_library *gdal_library_open(char *problem, size_t size);
