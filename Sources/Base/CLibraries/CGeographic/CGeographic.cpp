#include "CGeographic.h"

#include <GeographicLib/Geocentric.hpp>
#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/LocalCartesian.hpp>
#include <GeographicLib/Math.hpp>
#include <GeographicLib/SphericalHarmonic1.hpp>
#include <vector>

using GeographicLib::Geocentric;
using GeographicLib::Geodesic;
using GeographicLib::LocalCartesian;
using GeographicLib::Math;
using GeographicLib::SphericalHarmonic1;

struct geographic_plane {
    LocalCartesian cartesian;
};

// The harmonic sum keeps pointers into the vectors, so this object must never be copied.
struct geographic_magnetic_model {
    std::vector<double> cosine, sine, cosine_rate, sine_rate;
    double reference_radius;
    SphericalHarmonic1 harmonics;

    geographic_magnetic_model(
        int degree, double radius, const double *c, const double *s, const double *c_rate, const double *s_rate)
        : cosine(c, c + cosine_count(degree)), sine(s, s + sine_count(degree)),
          cosine_rate(c_rate, c_rate + cosine_count(degree)), sine_rate(s_rate, s_rate + sine_count(degree)),
          reference_radius(radius),
          harmonics(
              cosine, sine, degree, cosine_rate, sine_rate, degree, radius,
              SphericalHarmonic1::SCHMIDT) {}

    geographic_magnetic_model(const geographic_magnetic_model &) = delete;
    geographic_magnetic_model &operator=(const geographic_magnetic_model &) = delete;

    static int cosine_count(int degree) { return (degree + 1) * (degree + 2) / 2; }
    static int sine_count(int degree) { return cosine_count(degree) - (degree + 1); }
};

geographic_plane *geographic_plane_create(double latitude, double longitude, double height) try {
    return new geographic_plane{LocalCartesian(latitude, longitude, height)};
} catch (...) {
    return nullptr;
}

void geographic_plane_destroy(geographic_plane *plane) { delete plane; }

void geographic_plane_forward(
    const geographic_plane *plane, double latitude, double longitude, double height, double enu[3]) {
    plane->cartesian.Forward(latitude, longitude, height, enu[0], enu[1], enu[2]);
}

void geographic_plane_reverse(
    const geographic_plane *plane, double east, double north, double up, double geodetic[3]) {
    plane->cartesian.Reverse(east, north, up, geodetic[0], geodetic[1], geodetic[2]);
}

bool geographic_inverse(
    double latitude1, double longitude1, double latitude2, double longitude2, double result[3]) try {
    Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, result[0], result[1], result[2]);
    return true;
} catch (...) {
    return false;
}

bool geographic_direct(double latitude, double longitude, double azimuth, double distance, double result[3]) try {
    Geodesic::WGS84().Direct(latitude, longitude, azimuth, distance, result[0], result[1], result[2]);
    return true;
} catch (...) {
    return false;
}

geographic_magnetic_model *geographic_magnetic_model_create(
    int degree, double reference_radius, const double *cosine, const double *sine, const double *cosine_rate,
    const double *sine_rate) try {
    return new geographic_magnetic_model(degree, reference_radius, cosine, sine, cosine_rate, sine_rate);
} catch (...) {
    return nullptr;
}

void geographic_magnetic_model_destroy(geographic_magnetic_model *model) { delete model; }

void geographic_magnetic_model_field(
    const geographic_magnetic_model *model, double years, double latitude, double longitude, double height,
    double enu[3]) {
    double x, y, z;
    Geocentric::WGS84().Forward(latitude, longitude, height, x, y, z);
    double dx, dy, dz;
    model->harmonics(years, x, y, z, dx, dy, dz);
    // The field is the negative gradient of the potential, which the sum gives divided by the reference radius.
    double sin_lat, cos_lat, sin_lon, cos_lon;
    Math::sincosd(latitude, sin_lat, cos_lat);
    Math::sincosd(longitude, sin_lon, cos_lon);
    const double outward = cos_lon * dx + sin_lon * dy;
    enu[0] = -model->reference_radius * (cos_lon * dy - sin_lon * dx);
    enu[1] = -model->reference_radius * (cos_lat * dz - sin_lat * outward);
    enu[2] = -model->reference_radius * (cos_lat * outward + sin_lat * dz);
}
