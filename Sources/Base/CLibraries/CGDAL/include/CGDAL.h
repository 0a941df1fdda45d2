#pragma once
/* Wraps GDAL to read the heights of a raster by latitude and longitude. Only the command line program opens the
 * library, at the first raster; the daemon, which is the same executable, never loads it or its dependencies. */
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CGDAL_DONE,
    /* GDAL cannot be opened; the reason is in `problem`. */
    CGDAL_NO_LIBRARY,
    /* Any other failure; GDAL's message is in `problem`. */
    CGDAL_FAILED,
} cgdal_outcome;

/* A raster of heights. */
typedef struct cgdal_raster cgdal_raster;

/* Extent of a raster on WGS84, measured to its outermost samples. Unit: degrees. */
typedef struct {
    double south, north, west, east;
    /* Spacing of samples along a meridian and along a parallel. */
    double row_spacing, column_spacing;
} cgdal_extent;

/* Opens the first band of the raster in a file, with the drivers for common elevation models. cgdal_close closes it. */
cgdal_outcome cgdal_open(const char *path, cgdal_raster **raster, cgdal_extent *extent, char *problem, size_t size);

/* Resamples heights to a grid in WGS84 with samples on all four edges, rows from north to south, each from west to
 * east. A height that is not known is NaN. */
cgdal_outcome cgdal_heights(
    cgdal_raster *raster, double south, double west, double edge, int rows, int columns, float *heights, char *problem,
    size_t size);

void cgdal_close(cgdal_raster *raster);

#ifdef __cplusplus
}
#endif
