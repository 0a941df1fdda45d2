#pragma once
/* Wraps libgps, which parses gpsd's reports, and opens it by dlopen at the first call. Only this shim includes gps.h,
 * because it differs between versions of gpsd. */
#include <stdbool.h>
#include <stdint.h>

enum { CGPS_PATH_SIZE = 128, CGPS_TEXT_SIZE = 256 };

/* Bit mask of a line's contents. */
enum {
    CGPS_FIX = 1,     /* a TPV object: position, velocity, time */
    CGPS_SIGMAS = 2,  /* a GST object: standard deviations */
    CGPS_DEVICES = 4, /* the list of gpsd's receivers */
    CGPS_VERSION = 8, /* gpsd's greeting */
    CGPS_ERROR = 16,  /* gpsd rejected a request */
    CGPS_SKY = 32     /* a SKY object: satellites */
};

/* How a fix was computed. */
enum {
    CGPS_PLAIN = 0, /* from satellites alone, or not reported */
    CGPS_DIFFERENTIAL = 1,
    CGPS_RTK_FIXED = 2,
    CGPS_RTK_FLOAT = 3,
    CGPS_DEAD_RECKONING = 4, /* without satellites */
    CGPS_SIMULATED = 5
};

/* A fix. Values that are not reported are NaN. Lengths are in metres, speeds in m/s, angles in degrees. */
typedef struct cgps_fix {
    /* 0 or 1: no fix, 2: no height, 3: with height. */
    int32_t mode;
    /* CGPS_PLAIN and so on. */
    int32_t solution;
    bool has_time;
    /* UTC, nanoseconds since 1970. */
    int64_t time;
    double latitude, longitude;
    double ellipsoidal_height, sea_level_height;
    /* Height of mean sea level above the ellipsoid. */
    double geoid_separation;
    /* Direction of motion, clockwise from true north. */
    double track, speed, climb;
    double velocity_north, velocity_east, velocity_down;
    /* Errors along latitude and longitude, horizontal error, vertical error; gpsd does not report their confidence. */
    double latitude_error, longitude_error, horizontal_error, vertical_error;
    /* Spatial position error, from receivers that report one. */
    double position_error;
    /* Velocity error, from receivers that report one. */
    double velocity_error;
} cgps_fix;

typedef struct cgps_sigmas {
    bool has_time;
    int64_t time;
    /* Standard deviations, metres. */
    double latitude, longitude, height;
    /* Semi-axes of the error ellipse, and direction of the major axis, clockwise from true north. */
    double major, minor, orientation;
} cgps_sigmas;

typedef struct cgps_report {
    uint32_t contents;
    /* Path of the receiver; empty if not reported. */
    char device[CGPS_PATH_SIZE];
    cgps_fix fix;
    cgps_sigmas sigmas;
    int32_t device_count;
    /* For CGPS_SKY: number of satellites used; 0 if the receiver does not report which ones it uses. */
    int32_t satellites_used;
    /* Release for CGPS_VERSION, gpsd's message for CGPS_ERROR. */
    char text[CGPS_TEXT_SIZE];
} cgps_report;

typedef struct cgps_parser cgps_parser;

/* NULL if out of memory. */
cgps_parser *cgps_parser_new(void);
void cgps_parser_free(cgps_parser *parser);

/* Parses one line, which is zero-terminated and has no line end. The report of a malformed line has no contents. */
void cgps_parse(cgps_parser *parser, const char *line, cgps_report *report);
