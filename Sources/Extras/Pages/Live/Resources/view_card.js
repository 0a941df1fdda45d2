// The card of the view: its size, the field of view, the parameters of the subscription, and the text in place of the
// view if it cannot be shown. The rest of the page works without the view.

import {setText} from "./elements.js";
import {clamp} from "./figures.js";
import {textSize} from "./hints.js";

// Without three.js the modules of the view cannot be loaded.
const View = globalThis.THREE ? (await import("./view.js")).View : null;

/** Minimum change of the aspect ratio for a new subscription to the scene. */
const ASPECT_CHANGE = 0.02;
/** Delay of a new subscription after the last change of size or field of view. Unit: milliseconds. */
const QUIET = 300;
/** Height of readable labels, in pixels of the page, and the heights that are requested, in degrees: few, since
 *  the daemon keeps one layout for each size. */
const READABLE = 23, HEIGHTS = [1.4, 2, 3, 4.5];
/** Ratio of a label's width to its height. */
const SHAPE = 5.8;

export class ViewCard {
    view = null;
    #asked = "";
    #timer = 0;

    /** @param changed Called when the scene has to be subscribed to for another camera. */
    constructor(section, changed) {
        this.canvas = section.querySelector("canvas");
        this.changed = changed;
        this.obstacle = section.querySelector("#obstacle");
        this.input = section.querySelector("#field input");
        this.output = section.querySelector("#field output");
        this.missing = this.#begin(section.querySelector("#hints"));
        section.classList.toggle("empty", this.missing !== null);
        this.input.addEventListener("input", () => this.#fit());
        new ResizeObserver(() => this.#fit()).observe(this.canvas);
        this.#fit();
    }

    /** Makes the view; returns the missing requirement, or null. */
    #begin(hints) {
        if (!View) return {
            title: "The 3-D view needs three.js",
            text: "install it on the board with “sudo apt-get install libjs-three”, then reload this page"};
        try {
            this.view = new View(this.canvas, hints);
            return null;
        } catch {
            return {
                title: "The 3-D view needs WebGL",
                text: "this browser has none: switch on graphics acceleration in its settings, or use another browser"};
        }
    }

    /** Parameters of the scene's subscription. */
    camera() {
        const aspect = clamp(this.#aspect, 0.1, 10), horizontalFieldOfView = Number(this.input.value);
        const wanted = READABLE / (this.view?.pixelsPerDegree ?? 14);
        const height = HEIGHTS.find((each) => each >= wanted) ?? HEIGHTS.at(-1);
        return {
            camera: {horizontalFieldOfView, aspect}, labels: {width: Math.round(height * SHAPE * 10) / 10, height},
            hintTexts: textSize(this.canvas.clientHeight)};
    }

    get #aspect() { return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight); }

    #fit() {
        const field = Number(this.input.value);
        setText(this.output, `${field}°`);
        const {clientWidth, clientHeight} = this.canvas;
        if (clientWidth && clientHeight) this.view?.resize(clientWidth, clientHeight, field);
        clearTimeout(this.#timer);
        if (!this.#asked) this.#asked = this.camera();
        else this.#timer = setTimeout(() => this.#ask(), QUIET);
    }

    /** Subscribes again if the camera has changed significantly. */
    #ask() {
        const now = this.camera(), old = this.#asked;
        const isAlike = Math.abs(now.camera.aspect / old.camera.aspect - 1) <= ASPECT_CHANGE
            && now.camera.horizontalFieldOfView === old.camera.horizontalFieldOfView
            && now.labels.height === old.labels.height
            && Math.abs(now.hintTexts.width / old.hintTexts.width - 1) <= ASPECT_CHANGE;
        if (isAlike) return;
        this.#asked = now;
        this.changed();
    }

    /** Shows or hides the reason why the view is empty. */
    explain(found) {
        const shown = this.missing ?? found;
        this.obstacle.hidden = !shown;
        if (!shown) return;
        setText(this.obstacle.firstElementChild, shown.title);
        setText(this.obstacle.lastElementChild, shown.text);
    }
}
