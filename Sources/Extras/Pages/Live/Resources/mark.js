// Marks: a disc with the size that `size.angle` has in the middle of the picture, at any place in it, with the pulse of
// its placement. Nodes of the route are flat on the ground.

import {place} from "./eye.js";
import {RADIANS, offsetFromEye, seconds} from "./geometry.js";
import {markTexture} from "./mark_texture.js";
import {turnSign} from "./words.js";

/** Diameter of a node. Unit: metres. */
const NODE_SIZE = 0.5;
const OPACITY = 0.92;

const square = new THREE.PlaneBufferGeometry(2, 2);
const UP = {x: 0, y: 1, z: 0};
const right = {x: 0, y: 0, z: 0}, out = {x: 0, y: 0, z: 0};

const signOf = (placement) => {
    switch (placement.kind) {
        case "turn": return turnSign(placement.maneuver, placement.side);
        case "destination": return "⚑";
        case "route": return "↻";
        case "place": return placement.favorite ? "★" : "◆";
        case "cluster": return "◇";
        case "anchor": return "✚";
        default: return "";
    }
};

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
