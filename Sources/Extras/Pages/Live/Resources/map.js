// The map: zooming, dragging and following. Its drawing is in map_drawing.js.

import {Canvas} from "./canvas.js";
import {Gestures} from "./gestures.js";
import {drawMap, theme} from "./map_drawing.js";
import {MapView} from "./map_view.js";
import {TileLayer} from "./tile_layer.js";

/** Minimum, initial and maximum scale. Unit: pixels per metre. */
const LEAST = 0.002, FIRST = 1.1, MOST = 60;
/** Minimum interval of drawings caused only by poses. Unit: milliseconds. */
const PERIOD = 66;
const ZOOM = 1.4, STEP = 60;
/** Distance from a sign within which a press selects it. Unit: pixels. */
const REACH = 24;

export class PlaceMap {
    /** Visible part of the poses' plane. */
    view = Object.assign(new MapView(), {scale: FIRST});
    isFollowing = true;
    /** Drawn signs, with their positions in pixels. */
    signs = [];
    /** Boxes of the drawn names: left, top, right and bottom in pixels. */
    names = [];
    #covered = [];
    #coveredSize = -1;
    #tiles = new TileLayer();
    #plane = null;
    #isStale = true;
    #drawn = 0;
    #seen = "";

    /** @param pressed Called with the pressed placement, undefined for none, or with the long-pressed point. */
    constructor(section, pressed) {
        this.pressed = pressed;
        this.section = section;
        this.canvas = new Canvas(section.querySelector("canvas"));
        this.scale = section.querySelector(".scale");
        this.source = section.querySelector(".source");
        this.button = section.querySelector("[data-act=follow]");
        this.#listen(section);
    }

    zoom(factor, x = this.canvas.width / 2, y = this.canvas.height / 2) {
        const scale = Math.min(MOST, Math.max(LEAST, this.view.scale * factor));
        if (this.isFollowing) this.view.scale = scale;
        else this.view.zoom(scale, x, y);
        this.#isStale = true;
    }

    move(right, down) {
        this.follow(false);
        this.view.move(right, down);
        this.#isStale = true;
    }

    follow(isFollowing) {
        this.isFollowing = isFollowing;
        this.button.setAttribute("aria-pressed", isFollowing);
        this.#isStale = true;
    }

    /** Draws if something has changed. */
    draw(now, poses, plan, route, targets, version) {
        const key = `${poses.count} ${version} ${route?.version} ${plan.version}`;
        const frame = `${this.canvas.version} ${theme.version} ${this.#tiles.version}`;
        const isDue = key !== this.#seen && now - this.#drawn >= PERIOD;
        if (!isDue && !this.#isStale && frame === this.frame) return;
        this.#seen = key;
        this.frame = frame;
        this.#drawn = now;
        this.#isStale = false;
        Object.assign(this.view, {width: this.canvas.width, height: this.canvas.height});
        const here = poses.newest?.geo && poses.plane?.point(poses.newest.geo);
        if (here && this.isFollowing) Object.assign(this.view, {east: here.east, north: here.north});
        const drawn = drawMap(this.canvas, this.view, {
            here, poses, plan, route, targets, tiles: this.#tiles, covered: this.#overlays()});
        Object.assign(this, drawn);
        this.#plane = poses.plane;
        const {label, width} = this.view.bar;
        if (label !== this.scale.textContent) this.scale.textContent = label;
        if (this.source.textContent !== this.#tiles.attribution) this.source.textContent = this.#tiles.attribution;
        this.scale.style.width = `${width}px`;
    }

    /** Boxes of the elements over the canvas, measured again when its size changes. */
    #overlays() {
        if (this.#coveredSize === this.canvas.version) return this.#covered;
        this.#coveredSize = this.canvas.version;
        const {left, top} = this.canvas.element.getBoundingClientRect();
        this.#covered = [...this.section.querySelectorAll(".tools, .north, .scale, .source")].map((each) => {
            const box = each.getBoundingClientRect();
            return [box.left - left - 4, box.top - top - 4, box.right - left + 4, box.bottom - top + 4];
        });
        return this.#covered;
    }

    /** Sets light by day and dark by night; like the rest of the page while the sun is unknown. */
    setSun(sun) {
        const value = sun === undefined ? "" : sun.isDay ? "up" : "down";
        if (value === (this.section.dataset.sun ?? "")) return;
        this.section.dataset.sun = value;
        theme.read();
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
        new Gestures(element, {
            drag: (right, down) => this.move(right, down), pinch: (factor, x, y) => this.zoom(factor, x, y),
            press: (x, y, isLong) => this.#press(x, y, isLong)});
    }

    /** Reports a press: the nearest sign within reach, undefined for none; the point for a long press. */
    #press(x, y, isLong) {
        const {east, north} = this.view.point(x, y);
        if (isLong) return this.#plane && this.pressed(undefined, this.#plane.geo(east, north));
        const away = (sign) => Math.hypot(sign.x - x, sign.y - y);
        const nearest = this.signs.filter((sign) => away(sign) <= REACH).sort((a, b) => away(a) - away(b))[0];
        this.pressed(nearest?.target.placement);
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
}
