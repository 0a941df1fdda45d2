/* The layer's geometry, geodesy, slews and published values, compiled into this program: laws over many arguments. With
 * the word `geodesy` it converts what stands on its input, for comparison with figures of others; with `published` it
 * alone writes and reads by several threads, for the thread sanitizer. */
#include "check.h"
#include "geodesy.h"
#include "snapshot.h"

#include <pthread.h>
#include <string.h>

#define PI 3.14159265358979323846

static double between(double least, double most)
{
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return least + (most - least) * (double)(state >> 11) / 9007199254740992.0;
}

static struct vector any_vector(double farthest)
{
    return (struct vector){between(-farthest, farthest), between(-farthest, farthest), between(-farthest, farthest)};
}

static struct pose any_pose(double farthest)
{
    return (struct pose){quaternion_of_rotation(any_vector(3)), any_vector(farthest)};
}

static double distance(struct vector a, struct vector b)
{
    return vector_length(vector_difference(a, b));
}

static double angle(struct quaternion a, struct quaternion b)
{
    return vector_length(quaternion_rotation(quaternion_product(quaternion_conjugate(a), b)));
}

/* A vector turned about an axis by an angle, by the formula of Rodrigues. */
static struct vector turned(struct vector axis, double by, struct vector v)
{
    const double dot = axis.x * v.x + axis.y * v.y + axis.z * v.z;
    return vector_sum(
        vector_sum(vector_scaled(v, cos(by)), vector_scaled(vector_cross(axis, v), sin(by))),
        vector_scaled(axis, dot * (1 - cos(by))));
}

static void check_rotations(void)
{
    int round;
    for (round = 0; round < 2000; round++) {
        const struct vector rotation = any_vector(round % 10 == 0 ? 1e-7 : 3), v = any_vector(10);
        const double by = vector_length(rotation);
        const struct vector axis = vector_scaled(rotation, 1 / by);
        const struct quaternion q = quaternion_of_rotation(rotation), other = quaternion_of_rotation(any_vector(3));
        CHECK(distance(quaternion_turned(q, v), turned(axis, by, v)) < 1e-12, "a turned vector");
        CHECK(distance(
                quaternion_turned(quaternion_product(q, other), v),
                quaternion_turned(q, quaternion_turned(other, v))) < 1e-12, "the second factor turns first");
        CHECK(by > PI || distance(quaternion_rotation(q), rotation) < 1e-9, "a rotation there and back");
        CHECK(vector_length(quaternion_rotation(q)) <= PI + 1e-9, "more than half a turn");
    }
    for (round = 0; round < 100; round++) {
        const double yaw = between(-PI, PI);
        const struct vector ahead = quaternion_turned(quaternion_of_yaw(yaw), (struct vector){0, 0, -1});
        /* Counter-clockwise from above: from north to the west. */
        CHECK(fabs(ahead.x + sin(yaw)) < 1e-12 && fabs(ahead.z + cos(yaw)) < 1e-12, "a yaw");
        CHECK(fabs(remainder(quaternion_yaw(quaternion_of_yaw(yaw)) - yaw, 2 * PI)) < 1e-12, "a yaw there and back");
    }
    CHECK(angle(quaternion_normal((struct quaternion){0, 0, 0, 0}), NO_ROTATION) == 0, "no rotation");
    CHECK(!pose_is_sound((XrPosef){{0, 0, 0, NAN}, {0, 0, 0}}) && !pose_is_sound((XrPosef){{0, 0, 0, 0}, {0, 0, 0}}) &&
        !pose_is_sound((XrPosef){{0, 0, 0, 1}, {0, INFINITY, 0}}) &&
        !pose_is_sound((XrPosef){{1e30f, 0, 0, 1}, {0, 0, 0}}) &&
        pose_is_sound((XrPosef){{0, 0, 0, 1}, {1, 2, 3}}), "a sound pose");
}

/* Where something that moves evenly is after a short while. */
static struct pose later(struct motion motion, double seconds)
{
    return (struct pose){
        quaternion_product(quaternion_of_rotation(vector_scaled(motion.angular, seconds)), motion.pose.orientation),
        vector_sum(motion.pose.position, vector_scaled(motion.linear, seconds))};
}

