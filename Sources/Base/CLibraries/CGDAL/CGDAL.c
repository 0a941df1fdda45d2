#include "CGDAL.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "GDAL.h"

/* Values from GDAL's headers. */
#define OPEN_RASTER_WITH_ERRORS 0x42
#define READ 0
#define FLOAT32 6

struct cgdal_raster {
    const gdal_library *gdal;
    GDALDatasetH dataset;
};

/* Formats of elevation models that contain the heights themselves and do not refer to other files. */
static const char *const drivers[] = {"GTiff", "AAIGrid", "DTED", "HFA", "SRTMHGT", "USGSDEM", NULL};

static cgdal_outcome fail(const gdal_library *gdal, const char *words, char *problem, size_t size) {
    const char *said = gdal->CPLGetLastErrorMsg();
    if (said == NULL || said[0] == '\0') said = words;
    snprintf(problem, size, "%s", said);
    return CGDAL_FAILED;
}

static GDALDatasetH warp(cgdal_raster *raster, const char *const *arguments) {
    const gdal_library *gdal = raster->gdal;
    GDALWarpAppOptions *options = gdal->GDALWarpAppOptionsNew((char **)arguments, NULL);
    if (options == NULL) return NULL;
    int usage_error = 0;
    GDALDatasetH warped = gdal->GDALWarp("", NULL, 1, &raster->dataset, options, &usage_error);
    gdal->GDALWarpAppOptionsFree(options);
    return warped;
}

/* Measures the extent that the raster would have if GDAL warped it to axes along meridians and parallels. */
static cgdal_outcome measure(cgdal_raster *raster, cgdal_extent *extent, char *problem, size_t size) {
    const gdal_library *gdal = raster->gdal;
    static const char *const arguments[] = {"-of", "VRT", "-t_srs", "EPSG:4326", NULL};
    GDALDatasetH warped = warp(raster, arguments);
    double t[6];
    if (warped == NULL) return fail(gdal, "it has no place on the earth", problem, size);
    const bool has_place = gdal->GDALGetGeoTransform(warped, t) == 0;
    const int width = gdal->GDALGetRasterXSize(warped), height = gdal->GDALGetRasterYSize(warped);
    gdal->GDALClose(warped);
    if (!has_place) return fail(gdal, "it has no place on the earth", problem, size);
    *extent = (cgdal_extent){
        .south = t[3] + t[5] * (height - 0.5), .north = t[3] + t[5] * 0.5, .west = t[0] + t[1] * 0.5,
        .east = t[0] + t[1] * (width - 0.5), .row_spacing = -t[5], .column_spacing = t[1]};
    return CGDAL_DONE;
}

static bool is_metric(const char *unit) {
    static const char *const names[] = {"", "m", "metre", "meter", "metres", "meters"};
    for (size_t index = 0; unit != NULL && index < sizeof names / sizeof *names; index++) {
        if (strcasecmp(unit, names[index]) == 0) return true;
    }
    return unit == NULL;
}

static cgdal_outcome check(cgdal_raster *raster, cgdal_extent *extent, char *problem, size_t size) {
    const gdal_library *gdal = raster->gdal;
    if (gdal->GDALGetRasterCount(raster->dataset) < 1) return fail(gdal, "it has no heights", problem, size);
    const GDALRasterBandH band = gdal->GDALGetRasterBand(raster->dataset, 1);
    if (gdal->GDALGetRasterScale(band, NULL) != 1 || gdal->GDALGetRasterOffset(band, NULL) != 0) {
        snprintf(problem, size, "its heights are scaled: make metres of them with gdal_translate -unscale");
        return CGDAL_FAILED;
    }
    const char *unit = gdal->GDALGetRasterUnitType(band);
    if (!is_metric(unit)) {
        snprintf(problem, size, "its heights are in '%.20s': convert them to metres", unit);
        return CGDAL_FAILED;
    }
    return measure(raster, extent, problem, size);
}

cgdal_outcome cgdal_open(const char *path, cgdal_raster **raster, cgdal_extent *extent, char *problem, size_t size) {
    const gdal_library *gdal = gdal_library_open(problem, size);
    if (gdal == NULL) return CGDAL_NO_LIBRARY;
    gdal->CPLErrorReset();
    cgdal_raster *opened = calloc(1, sizeof *opened);
    if (opened == NULL) return fail(gdal, "out of memory", problem, size);
    opened->gdal = gdal;
    opened->dataset = gdal->GDALOpenEx(path, OPEN_RASTER_WITH_ERRORS, drivers, NULL, NULL);
    cgdal_outcome outcome = opened->dataset == NULL
                                ? fail(gdal, "it is no raster of a known format", problem, size)
                                : check(opened, extent, problem, size);
    if (outcome != CGDAL_DONE) {
        cgdal_close(opened);
        return outcome;
    }
    *raster = opened;
    return CGDAL_DONE;
}

cgdal_outcome cgdal_heights(
    cgdal_raster *raster, double south, double west, double edge, int rows, int columns, float *heights, char *problem,
    size_t size) {
    const gdal_library *gdal = raster->gdal;
    /* GDAL's extent reaches to the outer edges of the pixels, but the samples are in their centres. */
    const double half_row = edge / rows / 2, half_column = edge / columns / 2;
    const double box[4] = {west - half_column, south - half_row, west + edge + half_column, south + edge + half_row};
    char numbers[6][40];
    for (int index = 0; index < 4; index++) snprintf(numbers[index], sizeof numbers[index], "%.12f", box[index]);
    snprintf(numbers[4], sizeof numbers[4], "%d", columns + 1);
    snprintf(numbers[5], sizeof numbers[5], "%d", rows + 1);
    const char *const arguments[] = {
        "-of", "MEM", "-t_srs", "EPSG:4326", "-te", numbers[0], numbers[1], numbers[2], numbers[3], "-ts", numbers[4],
        numbers[5], "-r", "bilinear", "-ot", "Float32", "-dstnodata", "nan", NULL};
    gdal->CPLErrorReset();
    GDALDatasetH warped = warp(raster, arguments);
    if (warped == NULL) return fail(gdal, "it cannot be resampled", problem, size);
    const int code = gdal->GDALRasterIO(
        gdal->GDALGetRasterBand(warped, 1), READ, 0, 0, columns + 1, rows + 1, heights, columns + 1, rows + 1,
        FLOAT32, 0, 0);
    gdal->GDALClose(warped);
    return code == 0 ? CGDAL_DONE : fail(gdal, "it cannot be read", problem, size);
}

void cgdal_close(cgdal_raster *raster) {
    if (raster->dataset != NULL) raster->gdal->GDALClose(raster->dataset);
    free(raster);
}
