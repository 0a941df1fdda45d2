#define _POSIX_C_SOURCE 200809L
#include "CGPS.h"

#include <gps.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLoadedLibrary.h"

/* Each version of gps.h belongs to one version of the library, because the layout of its structures changes. */
#if GPSD_API_MAJOR_VERSION == 11
#define LIBGPS "libgps.so.28"
#elif GPSD_API_MAJOR_VERSION == 14
#define LIBGPS "libgps.so.30"
#elif GPSD_API_MAJOR_VERSION == 16
#define LIBGPS "libgps.so.32"
#else
#error "this version of gpsd has no file name of its libgps here; 3.22 (API 11) or newer is needed"
#endif

/* libgps has exported this function since 3.3, but declares it in a header that is not installed. gps_unpack, which is
 * declared, calls it again and again with the same text if the text is not JSON, so one broken line would block the
 * thread for ever. */
int libgps_json_unpack(const char *text, struct gps_data_t *data, const char **end);

/* The functions that are used: name, type, parameters, arguments. */
#define GPS_FUNCTIONS(use) \
    use(gps_clear_fix, void, (struct gps_fix_t *fix), (fix)) \
    use(libgps_json_unpack, int, (const char *text, struct gps_data_t *data, const char **end), (text, data, end))

static struct { GPS_FUNCTIONS(LOADED_MEMBER) } functions;
static loaded_library library = LOADED_LIBRARY(LIBGPS, functions, GPS_FUNCTIONS, NULL);

GPS_FUNCTIONS(LOADED_FORWARD)

struct cgps_parser {
    /* Tens of kilobytes: allocated once and never copied. */
    struct gps_data_t data;
    /* Whether this libgps confuses the accuracies of position and velocity. */
    bool swaps_accuracies;
};

/* Limit of plausible dates, which also prevents an overflow of the nanoseconds. */
#define LAST_SECOND INT64_C(9000000000)

static bool nanoseconds(struct timespec time, int64_t *result) {
    if (time.tv_sec <= 0 || time.tv_sec > LAST_SECOND) return false;
    if (time.tv_nsec < 0 || time.tv_nsec >= 1000000000) return false;
    *result = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
    return true;
}

static void copy_text(char *target, size_t size, const char *source, size_t source_size) {
    const size_t length = strnlen(source, source_size < size ? source_size : size - 1);
    memcpy(target, source, length);
    target[length] = '\0';
}

/* The number comes from the gpsd that sent the line, whose version may differ from that of gps.h here. The names of the
 * constants differ between 3.22 and 3.25, but their values have been the same since 3.18. Other values come from later
 * versions, and their meaning is unknown. */
static int32_t solution(int status) {
    switch (status) {
    case 2: return CGPS_DIFFERENTIAL;
    case 3: return CGPS_RTK_FIXED;
    case 4: return CGPS_RTK_FLOAT;
    case 5: return CGPS_DEAD_RECKONING;
    case 8: return CGPS_SIMULATED;
    default: return CGPS_PLAIN;
    }
}

static void read_fix(const cgps_parser *parser, uint64_t set, cgps_fix *out) {
    const struct gps_fix_t *fix = &parser->data.fix;
    out->mode = fix->mode;
    out->solution = solution(fix->status);
    out->has_time = (set & TIME_SET) != 0 && nanoseconds(fix->time, &out->time);
    out->latitude = fix->latitude;
    out->longitude = fix->longitude;
    out->ellipsoidal_height = fix->altHAE;
    out->sea_level_height = fix->altMSL;
    out->geoid_separation = fix->geoid_sep;
    out->track = fix->track;
    out->speed = fix->speed;
    out->climb = fix->climb;
    out->velocity_north = fix->NED.velN;
    out->velocity_east = fix->NED.velE;
    out->velocity_down = fix->NED.velD;
    out->latitude_error = fix->epy;
    out->longitude_error = fix->epx;
    out->horizontal_error = fix->eph;
    out->vertical_error = fix->epv;
    /* Not eps: if the receiver reports none, gpsd derives it from position errors, which are unrelated to speed. */
    out->velocity_error = parser->swaps_accuracies ? fix->ecef.pAcc : fix->ecef.vAcc;
    out->position_error = parser->swaps_accuracies ? fix->ecef.vAcc : fix->ecef.pAcc;
}

static void read_sigmas(const struct gst_t *gst, cgps_sigmas *out) {
    out->has_time = nanoseconds(gst->utctime, &out->time);
    out->latitude = gst->lat_err_deviation;
    out->longitude = gst->lon_err_deviation;
    out->height = gst->alt_err_deviation;
    out->major = gst->smajor_deviation;
    out->minor = gst->sminor_deviation;
    out->orientation = gst->smajor_orientation;
}

cgps_parser *cgps_parser_new(void) {
    cgps_parser *parser = calloc(1, sizeof *parser);
    if (parser == NULL) return NULL;
    gps_clear_fix(&parser->data.fix);
    /* libgps 3.22 swaps these two fields, and later versions do not. This is tested rather than derived from the
     * version. */
    const char *question = "{\"class\":\"TPV\",\"mode\":3,\"ecefpAcc\":1,\"ecefvAcc\":2}";
    const char *end = question;
    libgps_json_unpack(question, &parser->data, &end);
    parser->swaps_accuracies = parser->data.fix.ecef.pAcc == 2;
    return parser;
}

void cgps_parser_free(cgps_parser *parser) { free(parser); }

void cgps_parse(cgps_parser *parser, const char *line, cgps_report *report) {
    struct gps_data_t *data = &parser->data;
    memset(report, 0, sizeof *report);
    /* libgps keeps the flags of earlier lines. If they were not cleared, a report of errors would repeat the previous
     * fix. */
    data->set = 0;
    data->dev.path[0] = '\0';
    const char *end = line;
    if (line[0] != '{' || libgps_json_unpack(line, data, &end) != 0) return;

    const uint64_t set = data->set;
    copy_text(report->device, sizeof report->device, data->dev.path, sizeof data->dev.path);
    if ((set & MODE_SET) != 0) {
        report->contents |= CGPS_FIX;
        read_fix(parser, set, &report->fix);
    }
    if ((set & GST_SET) != 0) {
        report->contents |= CGPS_SIGMAS;
        read_sigmas(&data->gst, &report->sigmas);
    }
    if ((set & SATELLITE_SET) != 0) {
        report->contents |= CGPS_SKY;
        report->satellites_used = data->satellites_used;
    }
    if ((set & DEVICELIST_SET) != 0) {
        report->contents |= CGPS_DEVICES;
        report->device_count = data->devices.ndevices;
    }
    if ((set & VERSION_SET) != 0) {
        report->contents |= CGPS_VERSION;
        copy_text(report->text, sizeof report->text, data->version.release, sizeof data->version.release);
    }
    if ((set & ERROR_SET) != 0) {
        report->contents |= CGPS_ERROR;
        copy_text(report->text, sizeof report->text, data->error, sizeof data->error);
    }
}