static void check_motion(const char *what, struct motion motion, struct pose before, struct pose after, double seconds)
{
    const struct vector linear = vector_scaled(vector_difference(after.position, before.position), 1 / seconds);
    const struct vector angular = vector_scaled(
        quaternion_rotation(quaternion_product(after.orientation, quaternion_conjugate(before.orientation))),
        1 / seconds);
    const double beside = distance(motion.linear, linear), turned_beside = distance(motion.angular, angular);
    CHECK(beside < 1e-5 && turned_beside < 1e-5, "%s: %g m/s, %g rad/s", what, beside, turned_beside);
}

static void check_motions(void)
{
    const double step = 1e-5;
    int round;
    for (round = 0; round < 500; round++) {
        struct motion b = motion_at_rest(any_pose(10)), c = motion_at_rest(any_pose(10));
        b.linear = any_vector(3);
        b.angular = any_vector(2);
        c.linear = any_vector(3);
        c.angular = any_vector(2);
        c.location = LOCATED;
        const struct motion product = motion_product(b, c), inverse = motion_inverse(b);
        check_motion("a product", product, pose_product(later(b, -step), later(c, -step)),
            pose_product(later(b, step), later(c, step)), 2 * step);
        check_motion(
            "an inverse", inverse, pose_inverse(later(b, -step)), pose_inverse(later(b, step)), 2 * step);
        CHECK(product.location == LOCATED && inverse.location == (LOCATED | TRACKED), "flags");
        const struct motion none = motion_product(b, motion_inverse(b));
        CHECK(vector_length(none.pose.position) < 1e-12 && vector_length(none.linear) < 1e-12 &&
            vector_length(none.angular) < 1e-12, "something in itself");
    }
}

static void check_earth(void)
{
    int round;
    for (round = 0; round < 5000; round++) {
        struct geographic point = {between(-90, 90), between(-180, 180), between(-1000, 20000)}, back;
        struct pose earth;
        struct vector up, east;
        if (round % 50 == 0)
            point.latitude = round % 100 == 0 ? 90 : -90;
        if (round % 50 == 1)
            point.longitude = round % 100 == 1 ? 180 : -180;
        if (round % 50 == 2)
            point.latitude = 0;
        earth = earth_from_east_up_south(point);
        back = geographic_of_earth(earth.position);
        CHECK(distance(earth_from_east_up_south(back).position, earth.position) < 1e-6,
            "%.12f %.12f %.6f there and back", point.latitude, point.longitude, point.height);
        CHECK(fabs(back.latitude - point.latitude) < 1e-11 && fabs(back.height - point.height) < 1e-6, "%.12f %.6f",
            back.latitude - point.latitude, back.height - point.height);
        /* By the axes of the directions' own definitions. */
        const double latitude = point.latitude * PI / 180, longitude = point.longitude * PI / 180;
        up = quaternion_turned(earth.orientation, (struct vector){0, 1, 0});
        east = quaternion_turned(earth.orientation, (struct vector){1, 0, 0});
        CHECK(distance(up, (struct vector){
                cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)}) < 1e-12 &&
            distance(east, (struct vector){-sin(longitude), cos(longitude), 0}) < 1e-12, "axes");
    }
    CHECK(isfinite(geographic_of_earth((struct vector){0, 0, 0}).latitude), "the centre of the earth");
}

