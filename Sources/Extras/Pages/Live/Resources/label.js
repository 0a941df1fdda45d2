// Labels: name and distance of a placement, within the rectangle that `slot` reserves for it, with the azimuth at which
// the placement is seen now.

import {FONT} from "./canvas.js";
import {square} from "./eye.js";
import {clamp} from "./figures.js";
import {RADIANS} from "./geometry.js";
import {PAPER, TEXT, colorOf, nameOf, wayOf} from "./placements.js";

/** Labels are drawn after all marks, whose orders have up to 30 bits. */
export const ABOVE_MARKS = 2 ** 31;

export class Label {
    /** Middle of the rectangle's lower edge, from the eye: where its line to the mark begins. */
    foot = {x: 0, y: 0, z: 0};
    /** Whether the view shows it, and its middle and size in pixels. */
    isShown = false;
    box = {x: 0, y: 0, width: 0, height: 0};
    #middle = {x: 0, y: 0, z: 0};
    #canvas = document.createElement("canvas");
    #drawn = "";

    constructor(placement) {
        const material = new THREE.MeshBasicMaterial({transparent: true, depthTest: false, depthWrite: false});
        this.object = new THREE.Mesh(square, material);
        this.object.frustumCulled = false;
        this.show(placement);
    }

    /** Shows the newly received placement. */
    show(placement) {
        this.placement = placement;
        this.object.renderOrder = ABOVE_MARKS + placement.order;
    }

    /**
     * Places the label in the view, if `room` permits: in its rectangle, or moved along it to be fully visible.
     * @param offset Offset of its mark. @return Whether it is shown.
     */
    update(eye, pixelRatio, offset, room) {
        const {slot, displayDistance} = this.placement;
        const flat = Math.max(Math.hypot(offset.x, offset.z), 1e-9), low = Math.sin(slot.elevation * RADIANS);
        const high = Math.cos(slot.elevation * RADIANS) / flat;
        set(this.#middle, displayDistance, high * offset.x, low, high * offset.z);
        const wide = Math.tan(slot.width * RADIANS / 2), tall = Math.tan(slot.height * RADIANS / 2);
        const middle = eye.pixel(this.#middle), mark = eye.pixel(offset);
        this.isShown = middle !== null && mark !== null
            && room.take(this, middle, mark, 2 * wide * eye.focal, 2 * tall * eye.focal);
        this.object.visible = this.isShown;
        if (!this.isShown) return false;
        eye.shift(this.#middle, this.box.x - middle.x);
        eye.lay(this.object, this.#middle, wide, tall);
        eye.shift(set(this.foot, 1, this.#middle.x, this.#middle.y, this.#middle.z), 0, this.box.height / 2);
        this.#draw(2 * wide * eye.focal * pixelRatio, 2 * tall * eye.focal * pixelRatio);
        return true;
    }

    /** Redraws the text if it or the size of the picture has changed. */
    #draw(width, height) {
        const wide = clamp(Math.round(width), 8, 1024), tall = clamp(Math.round(height), 4, 256);
        const {name, distanceText, alongRouteText, kind} = this.placement;
        const key = `${wide} ${tall} ${kind} ${alongRouteText ?? distanceText} ${name}`;
        if (key === this.#drawn) return;
        this.#drawn = key;
        if (this.#canvas.width !== wide || this.#canvas.height !== tall) this.#resize(wide, tall);
        drawLabel(this.#canvas, this.placement);
        this.object.material.map.needsUpdate = true;
    }

    /** Replaces the texture, whose size cannot change. */
    #resize(wide, tall) {
        const {material} = this.object;
        material.map?.dispose();
        this.#canvas.width = wide;
        this.#canvas.height = tall;
        const isFirst = !material.map;
        material.map = new THREE.CanvasTexture(this.#canvas);
        material.map.generateMipmaps = false;
        material.map.minFilter = THREE.LinearFilter;
        if (isFirst) material.needsUpdate = true;
    }

    dispose() {
        this.object.material.map?.dispose();
        this.object.material.dispose();
    }
}

const set = (vector, factor, x, y, z) => {
    vector.x = factor * x;
    vector.y = factor * y;
    vector.z = factor * z;
    return vector;
};

/** Shares of the height: corners, text, and the least text before a name is cut. */
const CORNER = 0.28, TEXT_HEIGHT = 0.56, LEAST_HEIGHT = 0.46;

/** Draws the label of a placement over all of a canvas. */
const drawLabel = (canvas, placement) => {
    const context = canvas.getContext("2d"), {width, height} = canvas, color = colorOf(placement.kind);
    context.clearRect(0, 0, width, height);
    drawCard(context, width, height, color);
    const way = wayOf(placement), name = nameOf(placement);
    const gap = name && way ? height * 0.3 : 0, room = width - height * 0.7;
    let size = height * TEXT_HEIGHT;
    const measure = (text, weight) => {
        context.font = `${weight} ${size}px ${FONT}`;
        return context.measureText(text).width;
    };
    while (size > height * LEAST_HEIGHT && measure(name, 600) + gap + measure(way, 400) > room) size *= 0.95;
    const wayWidth = measure(way, 400), shown = cut(name, (text) => measure(text, 600) + gap + wayWidth <= room);
    const nameWidth = measure(shown, 600), start = (width - nameWidth - gap - wayWidth) / 2;
    context.textBaseline = "middle";
    context.fillStyle = TEXT;
    context.fillText(shown, start, height * 0.53);
    context.font = `400 ${size}px ${FONT}`;
    context.fillStyle = color;
    context.fillText(way, start + nameWidth + gap, height * 0.53);
};

const drawCard = (context, width, height, color) => {
    const edge = Math.max(1, height / 24);
    context.beginPath();
    context.roundRect(edge / 2, edge / 2, width - edge, height - edge, height * CORNER);
    context.globalAlpha = 0.86;
    context.fillStyle = PAPER;
    context.fill();
    context.globalAlpha = 0.75;
    context.lineWidth = edge;
    context.strokeStyle = color;
    context.stroke();
    context.globalAlpha = 1;
};

/** The longest beginning of a text that fits, with an ellipsis where it is cut. */
const cut = (text, fits) => {
    if (fits(text)) return text;
    const letters = [...text];
    let least = 0, most = letters.length;
    while (least < most) {
        const middle = Math.ceil((least + most) / 2);
        if (fits(letters.slice(0, middle).join("").trimEnd() + "…")) least = middle;
        else most = middle - 1;
    }
    return least > 0 ? letters.slice(0, least).join("").trimEnd() + "…" : "";
};
