// Poses as they arrive: the newest one, the wearer's track, and the latency of messages.

import {LocalPlane, seconds} from "./geometry.js";

/** Duration of the track. Unit: milliseconds. */
const TRACK_DURATION = 600_000;
/** Distance between points of the track. Unit: metres. */
const TRACK_STEP = 0.7;
/** Maximum number of points of the track: ten minutes of a runner. */
const TRACK_LIMIT = 4000;
/** Number of poses kept to measure latencies. */
const MEASURED = 600;

/** Milliseconds since 1970 UTC, with fractions. */
const wallTime = () => performance.timeOrigin + performance.now();

export class Poses {
    /** The newest pose as received; null until there is one. */
    newest = null;
    /** Time of its arrival, as `performance.now()`. Unit: milliseconds. */
    arrival = 0;
    /** The newest scene frame; null until there is one. */
    frame = null;
    /** Number of poses received, and of poses that the daemon skipped because this page read slowly. */
    count = 0;
    missed = 0;
    /** Points of the last ten minutes in the plane of the map, oldest first. */
    track = [];
    /** Plane of the map; null until a position on the earth is known. */
    plane = null;
    #measured = [];

    take(reply) {
        if (reply.frame) this.frame = reply.frame;
        if (!reply.pose) return;
        this.newest = reply.pose;
        this.arrival = performance.now();
        if (this.#measured.length >= MEASURED) this.#measured.shift();
        this.#measured.push({poseTime: seconds(reply.pose.time), arrival: performance.timeOrigin + this.arrival, drawn: 0});
        this.count += 1;
        this.missed += reply.pose.missed ?? 0;
        if (reply.pose.geo) this.#addToTrack(reply.pose.geo);
    }

    /** Drops the newest pose when the connection is lost. */
    reset() {
        this.newest = null;
        this.frame = null;
    }

    /** Current boot time, from the newest pose and the time since its arrival. Unit: seconds. */
    moment(now) { return seconds(this.newest.time) + (now - this.arrival) / 1000; }

    #addToTrack(geo) {
        this.plane ??= new LocalPlane(geo);
        const point = this.plane.point(geo), last = this.track.at(-1), time = this.arrival;
        if (last && Math.hypot(point.east - last.east, point.north - last.north) < TRACK_STEP) return;
        this.track.push({...point, time});
        let old = Math.max(0, this.track.length - TRACK_LIMIT);
        while (this.track[old].time < time - TRACK_DURATION) old += 1;
        if (old > 0) this.track.splice(0, old);
    }

    /** Records that a frame with the newest pose was drawn. */
    drawn(pose) {
        const newest = this.#measured.at(-1);
        if (newest?.poseTime === seconds(pose.time) && !newest.drawn) newest.drawn = wallTime();
    }

    /** Returns and clears the times of the last poses; `drawn` is 0 for poses replaced before a frame. */
    measure() { return this.#measured.splice(0); }
}
