// Lines from labels to their marks: all in one geometry, which is refilled for each frame.

import {colorOf} from "./colors.js";
import {ABOVE_MARKS} from "./label.js";

/** Maximum number of lines. */
const LIMIT = 512;

export class LeaderLines {
    #count = 0;
    #color = new THREE.Color();

    constructor() {
        const geometry = new THREE.BufferGeometry();
        this.positions = new THREE.BufferAttribute(new Float32Array(LIMIT * 6), 3);
        this.colors = new THREE.BufferAttribute(new Float32Array(LIMIT * 6), 3);
        for (const [name, attribute] of [["position", this.positions], ["color", this.colors]]) {
            attribute.setUsage(THREE.DynamicDrawUsage);
            geometry.setAttribute(name, attribute);
        }
        this.object = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({
            vertexColors: THREE.VertexColors, transparent: true, opacity: 0.5, depthTest: false, depthWrite: false}));
        this.object.frustumCulled = false;
        this.object.renderOrder = ABOVE_MARKS - 1;
    }

    begin() { this.#count = 0; }

    /** Adds a line between two offsets from the eye. */
    add(from, to, kind) {
        if (this.#count >= LIMIT) return;
        const at = 2 * this.#count, {r, g, b} = this.#color.set(colorOf(kind));
        this.positions.setXYZ(at, from.x, from.y, from.z);
        this.positions.setXYZ(at + 1, to.x, to.y, to.z);
        this.colors.setXYZ(at, r, g, b);
        this.colors.setXYZ(at + 1, r, g, b);
        this.#count += 1;
    }

    end() {
        this.object.geometry.setDrawRange(0, 2 * this.#count);
        this.positions.needsUpdate = this.colors.needsUpdate = true;
    }
}
