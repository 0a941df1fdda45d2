// The map: what can be zoomed, dragged and followed. Its drawing is in map_drawing.js.

import {Canvas} from "./canvas.js";
import {theme} from "./colors.js";
import {drawMap} from "./map_drawing.js";

/** Pixels by metre: the least, the first and the largest. */
const LEAST = 0.002, FIRST = 1.1, MOST = 60;
/** Smallest time between two drawings that only poses cause. Unit: milliseconds. */
const PERIOD = 66;
const ZOOM = 1.4, STEP = 60;

export class PlaceMap {
    /** Middle in metres of the poses' plane, and the scale in pixels by metre. */
    view = {east: 0, north: 0, scale: FIRST};
    isFollowing = true;
    #pointers = new Map();
    #isStale = true;
    #drawn = 0;
    #seen = "";

    constructor(section) {
        this.canvas = new Canvas(section.querySelector("canvas"));
        this.scale = section.querySelector(".scale");
        this.button = section.querySelector("[data-act=follow]");
        this.#listen(section);
    }

    zoom(factor, x = this.canvas.width / 2, y = this.canvas.height / 2) {
        const {view} = this, scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
        if (!this.isFollowing) {
            const right = x - this.canvas.width / 2, down = y - this.canvas.height / 2;
            const change = 1 / view.scale - 1 / scale;
            view.east += right * change;
            view.north -= down * change;
        }
        view.scale = scale;
        this.#isStale = true;
    }

    move(right, down) {
        this.follow(false);
        this.view.east -= right / this.view.scale;
        this.view.north += down / this.view.scale;
        this.#isStale = true;
    }

    follow(isFollowing) {
        this.isFollowing = isFollowing;
        this.button.setAttribute("aria-pressed", isFollowing);
        this.#isStale = true;
    }

    /** Draws where something has changed. */
    draw(now, poses, plan, route, targets, version) {
        const key = `${poses.count} ${version} ${route?.version} ${plan.version}`, frame = `${this.canvas.version} ${theme.version}`;
        const isDue = key !== this.#seen && now - this.#drawn >= PERIOD;
        if (!isDue && !this.#isStale && frame === this.frame) return;
        this.#seen = key;
        this.frame = frame;
        this.#drawn = now;
        this.#isStale = false;
        const here = poses.newest?.geo && poses.plane?.point(poses.newest.geo);
        if (here && this.isFollowing) Object.assign(this.view, {east: here.east, north: here.north});
        const text = drawMap(this.canvas, this.view, {here, poses, plan, route, targets});
        if (text.label !== this.scale.textContent) this.scale.textContent = text.label;
        this.scale.style.width = `${text.width}px`;
    }

    #listen(section) {
        const {element} = this.canvas;
        section.querySelector("[data-act=in]").addEventListener("click", () => this.zoom(ZOOM));
        section.querySelector("[data-act=out]").addEventListener("click", () => this.zoom(1 / ZOOM));
        this.button.addEventListener("click", () => this.follow(!this.isFollowing));
        element.addEventListener("wheel", (event) => {
            event.preventDefault();
            const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
            this.zoom(Math.exp(-Math.max(-200, Math.min(200, pixels)) / 400), event.offsetX, event.offsetY);
        }, {passive: false});
        element.addEventListener("keydown", (event) => this.#key(event));
        element.addEventListener("pointerdown", (event) => {
            element.setPointerCapture(event.pointerId);
            this.#pointers.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
        });
        element.addEventListener("pointermove", (event) => this.#drag(event));
        for (const name of ["pointerup", "pointercancel"]) {
            element.addEventListener(name, (event) => this.#pointers.delete(event.pointerId));
        }
    }

    #key(event) {
        const moves = {ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP]};
        if (moves[event.key]) this.move(...moves[event.key]);
        else if (event.key === "+" || event.key === "=") this.zoom(ZOOM);
        else if (event.key === "-") this.zoom(1 / ZOOM);
        else if (event.key === "0") this.follow(true);
        else return;
        event.preventDefault();
    }

    /** One pointer drags; two zoom by the distance between them. */
    #drag(event) {
        const old = this.#pointers.get(event.pointerId);
        if (!old) return;
        const now = {x: event.offsetX, y: event.offsetY};
        if (this.#pointers.size === 1) this.move(now.x - old.x, now.y - old.y);
        const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (other) {
            const before = Math.hypot(old.x - other.x, old.y - other.y);
            const after = Math.hypot(now.x - other.x, now.y - other.y);
            this.zoom(after / Math.max(before, 1), (now.x + other.x) / 2, (now.y + other.y) / 2);
        }
        this.#pointers.set(event.pointerId, now);
    }
}
