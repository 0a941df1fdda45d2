// Vectors, quaternions and positions on the earth. The scene has X east, Y up, Z south; the body looks along -z.

import {wrapped} from "./figures.js";

export const RADIANS = Math.PI / 180;
const DEGREES = 180 / Math.PI;

/** Seconds of CLOCK_BOOTTIME. */
export const seconds = (time) => time.sec + time.nsec * 1e-9;

/** Rotates a vector by a quaternion of length 1, into `out`. */
const rotate = (q, x, y, z, out) => {
    const tx = 2 * (q.y * z - q.z * y), ty = 2 * (q.z * x - q.x * z), tz = 2 * (q.x * y - q.y * x);
    out.x = x + q.w * tx + q.y * tz - q.z * ty;
    out.y = y + q.w * ty + q.z * tx - q.x * tz;
    out.z = z + q.w * tz + q.x * ty - q.y * tx;
    return out;
};

/** Offset of a placement from the eye, in the scene's axes, into `out`; one locked to the head moves with it. */
export const offsetFromEye = (placement, pose, out) => {
    const p = placement.position;
    if (placement.lock === "head") return rotate(pose.orientation, p.x, p.y, p.z, out);
    out.x = p.x - pose.position.x;
    out.y = p.y - pose.position.y;
    out.z = p.z - pose.position.z;
    return out;
};

/** Azimuth of a direction in the scene, clockwise from -Z. Unit: degrees. */
export const azimuth = (x, z) => Math.atan2(x, -z) * DEGREES;

const sight = {x: 0, y: 0, z: 0};

/** Bearing minus azimuth in the scene, from the heading of a pose; undefined while it is unknown. Unit: degrees. */
export const northOffset = (pose) => {
    if (pose.heading === undefined) return undefined;
    rotate(pose.orientation, 0, 0, -1, sight);
    return pose.heading - azimuth(sight.x, sight.z);
};

// WGS84.
const AXIS = 6378137, ECCENTRICITY = 0.00669437999014;

/** A tangent plane: metres east and north of its origin, accurate up to some kilometres. */
export class LocalPlane {
    constructor(origin) {
        this.origin = origin;
        const sine = Math.sin(origin.latitude * RADIANS), root = Math.sqrt(1 - ECCENTRICITY * sine * sine);
        this.north = RADIANS * AXIS * (1 - ECCENTRICITY) / root ** 3;
        this.east = RADIANS * AXIS / root * Math.cos(origin.latitude * RADIANS);
    }

    point(geo) {
        return {
            east: wrapped(geo.longitude - this.origin.longitude) * this.east,
            north: (geo.latitude - this.origin.latitude) * this.north};
    }

    geo(east, north) {
        return {
            latitude: this.origin.latitude + north / this.north,
            longitude: wrapped(this.origin.longitude + east / this.east)};
    }
}
