#pragma once
/* What gpsd reports, unpacked by libgps. Only this shim sees gps.h, which differs between gpsd's versions. */
#include <stdbool.h>
#include <stdint.h>

enum { CGPS_PATH_SIZE = 128, CGPS_TEXT_SIZE = 256 };

/* What a line contained; a sum of these. */
enum {
    CGPS_FIX = 1,     /* a TPV object: position, velocity, time */
    CGPS_SIGMAS = 2,  /* a GST object: standard deviations */
    CGPS_DEVICES = 4, /* the list of gpsd's receivers */
    CGPS_VERSION = 8, /* gpsd's greeting */
    CGPS_ERROR = 16   /* gpsd refused something */
};

/* NaN: not said. Lengths in metres, speeds in m/s, angles in degrees. */
typedef struct cgps_fix {
    /* 0 or 1: no fix, 2: no height, 3: with height. */
    int32_t mode;
    /* Computed from wheels or accelerometers alone, without a satellite. */
    bool is_dead_reckoning;
    bool has_time;
    /* UTC, nanoseconds since 1970. */
    int64_t time;
    double latitude, longitude;
    double ellipsoidal_height, sea_level_height;
    /* Of mean sea level above the ellipsoid. */
    double geoid_separation;
    /* Direction of motion, clockwise from true north. */
    double track, speed, climb;
    double velocity_north, velocity_east, velocity_down;
    /* Errors along latitude and longitude, horizontally, vertically; their confidence is not said. */
    double latitude_error, longitude_error, horizontal_error, vertical_error;
    /* Of the velocity, from receivers that state one themselves. */
    double velocity_error;
} cgps_fix;

typedef struct cgps_sigmas {
    bool has_time;
    int64_t time;
    /* Standard deviations, metres. */
    double latitude, longitude, height;
} cgps_sigmas;

typedef struct cgps_report {
    uint32_t contents;
    /* The receiver that the report is about; empty when not said. */
    char device[CGPS_PATH_SIZE];
    cgps_fix fix;
    cgps_sigmas sigmas;
    int32_t device_count;
    /* Of CGPS_VERSION the release, of CGPS_ERROR what gpsd says. */
    char text[CGPS_TEXT_SIZE];
} cgps_report;

typedef struct cgps_parser cgps_parser;

/* NULL when there is no memory left. */
cgps_parser *cgps_parser_new(void);
void cgps_parser_free(cgps_parser *parser);

/* Unpacks one line, zero-terminated and without its line end; a broken one has no contents. */
void cgps_parse(cgps_parser *parser, const char *line, cgps_report *report);
