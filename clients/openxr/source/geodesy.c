#include "geodesy.h"

#define DEGREE (3.14159265358979323846 / 180)

/* WGS84 (NIMA TR8350.2): half the equator's diameter (m), and the flattening. */
#define EQUATOR 6378137.0
#define FLATTENING (1 / 298.257223563)
#define ECCENTRICITY_SQUARE (FLATTENING * (2 - FLATTENING))

struct pose earth_from_east_up_south(struct geographic point)
{
    const double latitude = point.latitude * DEGREE, longitude = point.longitude * DEGREE, half = sqrt(0.5);
    const double sine = sin(latitude), cosine = cos(latitude);
    const double normal = EQUATOR / sqrt(1 - ECCENTRICITY_SQUARE * sine * sine);
    /* At latitude and longitude 0 east is y, up x and south −z. */
    const struct quaternion origin = {half, half, 0, 0};
    const struct quaternion to_latitude = {0, sin(-latitude / 2), 0, cos(latitude / 2)};
    const struct quaternion to_longitude = {0, 0, sin(longitude / 2), cos(longitude / 2)};
    return (struct pose){
        quaternion_product(to_longitude, quaternion_product(to_latitude, origin)),
        {(normal + point.height) * cosine * cos(longitude), (normal + point.height) * cosine * sin(longitude),
         (normal * (1 - ECCENTRICITY_SQUARE) + point.height) * sine}};
}

struct geographic geographic_of_earth(struct vector position)
{
    const double pole = EQUATOR * (1 - FLATTENING), second = ECCENTRICITY_SQUARE / (1 - ECCENTRICITY_SQUARE);
    const double across = hypot(position.x, position.y);
    double reduced = atan2(position.z * EQUATOR, across * pole), latitude = 0, normal;
    int step;
    /* One step leaves a micrometre near the ground; the others serve what is far away. */
    for (step = 0; step < 4; step++) {
        const double sine = sin(reduced), cosine = cos(reduced);
        latitude = atan2(
            position.z + second * pole * sine * sine * sine,
            across - ECCENTRICITY_SQUARE * EQUATOR * cosine * cosine * cosine);
        reduced = atan2((1 - FLATTENING) * sin(latitude), cos(latitude));
    }
    normal = EQUATOR / sqrt(1 - ECCENTRICITY_SQUARE * sin(latitude) * sin(latitude));
    return (struct geographic){
        latitude / DEGREE, atan2(position.y, position.x) / DEGREE,
        across * cos(latitude) + position.z * sin(latitude) -
            normal * (1 - ECCENTRICITY_SQUARE * sin(latitude) * sin(latitude))};
}
