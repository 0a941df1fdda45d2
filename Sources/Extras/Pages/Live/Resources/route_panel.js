// The next turn, the progress on the route, and items ahead and around.

import {button, element, setText} from "./elements.js";
import {clamp, compassPoint} from "./figures.js";
import {Rows} from "./lists.js";
import {turnSign} from "./placements.js";
import {arrow, distance, duration, line} from "./words.js";

export class RoutePanel {
    /** @param chosen Called with the id of a selected item. */
    constructor(section, chosen) {
        this.turn = section.querySelector(".turn");
        this.end = section.querySelector("[data-act=end]");
        this.goal = section.querySelector(".goal");
        this.progress = section.querySelector("progress");
        this.rows = new Rows(section.querySelector("ol"), () => {
            const way = element("i"), far = element("b"), along = element("small");
            const name = button("", {class: "link"}, () => chosen(row.id));
            const row = {root: element("li", {}, way, far, name, along), way, far, name, along, id: ""};
            return row;
        });
    }

    /** Offers to end the route if that is permitted; `note` receives problems. */
    allow(navigation, note) {
        this.navigation = navigation;
        this.end.addEventListener("click", async () => {
            const wrong = await navigation.end();
            if (wrong) note(`the route goes on: ${wrong}`);
        });
    }

    /** @param isKnown Whether it is known from a scene that there is no route. */
    show(route, items, isKnown) {
        setText(this.turn, route ? turnText(route) : isKnown ? "no route" : "–");
        setText(this.goal, route ? goalText(route) : "");
        this.end.hidden = !route || !this.navigation?.isAllowed;
        const isRunning = route?.along !== undefined && route.length > 0;
        this.progress.hidden = !isRunning;
        if (isRunning) this.progress.value = clamp(route.along / route.length, 0, 1);
        this.rows.show(others(route, items), (row, item) => {
            setText(row.way, item.turn === undefined ? compassPoint(item.bearing) : arrow(item.turn));
            setText(row.far, distance(item.distance));
            row.id = item.id;
            row.name.disabled = !["place", "anchor"].includes(item.kind);
            setText(row.name, line(item.name) || line(item.kind));
            setText(row.along, item.alongRoute === undefined ? "" : `${distance(item.alongRoute)} along`);
        });
    }
}

const turnText = (route) => {
    if (route.state === "arrived") return `⚑ arrived: ${line(route.name)}`;
    if (route.state === "offRoute") {
        const off = route.distanceFromRoute;
        return `↻ off the route${off === undefined ? "" : ` by ${distance(off)}`}`;
    }
    const turn = route.nextTurn;
    if (route.along === undefined) return "–";
    return turn ? `${turnSign(turn.kind, turn.side)} ${line(turn.text)} in ${distance(turn.alongRoute)}`
        : "↑ straight on to the destination";
};

const goalText = (route) => {
    if (route.state === "arrived") return "";
    const left = route.remaining === undefined ? "" : `, ${distance(route.remaining)} left`;
    const time = route.remainingSeconds === undefined ? "" : `, ${duration(route.remainingSeconds)}`;
    return `⚑ ${line(route.name)}${left}${time}`;
};

/** Items except the turn and the destination, which have their own lines. */
const others = (route, items) => {
    if (route?.state !== "following") return items;
    const next = Math.min(...items.filter((item) => item.kind === "turn").map((item) => item.alongRoute ?? Infinity));
    return items.filter((item) => item.kind !== "destination" && !(item.kind === "turn" && item.alongRoute === next));
};
