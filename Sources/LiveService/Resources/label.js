// Labels: the rectangle that `slot` reserves for each, with the azimuth of the placement as it is seen now.

import {place} from "./eye.js";
import {RADIANS, offsetFromEye} from "./geometry.js";
import {drawLabel} from "./label_picture.js";

/** Labels are drawn after all marks, whose orders have up to 30 bits. */
export const ABOVE_MARKS = 2 ** 31;

const square = new THREE.PlaneBufferGeometry(2, 2);
const right = {x: 0, y: 0, z: 0}, up = {x: 0, y: 0, z: 0}, out = {x: 0, y: 0, z: 0};

export class Label {
    /** Middle of the rectangle's lower edge, from the eye: where its line to the mark begins. */
    foot = {x: 0, y: 0, z: 0};
    #middle = {x: 0, y: 0, z: 0};
    #canvas = document.createElement("canvas");
    #drawn = "";

    constructor(placement) {
        const material = new THREE.MeshBasicMaterial({transparent: true, depthTest: false, depthWrite: false});
        this.object = new THREE.Mesh(square, material);
        this.object.frustumCulled = false;
        this.show(placement);
    }

    /** Takes the placement as it was received now. */
    show(placement) {
        this.placement = placement;
        this.object.renderOrder = ABOVE_MARKS + placement.order;
    }

    update(eye, pixelRatio) {
        const {slot, displayDistance} = this.placement, offset = offsetFromEye(this.placement, eye.pose, this.#middle);
        const flat = Math.max(Math.hypot(offset.x, offset.z), 1e-9), sine = offset.x / flat, cosine = -offset.z / flat;
        const elevation = slot.elevation * RADIANS, low = Math.sin(elevation), high = Math.cos(elevation);
        const width = Math.tan(slot.width * RADIANS / 2), height = Math.tan(slot.height * RADIANS / 2);
        set(this.#middle, displayDistance, high * sine, low, -high * cosine);
        set(right, displayDistance * width, cosine, 0, sine);
        set(up, displayDistance * height, -low * sine, high, low * cosine);
        set(out, 1, -high * sine, -low, high * cosine);
        set(this.foot, 1, this.#middle.x - up.x, this.#middle.y - up.y, this.#middle.z - up.z);
        place(this.object, right, up, out, this.#middle);
        this.#draw(2 * width * eye.focal * pixelRatio, 2 * height * eye.focal * pixelRatio);
    }

    /** Draws the text again where it or the size of the picture has changed. */
    #draw(width, height) {
        const wide = Math.min(1024, Math.max(8, Math.round(width)));
        const tall = Math.min(256, Math.max(4, Math.round(height)));
        const {name, distanceText, alongRouteText, kind} = this.placement;
        const key = `${wide} ${tall} ${kind} ${alongRouteText ?? distanceText} ${name}`;
        if (key === this.#drawn) return;
        this.#drawn = key;
        if (this.#canvas.width !== wide || this.#canvas.height !== tall) this.#resize(wide, tall);
        drawLabel(this.#canvas, this.placement);
        this.object.material.map.needsUpdate = true;
    }

    /** A texture of another size is another texture. */
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
};
