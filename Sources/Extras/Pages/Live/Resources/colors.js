// Colours of placements: the same in the view, on the map and on the compass.

import {Theme} from "./theme.js";

export const PAPER = "#10161e", TEXT = "#f5f7fa";
export const ARROW = "#56c4ff";

const KINDS = {
    arrow: ARROW, node: ARROW, start: ARROW, turn: "#ffbe50", route: "#ffbe50", destination: "#ff6262",
    place: "#96e296", cluster: "#c4aaff", anchor: "#ffffff"};

export const colorOf = (kind) => KINDS[kind] ?? KINDS.anchor;

/** Colours by daylight: sky at the zenith and above the horizon, horizon, ground nearby and far away. */
export const SKIES = {
    day: ["#2a5078", "#7b9ab4", "#a9bccb", "#3c423b", "#5c655f"],
    civilTwilight: ["#1b2745", "#6f6070", "#b08a78", "#24272b", "#3d3a40"],
    night: ["#0d1522", "#2a3a50", "#4d6079", "#191d20", "#2c3339"]};

const NAMES = [
    "ink", "faint", "line", "card", "accent", "route", "turn", "goal", "place", "cluster", "anchor", "band"];

/** The style sheet's colours in the scheme of an element. */
export class CardTheme extends Theme {
    constructor(element) { super(element, NAMES); }

    /** Colour of a kind of placement on a card. */
    inkOf(kind) {
        return {
            start: this.route, turn: this.turn, route: this.turn, destination: this.goal, place: this.place,
            cluster: this.cluster}[kind] ?? this.anchor;
    }
}
