// Room for labels in the view: each label is wholly visible and covers no other label and no hint. A line joins it to
// its mark.

import {clamp} from "./figures.js";
import {ABOVE_MARKS} from "./label.js";
import {colorOf} from "./placements.js";

/** Clearance that a hidden label needs to be shown again, to avoid flicker. Unit: pixels. */
const SPARE = 8;

export class LabelRoom {
    #taken = [];
    #width = 0;
    #height = 0;

    /** @param taken Boxes to be kept free in a view of this size: each `{x, y, width, height}`, given by its middle. */
    begin(taken, width, height) {
        this.#taken = taken;
        this.#width = width;
        this.#height = height;
    }

    /** Reserves room for a label and its mark, given by their middles, and sets the label's box; false without room. */
    take(label, middle, mark, width, height) {
        const spare = label.isShown ? 0 : SPARE, half = width / 2;
        const isIn = mark.x >= 0 && mark.x <= this.#width && mark.y >= 0 && mark.y <= this.#height
            && middle.y >= height / 2 && middle.y <= this.#height - height / 2 && width <= this.#width;
        if (!isIn) return false;
        const box = {x: clamp(middle.x, half, this.#width - half), y: middle.y, width, height};
        if (this.#taken.some((other) => overlap(box, other, spare))) return false;
        this.#taken.push(label.box = box);
        return true;
    }
}

const overlap = (a, b, spare) => Math.abs(a.x - b.x) < (a.width + b.width) / 2 + spare
    && Math.abs(a.y - b.y) < (a.height + b.height) / 2 + spare;

/** Largest number of lines. */
const LIMIT = 512;

/** Lines from labels to their marks: all of them in one geometry, which is filled again for each frame. */
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
