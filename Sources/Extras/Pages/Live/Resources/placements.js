// Placements by their kind: colours, signs, names, and what compass and map show for them.

import {Theme} from "./theme.js";
import {line} from "./words.js";

export const PAPER = "#10161e", TEXT = "#f5f7fa";
export const ARROW = "#56c4ff";

const COLORS = {
    arrow: ARROW, node: ARROW, start: ARROW, turn: "#ffbe50", route: "#ffbe50", destination: "#ff6262",
    place: "#96e296", cluster: "#c4aaff", anchor: "#ffffff"};

/** Colour of a kind in the view, which is dark. */
export const colorOf = (kind) => COLORS[kind] ?? COLORS.anchor;

/** Names of the style sheet's colours on cards. */
const INKS = {start: "route", turn: "turn", route: "turn", destination: "goal", place: "place", cluster: "cluster"};

/** The style sheet's colours in the scheme of an element. */
export class CardTheme extends Theme {
    /** Colour of a kind of placement on a card. */
    inkOf(kind) { return this[INKS[kind] ?? "anchor"]; }
}

const SIGNS = {destination: "⚑", route: "↻", anchor: "✚", place: "◆", cluster: "◇"};

export const signOf = ({kind, maneuver, side, favorite}) => {
    if (kind === "turn") return turnSign(maneuver, side);
    return kind === "place" && favorite ? "★" : SIGNS[kind] ?? "";
};

/** Sign of a turn. */
export const turnSign = (kind, side) => {
    if (!side) return "↑";
    const isLeft = side === "left";
    switch (kind) {
        case "uturn": return isLeft ? "↶" : "↷";
        case "slight": case "keep": return isLeft ? "↖" : "↗";
        case "sharp": return isLeft ? "↙" : "↘";
        case "roundabout": return "↻";
        default: return isLeft ? "↰" : "↱";
    }
};

/** Name of a placement; that of a cluster is the number of its places. */
export const nameOf = (placement) => {
    const name = line(placement.name);
    return placement.kind === "cluster" ? `${name} places` : name;
};

/** How far a placement is, along the route where it is on it. */
export const wayOf = (placement) => line(placement.alongRouteText ?? placement.distanceText);

/** Largest number of targets. */
const LIMIT = 200;

const RANKS = {nextTurn: 0, destination: 1, route: 2};

const target = (placement, isNext) => ({
    placement, kind: placement.kind, name: placement.kind === "turn" && !isNext ? "" : nameOf(placement),
    sign: signOf(placement) || "○", rank: RANKS[isNext ? "nextTurn" : placement.kind] ?? 3, way: wayOf(placement)});

/** Targets of a scene: the next turn and the destination first, then the nearest. */
export const targetsOf = (state) => {
    const all = [...state.placements.values()].filter(({lock, kind}) =>
        lock === "scene" && kind !== "arrow" && kind !== "node");
    const turns = all.filter((each) => each.kind === "turn");
    const along = (turn) => turn?.alongRoute ?? Infinity;
    const next = turns.reduce((best, each) => along(each) < along(best) ? each : best, undefined);
    return all.map((each) => target(each, each === next))
        .sort((a, b) => a.rank - b.rank || a.placement.distance - b.placement.distance).slice(0, LIMIT);
};
