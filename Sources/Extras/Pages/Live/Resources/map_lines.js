// Lines on the map that are requested from the daemon: the route, and the lines of the floor plan on which the wearer
// is tracked.

import {LocalPlane} from "./geometry.js";

/** Distance from where they were asked for after which to ask again. Unit: metres. */
const MOVED = 60;
/** Largest number of points that are kept, whatever a daemon sends. */
const PLAN_LIMIT = 20_000;

/** Lines of the level in use, around the wearer. */
export class PlanLines {
    /** Changes with what is to be drawn. */
    version = 0;
    /** Plan and level of the lines; null without any. */
    use = null;
    #lines = [];
    #origin = null;
    /** What was drawn last, on its plane. */
    #drawn = {plane: null, version: 0, lines: []};

    forget() {
        if (this.use === null) return;
        this.use = null;
        this.#lines = [];
        this.#origin = null;
        this.version += 1;
    }

    /** Asks for the lines of the plan in the daemon's status where they are not here yet. */
    async follow(use, geo, caller) {
        if (!use || use.state === "unfit") return this.forget();
        if (!geo || !this.#isOther(use, geo)) return;
        const near = {latitude: geo.latitude, longitude: geo.longitude};
        const reply = await caller.call("org.waymark.Plan.GetLines", {id: use.plan, level: use.level, near});
        if (!reply) return this.forget();
        this.use = use;
        this.#origin = near;
        this.#lines = bounded(reply.lines);
        this.version += 1;
    }

    /** Lines with their kinds and with points in metres east and north of a plane's origin. */
    drawn(plane) {
        if (this.#drawn.plane !== plane || this.#drawn.version !== this.version) {
            const {east, north} = this.#origin ? plane.point(this.#origin) : {};
            const lines = this.#lines.map(({kind, points}) => ({kind, points: paired(points, east, north)}));
            this.#drawn = {plane, version: this.version, lines};
        }
        return this.#drawn.lines;
    }

    #isOther(use, geo) {
        if (use.plan !== this.use?.plan || use.level !== this.use.level) return true;
        const {east, north} = new LocalPlane(this.#origin).point(geo);
        return Math.hypot(east, north) > MOVED;
    }
}

const bounded = (lines) => {
    let left = 2 * PLAN_LIMIT;
    return lines.filter(({points}) => (left -= points.length) >= 0);
};

const paired = (points, east, north) => {
    const made = [];
    for (let index = 0; index + 1 < points.length; index += 2) {
        made.push({east: points[index] + east, north: points[index + 1] + north});
    }
    return made;
};

/** Number of vertices by call, and the largest number that is shown. */
const PART = 5000, ROUTE_LIMIT = 100_000;

/** The line of the route, which is asked for again when another route is followed. */
export class RouteLine {
    /** Increases with each other line. */
    version = 0;
    #vertices = [];
    #points = null;
    #key = "";

    /** Follows the route of a scene message, which may be absent. */
    async follow(route, caller) {
        const key = route ? `${route.id} ${route.name} ${route.length} ${route.vertices}` : "";
        if (key === this.#key) return;
        this.#key = key;
        const vertices = route ? await this.#load(caller, key) : [];
        if (key !== this.#key) return;
        // A call that failed is repeated.
        if (!vertices) return void (this.#key = "");
        this.#vertices = vertices;
        this.#points = null;
        this.version += 1;
    }

    async #load(caller, key) {
        const found = [];
        while (found.length < ROUTE_LIMIT && key === this.#key) {
            const reply = await caller.call("org.waymark.Scene.GetRoute", {from: found.length, limit: PART});
            if (!reply) return undefined;
            found.push(...reply.vertices);
            if (reply.vertices.length < PART) break;
        }
        return found;
    }

    /** The vertices in metres of a plane. */
    points(plane) { return this.#points ??= this.#vertices.map((vertex) => plane.point(vertex)); }
}
