// Marks: discs, each with the pulse of its placement. Anywhere in the picture a disc has the size that `size.angle` has
// in the middle. Nodes of the route are flat on the ground.

import {FONT, circle} from "./canvas.js";
import {UP, place, square} from "./eye.js";
import {RADIANS, offsetFromEye, seconds} from "./geometry.js";
import {PAPER, colorOf, signOf} from "./placements.js";

/** Diameter of a node. Unit: metres. */
const NODE_SIZE = 0.5;
const OPACITY = 0.92;

const right = {x: 0, y: 0, z: 0}, out = {x: 0, y: 0, z: 0};

export class Mark {
    /** Offset of the drawn middle from the eye, in the scene's axes. Unit: metres. */
    offset = {x: 0, y: 0, z: 0};

    constructor(placement) {
        const material = new THREE.MeshBasicMaterial({
            transparent: true, depthTest: false, depthWrite: false, side: THREE.DoubleSide});
        this.object = new THREE.Mesh(square, material);
        this.object.frustumCulled = false;
        this.show(placement);
    }

    /** Shows the newly received placement. */
    show(placement) {
        this.placement = placement;
        this.object.renderOrder = placement.order;
        this.object.material.map = markTexture(placement.kind, signOf(placement));
        this.width = 2 * placement.distance * Math.tan(placement.size.angle * RADIANS / 2);
    }

    update(eye, moment) {
        offsetFromEye(this.placement, eye.pose, this.offset);
        if (this.placement.kind === "node") return this.#lie();
        const {offset, placement} = this, distance = Math.hypot(offset.x, offset.y, offset.z);
        if (!(distance > 1e-6)) return void (this.object.visible = false);
        const share = placement.displayDistance / distance;
        const tangent = this.#pulse(moment) * (placement.size.policy === "metric" ? this.width / 2 / distance
            : Math.tan(placement.size.angle * RADIANS / 2));
        offset.x *= share;
        offset.y *= share;
        offset.z *= share;
        eye.lay(this.object, offset, tangent, tangent);
    }

    #lie() {
        const radius = NODE_SIZE / 2;
        right.x = radius;
        right.z = 0;
        out.x = 0;
        out.y = 0;
        out.z = -radius;
        this.object.material.opacity = 0.8;
        place(this.object, right, out, UP, this.offset);
    }

    /** Sets the opacity, and returns the factor of the size. */
    #pulse(moment) {
        const {pulse} = this.placement;
        let opacity = 1, scale = 1;
        if (pulse) {
            const phase = (moment - seconds(pulse.epoch)) / pulse.period, wave = Math.sin(Math.PI * phase) ** 2;
            opacity += wave * (pulse.opacity - 1);
            scale += wave * (pulse.scale - 1);
        }
        this.object.material.opacity = OPACITY * opacity;
        return scale;
    }

    dispose() { this.object.material.dispose(); }
}

/** Size of the picture of a mark in pixels; a power of two, so that it can be made smaller smoothly. */
const SIZE = 128;

/** Pictures by colour and sign, made once and kept, for there are few of them. */
const textures = new Map();

const drawDisc = (context, color, sign) => {
    const middle = SIZE / 2;
    circle(context, middle, middle, middle - 1);
    context.fillStyle = PAPER;
    context.fill();
    circle(context, middle, middle, middle - 8);
    context.fillStyle = color;
    context.fill();
    if (!sign) return;
    context.fillStyle = PAPER;
    context.font = `bold ${SIZE * 0.5}px ${FONT}`;
    const box = context.measureText(sign);
    const right = (box.actualBoundingBoxRight - box.actualBoundingBoxLeft) / 2;
    const down = (box.actualBoundingBoxAscent - box.actualBoundingBoxDescent) / 2;
    context.globalAlpha = 0.8;
    context.fillText(sign, middle - right, middle + down);
};

/** Disc of a kind of placement, with a sign on it or without. */
const markTexture = (kind, sign) => {
    const color = colorOf(kind), key = color + sign;
    if (!textures.has(key)) {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = SIZE;
        drawDisc(canvas.getContext("2d"), color, sign);
        textures.set(key, new THREE.CanvasTexture(canvas));
    }
    return textures.get(key);
};
