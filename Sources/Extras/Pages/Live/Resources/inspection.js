// `window.waymark`: content of the page and its delay, for tests and measurements.

/** Exposes the values of a page to external scripts. */
export const inspect = (page) => {
    globalThis.waymark = {
        /** Content of the last frame: pose and scene as received, and each placement in pixels of the canvas. */
        shown() {
            const {view, canvas} = page.card, {left, top, width, height} = canvas.getBoundingClientRect();
            const message = view?.message ?? null;
            return {
                pose: view?.pose ?? null, moment: view?.moment ?? null, scene: message, placements: view?.shown() ?? [],
                view: {left, top, width, height}, revision: message?.revision ?? null,
                generation: message?.generation ?? null,
                fieldOfView: view?.fieldOfView ?? null, frames: view?.frames ?? 0, poses: page.daemon.poses.count};
        },

        /** The floor plan on the map: its plan, level, and lines in metres on the plane of the map. */
        plan() {
            const {plan, poses} = page.daemon;
            return {use: plan.use, lines: poses.plane ? plan.drawn(poses.plane) : []};
        },

        /** The signs on the map: ids and places in pixels of its canvas. */
        signs: () => page.map.signs.map(({target, x, y}) => ({id: target.placement.id, x, y})),

        /** Boxes of the labels in the view, given by their middles, in pixels of its canvas. */
        labels: () => page.card.view?.labels() ?? [],

        /** Boxes of the names on the map: left, top, right and bottom in pixels of its canvas. */
        names: () => page.map.names,

        /** Freezes the last frame, or continues. */
        freeze(isFrozen) { page.isFrozen = isFrozen; },

        /** Takes boot time (seconds), arrival and drawing (milliseconds since 1970) of the last 600 poses. */
        measure: () => page.daemon.poses.measure(),

        /** Number of objects on the graphics card, which should not grow with time. */
        memory: () => ({...page.card.view?.renderer.info.memory})};
};
