// The view: the scene as a display at the newest pose shows it.

import {Arrow} from "./arrow.js";
import {Backdrop} from "./backdrop.js";
import {Eye} from "./eye.js";
import {northOffset} from "./geometry.js";
import {Hints} from "./hints.js";
import {Label} from "./label.js";
import {LabelRoom, LeaderLines} from "./label_room.js";
import {Mark} from "./mark.js";

/** Maximum useful number of canvas pixels per pixel of the page. */
const MOST_PIXELS = 2;
/** Distance from a mark within which a press selects it. Unit: pixels. */
const REACH = 28;

/** The drawing context of the newest available WebGL; null if there is none. */
const contextOf = (canvas) => {
    const attributes = {alpha: false, antialias: true, depth: false, stencil: false, powerPreference: "low-power"};
    return canvas.getContext("webgl2", attributes) ?? canvas.getContext("webgl", attributes);
};

export class View {
    #scene = new THREE.Scene();
    #eye = new Eye();
    #items = new Map();
    #labels = new Map();
    #leaders = new LeaderLines();
    #backdrop = new Backdrop();
    #room = new LabelRoom();
    #synchronized = -1;
    #yaw = 0;
    /** Number of frames drawn, and content of the last one: a pose, its time and the scene's message. */
    frames = 0;
    pose = null;
    moment = null;
    message = null;

    /** Makes a view on a canvas; throws if there is no WebGL. */
    constructor(canvas, hints) {
        const context = contextOf(canvas);
        if (!context) throw new Error("no WebGL");
        this.canvas = canvas;
        this.renderer = new THREE.WebGLRenderer({canvas, context});
        this.renderer.debug.checkShaderErrors = false;
        this.renderer.setPixelRatio(Math.min(devicePixelRatio || 1, MOST_PIXELS));
        this.hints = new Hints(hints);
        this.#scene.autoUpdate = false;
        this.#scene.add(this.#backdrop.object, this.#leaders.object);
        canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    }

    get aspect() { return this.#eye.width / this.#eye.height; }
    get fieldOfView() { return this.#eye.fieldOfView; }

    /** Pixels of the page per degree in the middle of the view. */
    get pixelsPerDegree() { return this.#eye.focal * Math.PI / 180; }

    resize(width, height, fieldOfView) {
        this.renderer.setSize(width, height, false);
        this.#eye.resize(width, height, fieldOfView);
        if (this.pose) this.#render();
    }

    /** Draws a frame of a pose at a time (seconds of CLOCK_BOOTTIME). */
    draw(pose, moment, state) {
        this.pose = pose;
        const isFit = state.fits(pose), version = isFit ? state.version : -2;
        if (version !== this.#synchronized) this.#synchronize(isFit ? state.placements : new Map());
        this.#synchronized = version;
        this.message = isFit ? state.message : null;
        this.moment = moment;
        const offset = northOffset(pose);
        if (offset !== undefined) this.#yaw = -offset;
        this.#render();
        this.frames += 1;
    }

    #render() {
        const eye = this.#eye, ratio = this.renderer.getPixelRatio();
        eye.look(this.pose);
        this.#backdrop.update(eye, ratio, this.message?.sun, this.#yaw);
        for (const item of this.#items.values()) item.update(eye, this.moment, this.message?.motion);
        this.#room.begin(this.hints.show(this.#hinted, eye.width, eye.height), eye.width, eye.height);
        this.#leaders.begin();
        for (const label of this.#ranked) {
            const {offset} = this.#items.get(label.placement.id);
            if (label.update(eye, ratio, offset, this.#room)) this.#leaders.add(label.foot, offset, label.placement.kind);
        }
        this.#leaders.end();
        this.renderer.render(this.#scene, eye.camera);
    }

    #hinted = [];
    /** Labels of the next turn and the destination, then of other placements, nearest first. */
    #ranked = [];

    /** Updates the drawn objects to match the placements. */
    #synchronize(placements) {
        this.#remove(this.#items, (id) => placements.has(id));
        this.#remove(this.#labels, (id) => placements.get(id)?.slot);
        for (const [id, placement] of placements) {
            this.#show(this.#items, id, placement, placement.kind === "arrow" ? Arrow : Mark);
            if (placement.slot) this.#show(this.#labels, id, placement, Label);
        }
        const all = [...placements.values()];
        this.#hinted = all.filter((each) => each.hint).sort((a, b) => a.hint.order - b.hint.order);
        const rank = ({placement}) => ["turn", "route", "destination"].includes(placement.kind) ? 0 : 1;
        this.#ranked = [...this.#labels.values()].sort((a, b) =>
            rank(a) - rank(b) || a.placement.distance - b.placement.distance);
        const lying = all.find((each) => each.kind === "arrow" || each.kind === "node");
        if (lying) this.#backdrop.setGround(lying.position.y);
        else if (this.pose) this.#backdrop.assumeGround(this.pose);
    }

    #show(shown, id, placement, Kind) {
        const item = shown.get(id);
        if (item?.placement === placement) return;
        if (item) return item.show(placement);
        const made = new Kind(placement);
        shown.set(id, made);
        this.#scene.add(made.object);
    }

    #remove(shown, stays) {
        for (const [id, item] of shown) {
            if (stays(id)) continue;
            this.#scene.remove(item.object);
            item.dispose();
            shown.delete(id);
        }
    }

    /** Placement whose mark is nearest to a pixel of the canvas, within reach; undefined for none. */
    nearest(x, y) {
        const away = (each) => each.x === null ? Infinity : Math.hypot(each.x - x, each.y - y);
        const marks = this.shown().filter((each) => each.kind !== "arrow" && each.kind !== "node");
        const best = marks.reduce((a, b) => away(b) < away(a) ? b : a, {x: null});
        return away(best) <= REACH ? best.json : undefined;
    }

    /** Boxes of the labels that the last frame shows, about their middles in pixels of the canvas. */
    labels() {
        return this.#ranked.filter((label) => label.isShown).map(({box, placement}) => ({id: placement.id, ...box}));
    }

    /** Content of the last frame: each placement with its position in pixels of the canvas, null if it is behind. */
    shown() {
        return [...this.#items].map(([id, item]) => {
            const pixel = this.#eye.pixel(item.offset);
            return {id, kind: item.placement.kind, x: pixel?.x ?? null, y: pixel?.y ?? null, json: item.placement};
        });
    }
}
