// Events of the scene, newest first: turns, places, readiness, corrections of the frame.

import {element} from "./elements.js";
import {seconds} from "./geometry.js";
import {nameOf} from "./placements.js";
import {distance, line, reason, source, timeOfDay} from "./words.js";

/** Maximum number of events that are kept. */
const LIMIT = 256;

export class EventPanel {
    /** The newest row, and its readiness. */
    #last = {row: null, state: ""};

    constructor(section) { this.list = section.querySelector("ol"); }

    /** Adds the events of a scene message, each with its own time: the first message also has earlier ones. */
    take(message, placements) {
        if (message.eventsDropped) this.#add(`${message.eventsDropped} events were dropped`);
        for (const event of message.events) {
            const age = seconds(message.time) - seconds(event.time);
            this.#add(textOf(event, placements), event.kind, new Date(Date.now() - 1000 * Math.max(0, age)), event.state);
        }
    }

    /** Adds a line of the page's own, such as about the connection. */
    note(text) { this.#add(text, "note"); }

    /** Adds a row; a row with other reasons for the same readiness replaces the previous one. */
    #add(text, kind = "", time = new Date(), state = "") {
        const isReady = kind === "readiness" && state === "ready";
        const isWarning = !isReady && (kind === "correction" || kind === "readiness");
        const row = element("li", {class: isWarning ? "warning" : ""},
            element("time", {}, timeOfDay(time)), element("span", {}, text));
        if (kind === "readiness" && this.#last.state === state) this.#last.row.remove();
        this.#last = {row, state: kind === "readiness" ? state : ""};
        this.list.prepend(row);
        while (this.list.childElementCount > LIMIT) this.list.lastElementChild.remove();
    }
}

/** Name of an event's subject, which may no longer be among the placements. */
const nameIn = (placements, {id, text}) => {
    const placement = placements.get(id);
    return placement && nameOf(placement) || line(text) || line(id);
};

const textOf = (event, placements) => {
    const name = nameIn(placements, event), reasons = (event.reasons ?? []).map(reason).join("; ");
    switch (event.kind) {
        case "proximityEntered": return `near ${name}`;
        case "proximityLeft": return `left ${name}`;
        case "announcement": return line(event.text);
        case "turnAhead": return line(event.text) || `turn ahead in ${distance(event.distance)}`;
        case "onRoute": return "back on the route";
        case "offRoute": return "off the route";
        case "arrived": return "arrived";
        case "readiness": return `scene frame ${line(event.state)}${reasons ? `: ${reasons}` : ""}`;
        case "correction": return correctionText(event);
        case "planEntered": case "planLevel": case "planUnfit": case "planLeft": return line(event.text);
        case "anchorLost": return `anchor lost: ${name}`;
        case "anchorMoved": return `anchor moved by ${distance(event.distance)}: ${name}`;
        default: return `${source(event.kind)} ${line(event.text)}`.trim();
    }
};

const correctionText = (event) => {
    const way = event.turn < 0 ? "counter-clockwise" : "clockwise";
    const turn = event.turn === undefined ? "" : ` and ${Math.abs(event.turn).toFixed(1)}° ${way}`;
    return `content corrected by ${distance(event.distance)}${turn}: ${(event.reasons ?? []).map(source).join(", ")}`;
};
