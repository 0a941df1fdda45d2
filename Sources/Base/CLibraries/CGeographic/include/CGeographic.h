#pragma once

#include <stdbool.h>

// Wraps GeographicLib (C++) in C functions, because C++ interoperability would spread to every module that imports it.
// Opaque objects are immutable once created, and thus thread-safe. No exception leaves these functions. Angles are in
// degrees, lengths in metres, positions on WGS84.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct geographic_plane geographic_plane;

// Returns null if out of memory.
geographic_plane *geographic_plane_create(double latitude, double longitude, double height);
void geographic_plane_destroy(geographic_plane *plane);
// Result: east, north, up.
void geographic_plane_forward(
    const geographic_plane *plane, double latitude, double longitude, double height, double enu[3]);
// Result: latitude, longitude, height.
void geographic_plane_reverse(
    const geographic_plane *plane, double east, double north, double up, double geodetic[3]);

// Result: distance, azimuth at the first point, azimuth at the second. Returns false if the library failed.
bool geographic_inverse(
    double latitude1, double longitude1, double latitude2, double longitude2, double result[3]);
// Result: latitude, longitude and azimuth at the destination. Returns false if the library failed.
bool geographic_direct(double latitude, double longitude, double azimuth, double distance, double result[3]);

typedef struct geographic_magnetic_model geographic_magnetic_model;

// Schmidt semi-normalized coefficients up to `degree`, stored column by column (all n for m = 0, then for m = 1, ...);
// the sine arrays begin at m = 1. `cosine_rate` and `sine_rate` are their changes per year. Returns null on failure.
// The first call is not thread-safe, because it fills a table of the library.
geographic_magnetic_model *geographic_magnetic_model_create(
    int degree, double reference_radius, const double *cosine, const double *sine, const double *cosine_rate,
    const double *sine_rate);
void geographic_magnetic_model_destroy(geographic_magnetic_model *model);
// east, north, up in the unit of the coefficients, `years` after their epoch.
void geographic_magnetic_model_field(
    const geographic_magnetic_model *model, double years, double latitude, double longitude, double height,
    double enu[3]);

// Size of the grid of the EGM96 geoid. Its spacing is 30'; rows go from the south pole to the north pole, and columns
// from 180° west to 30' west of that meridian.
enum { GEOGRAPHIC_EGM96_ROWS = 361, GEOGRAPHIC_EGM96_COLUMNS = 720 };
// Height of the geoid above the ellipsoid in metres; row and column must be within the grid.
double geographic_egm96_node(int row, int column);

#ifdef __cplusplus
}
#endif
