// Lines of the floor plan on which the wearer is tracked: the level in use, around the wearer.

import {LocalPlane} from "./geometry.js";

/** Distance from the last request's position after which the lines are requested again. Unit: metres. */
const MOVED = 60;
/** Maximum number of points that are kept, whatever a daemon sends. */
const LIMIT = 20_000;

export class PlanLines {
    /** Increases when the drawing changes. */
    version = 0;
    /** Plan and level of the lines; null if there are none. */
    use = null;
    #lines = [];
    #origin = null;
    /** The last drawing, with its plane. */
    #drawn = {plane: null, version: 0, lines: []};

    forget() {
        if (this.use === null) return;
        this.use = null;
        this.#lines = [];
        this.#origin = null;
        this.version += 1;
    }

    /** Requests the lines of the plan in the daemon's status, if they are missing. */
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
    let left = 2 * LIMIT;
    return lines.filter(({points}) => (left -= points.length) >= 0);
};

const paired = (points, east, north) => {
    const made = [];
    for (let index = 0; index + 1 < points.length; index += 2) {
        made.push({east: points[index] + east, north: points[index + 1] + north});
    }
    return made;
};
