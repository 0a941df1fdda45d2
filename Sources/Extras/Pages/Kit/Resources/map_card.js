// A map in a page: its canvas, north, scale bar and buttons, and what fingers, the mouse and keys do to it.

import {Canvas} from "./canvas.js";
import {element, onKeys, setText, tool} from "./elements.js";
import {clamp} from "./figures.js";
import {Gestures} from "./gestures.js";
import {MapView} from "./map_view.js";

/** Factor by which a button or key zooms, and pixels by which a key moves. */
const ZOOM = 1.5, STEP = 60;

/** What maps extend, each with its `limits` of the scale, `changed()`, `home(isButton)` and `pressed(x, y, isLong)`. */
export class MapCard {
    view = new MapView();

    /**
     * @param frame Element that gets the canvas and what lies over it, before what it has.
     * @param words Name of the map; sign and label of the button for its usual view, and what the key 0 does.
     */
    constructor(frame, {name, sign, label, zero}) {
        this.frame = frame;
        const canvas = element("canvas", {
            tabindex: "0", role: "img",
            "aria-label": `${name}, north up. Arrow keys move it, plus and minus zoom, 0 ${zero}.`});
        this.scale = element("p", {class: "scale"});
        this.homeButton = tool(sign, label, () => this.home(true));
        this.tools = element("div", {class: "tools"},
            tool("+", "Zoom the map in", () => this.zoom(ZOOM)),
            tool("−", "Zoom the map out", () => this.zoom(1 / ZOOM)), this.homeButton);
        frame.prepend(canvas, element("p", {class: "north", "aria-hidden": "true"}, "N ↑"), this.scale, this.tools);
        this.sheet = new Canvas(canvas, () => this.changed());
        this.#listen(canvas);
    }

    /** Zooms about a point of the drawing, by default its middle. */
    zoom(factor, x = this.sheet.width / 2, y = this.sheet.height / 2) {
        this.view.zoom(clamp(this.view.scale * factor, ...this.limits), x, y);
        this.changed();
    }

    /** Moves what is seen by pixels. */
    move(right, down) {
        this.view.move(right, down);
        this.changed();
    }

    /** Shows the scale of what is drawn. */
    showScale() {
        const {label, width} = this.view.bar;
        setText(this.scale, label);
        this.scale.style.width = `${width}px`;
    }

    #listen(canvas) {
        new Gestures(canvas, {
            drag: (right, down) => this.move(right, down), pinch: (factor, x, y) => this.zoom(factor, x, y),
            press: (x, y, isLong) => this.pressed(x, y, isLong)});
        canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
            this.zoom(Math.exp(-pixels / 400), event.offsetX, event.offsetY);
        }, {passive: false});
        onKeys(canvas, () => ({
            ArrowLeft: () => this.move(STEP, 0), ArrowRight: () => this.move(-STEP, 0),
            ArrowUp: () => this.move(0, STEP), ArrowDown: () => this.move(0, -STEP),
            "+": () => this.zoom(ZOOM), "=": () => this.zoom(ZOOM), "-": () => this.zoom(1 / ZOOM),
            "0": () => this.home(false)}));
    }
}
