// `window.waymark`: what the page shows and how late, for tests and measurements.

/** Offers the values of a page to scripts from outside. */
export const inspect = (page) => {
    globalThis.waymark = {
        /** What the last frame shows: pose and scene as received, and each placement in pixels of the canvas. */
        shown() {
            const {view, canvas} = page.card, {left, top, width, height} = canvas.getBoundingClientRect();
            const message = view?.message ?? null;
            return {
                pose: view?.pose ?? null, moment: view?.moment ?? null, scene: message, placements: view?.shown() ?? [],
                view: {left, top, width, height}, revision: message?.revision ?? null,
                generation: message?.generation ?? null,
                fieldOfView: view?.fieldOfView ?? null, frames: view?.frames ?? 0, poses: page.daemon.poses.count};
        },

        /** The floor plan on the map: its plan, level, and lines in metres about the plane of the map. */
        plan() {
            const {plan, poses} = page.daemon;
            return {use: plan.use, lines: poses.plane ? plan.drawn(poses.plane) : []};
        },

        /** The signs on the map: ids and places in pixels of its canvas. */
        signs: () => page.map.signs.map(({target, x, y}) => ({id: target.placement.id, x, y})),

        /** Boxes of the labels in the view, about their middles in pixels of its canvas. */
        labels: () => page.card.view?.labels() ?? [],

        /** Boxes of the names on the map: left, top, right and bottom in pixels of its canvas. */
        names: () => page.map.names,

        /** Keeps the last frame, or goes on. */
        freeze(isFrozen) { page.isFrozen = isFrozen; },

        /** Boot time (seconds), arrival and drawing (milliseconds since 1970) of the last 600 poses; forgets them. */
        measure: () => page.daemon.poses.measure(),

        /** Objects that the graphics card holds: they do not grow with time. */
        memory: () => ({...page.card.view?.renderer.info.memory})};
};
