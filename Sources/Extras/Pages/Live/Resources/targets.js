// Targets that compass and map show in their directions: the next turn and the destination first, then the nearest.

import {line, nameOf, turnSign} from "./words.js";

/** Maximum number of drawn targets. */
const LIMIT = 200;

const SIGNS = {destination: "⚑", route: "↻", anchor: "✚", place: "◆", cluster: "◇", start: "○"};
const RANKS = {nextTurn: 0, destination: 1, route: 2};

const target = (placement, isNext) => ({
    placement, isNext, kind: placement.kind,
    name: placement.kind === "turn" && !isNext ? "" : nameOf(placement),
    sign: placement.kind === "turn" ? turnSign(placement.maneuver, placement.side)
        : placement.favorite ? "★" : SIGNS[placement.kind] ?? "✚",
    rank: RANKS[isNext ? "nextTurn" : placement.kind] ?? 3,
    way: line(placement.alongRouteText ?? placement.distanceText)});

/** Targets of a scene, most important first. */
export const targetsOf = (state) => {
    const all = [...state.placements.values()].filter(({lock, kind}) =>
        lock === "scene" && kind !== "arrow" && kind !== "node");
    const turns = all.filter((each) => each.kind === "turn");
    const along = (turn) => turn?.alongRoute ?? Infinity;
    const next = turns.reduce((best, each) => along(each) < along(best) ? each : best, undefined);
    return all.map((each) => target(each, each === next))
        .sort((a, b) => a.rank - b.rank || a.placement.distance - b.placement.distance).slice(0, LIMIT);
};
