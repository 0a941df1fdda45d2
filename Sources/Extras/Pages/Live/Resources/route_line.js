// The line of the route, which is requested again when the route changes.

/** Number of vertices per call, and maximum number shown. */
const PART = 5000, LIMIT = 100_000;

export class RouteLine {
    /** Increases with each new line. */
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
        // A failed call is repeated.
        if (!vertices) return void (this.#key = "");
        this.#vertices = vertices;
        this.#points = null;
        this.version += 1;
    }

    async #load(caller, key) {
        const found = [];
        while (found.length < LIMIT && key === this.#key) {
            const reply = await caller.call("org.waymark.Scene.GetRoute", {from: found.length, limit: PART});
            if (!reply) return undefined;
            found.push(...reply.vertices);
            if (reply.vertices.length < PART) break;
        }
        return found;
    }

    /** The vertices in metres on a plane. */
    points(plane) { return this.#points ??= this.#vertices.map((vertex) => plane.point(vertex)); }
}