static void check_slews(void)
{
    const double fastest_turn = 5 * PI / 180, fastest_shift = 0.5;
    int round;
    for (round = 0; round < 300; round++) {
        const struct pose to = any_pose(100);
        const struct pose away = {
            quaternion_of_rotation(any_vector(round % 3 == 0 ? 3 : 0.2)), any_vector(round % 2 == 0 ? 1 : 30)};
        const struct pose from = {
            quaternion_product(away.orientation, to.orientation), vector_sum(to.position, away.position)};
        const XrTime begin = INT64_C(5000000000);
        const struct slew slew = slew_between(from, to, begin);
        const double turn = angle(from.orientation, to.orientation), shift = distance(from.position, to.position);
        const double needed = fmax(turn / fastest_turn, shift / fastest_shift), seconds = (double)slew.duration * 1e-9;
        const struct pose first = pose_product(slew_at(&slew, begin), to);
        struct pose before = first;
        XrTime time;
        CHECK(angle(first.orientation, from.orientation) < 1e-6 && distance(first.position, from.position) < 1e-9,
            "begins with a jump of %g rad, %g m", angle(first.orientation, from.orientation),
            distance(first.position, from.position));
        CHECK(fabs(seconds - fmin(needed, 10)) < 1e-6, "takes %g s for %g rad, %g m", seconds, turn, shift);
        for (time = begin + 20000000; time < begin + slew.duration + 100000000; time += 20000000) {
            const struct pose now = pose_product(slew_at(&slew, time), to);
            /* Faster only where it would take more than ten seconds. */
            const double haste = fmax(needed / 10, 1) * 1.0001 * 0.02;
            CHECK(angle(before.orientation, now.orientation) <= fastest_turn * haste + 1e-7 &&
                distance(before.position, now.position) <= fastest_shift * haste + 1e-9, "too fast");
            before = now;
        }
        CHECK(angle(before.orientation, to.orientation) < 1e-7 && distance(before.position, to.position) < 1e-9,
            "its end");
        CHECK(angle(slew_at(&slew, 1).orientation, slew_at(&slew, begin).orientation) < 1e-7, "before its begin");
        CHECK(slew_at(&slew, INT64_MAX).orientation.w == 1, "long after it");
    }
}

static void check_alignments(void)
{
    int round;
    for (round = 0; round < 500; round++) {
        const struct pose alignment = {quaternion_of_yaw(between(-PI, PI)), any_vector(50)}, head = any_pose(20);
        const struct pose found = upright_alignment(pose_product(alignment, head), head);
        struct pose other = any_pose(20), carried;
        CHECK(angle(found.orientation, alignment.orientation) < 1e-7 &&
            distance(found.position, alignment.position) < 1e-9, "an upright alignment");
        carried = upright_alignment(head, other);
        CHECK(fabs(carried.orientation.x) + fabs(carried.orientation.z) < 1e-12 &&
            distance(pose_applied(carried, other.position), head.position) < 1e-9, "another head at the same place");
    }
}

/* A value whose words all tell the same number. */
struct value {
    uint64_t words[12];
};

static struct {
    struct published published;
    uint64_t words[PUBLISHED_WORDS(struct value)];
} place;
static bool is_over;

static void *read_always(void *unused)
{
    uint64_t last = 0;
    (void)unused;
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        struct value value;
        size_t word;
        published_read(&place.published, place.words, &value, sizeof value);
        for (word = 1; word < 12; word++)
            CHECK(value.words[word] == value.words[0], "a torn value");
        CHECK(value.words[0] >= last, "an older value");
        last = value.words[0];
    }
    return NULL;
}

static void check_published(void)
{
    pthread_t readers[2];
    uint64_t number;
    size_t word;
    CHECK(pthread_create(&readers[0], NULL, read_always, NULL) == 0, "no thread");
    CHECK(pthread_create(&readers[1], NULL, read_always, NULL) == 0, "no thread");
    for (number = 1; number < 200000; number++) {
        struct value value;
        for (word = 0; word < 12; word++)
            value.words[word] = number;
        published_write(&place.published, place.words, &value, sizeof value);
    }
    __atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
    (void)pthread_join(readers[0], NULL);
    (void)pthread_join(readers[1], NULL);
    /* What is published has whole words. */
    CHECK(sizeof(struct snapshot) % 8 == 0, "%zu", sizeof(struct snapshot));
}

static void convert(void)
{
    struct geographic point;
    while (scanf("%lf %lf %lf", &point.latitude, &point.longitude, &point.height) == 3) {
        const struct vector earth = earth_from_east_up_south(point).position;
        const struct geographic back = geographic_of_earth(earth);
        printf(
            "%.9f %.9f %.9f %.15f %.15f %.9f\n", earth.x, earth.y, earth.z, back.latitude, back.longitude,
            back.height);
    }
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "geodesy") == 0) {
        convert();
    } else if (count == 2 && strcmp(arguments[1], "published") == 0) {
        check_published();
    } else {
        check_rotations();
        check_motions();
        check_earth();
        check_slews();
        check_alignments();
        check_published();
    }
    return 0;
}
