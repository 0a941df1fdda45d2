// Arrows of the route: they are flat on the ground, and each moves from its own position to the position of the next.

import {UP, place} from "./eye.js";
import {wrapped} from "./figures.js";
import {RADIANS, seconds} from "./geometry.js";
import {ARROW, PAPER} from "./placements.js";

/** Tip, right, notch and left of an arrow that faces north: metres to the right and ahead; and a border around it. */
const SHAPE = [[0, 0.55], [0.4, -0.35], [0, -0.1], [-0.4, -0.35]];
const BORDER = [[0, 0.66], [0.48, -0.42], [0, -0.15], [-0.48, -0.42]];

/** Border and arrow in one geometry, drawn one after the other. */
const outline = () => {
    const geometry = new THREE.BufferGeometry(), points = [...BORDER, ...SHAPE];
    const color = (text) => new THREE.Color(text).toArray();
    const colors = points.flatMap((_, index) => color(index < BORDER.length ? PAPER : ARROW));
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points.flatMap(([x, y]) => [x, y, 0]), 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
    return geometry;
};

const shape = outline();
const material = new THREE.MeshBasicMaterial({
    vertexColors: THREE.VertexColors, transparent: true, opacity: 0.9, depthTest: false, depthWrite: false,
    side: THREE.DoubleSide});
const right = {x: 0, y: 0, z: 0}, ahead = {x: 0, y: 0, z: 0};

export class Arrow {
    /** Offset of the arrow's middle from the eye, in the scene's axes. Unit: metres. */
    offset = {x: 0, y: 0, z: 0};
    /** Course, counter-clockwise from north. Unit: degrees. */
    #course = 0;

    constructor(placement) {
        this.object = new THREE.Mesh(shape, material);
        this.object.frustumCulled = false;
        this.show(placement);
    }

    /** Shows the newly received placement. */
    show(placement) {
        this.placement = placement;
        this.object.renderOrder = placement.order;
    }

    update(eye, moment, motion) {
        this.#move(moment, motion);
        const origin = eye.pose.position, course = this.#course * RADIANS;
        const sine = Math.sin(course), cosine = Math.cos(course);
        this.offset.x -= origin.x;
        this.offset.y -= origin.y;
        this.offset.z -= origin.z;
        right.x = cosine;
        right.z = -sine;
        ahead.x = -sine;
        ahead.z = -cosine;
        place(this.object, right, ahead, UP, this.offset);
    }

    /** Computes position and course at a time. */
    #move(moment, motion) {
        const {path} = this.placement;
        if (!motion || !path?.length) return this.#stay(this.placement.position, this.placement.course ?? 0);
        const phase = (moment - seconds(motion.epoch)) / motion.period, share = phase - Math.floor(phase);
        for (let index = 1; index < path.length; index += 1) {
            const before = path[index - 1], after = path[index];
            if (before.share <= share && share <= after.share) return this.#between(before, after, share);
        }
        this.#stay(path.at(-1).position, path.at(-1).course);
    }

    #stay(position, course) {
        Object.assign(this.offset, position);
        this.#course = course;
    }

    #between(before, after, share) {
        const part = (share - before.share) / Math.max(after.share - before.share, 1e-9);
        const start = before.position, end = after.position;
        this.offset.x = start.x + part * (end.x - start.x);
        this.offset.y = start.y + part * (end.y - start.y);
        this.offset.z = start.z + part * (end.z - start.z);
        this.#course = before.course + part * wrapped(after.course - before.course);
    }

    /** Does nothing: geometry and material are shared by all arrows. */
    dispose() {}
}
