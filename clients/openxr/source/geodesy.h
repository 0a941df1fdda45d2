/* Between the scene and the earth. */
#ifndef GEODESY_H
#define GEODESY_H

#include "geometry.h"

/* WGS84. Units: degrees, m above the ellipsoid. */
struct geographic {
    double latitude, longitude, height;
};

/* Where the east-up-south frame of a point lies in the earth-centred, earth-fixed frame (IERS: x to longitude 0, z
 * north). */
struct pose earth_from_east_up_south(struct geographic point);

/* The point of the earth at a position of the earth-centred frame, by Bowring (1976). */
struct geographic geographic_of_earth(struct vector position);

#endif
