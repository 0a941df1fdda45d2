// The wearer's eye: a pinhole camera at the pose. Everything is drawn relative to it, so that a walk of many kilometres
// loses no digits in the single precision of the graphics card.

import {RADIANS} from "./geometry.js";

/** Near and far limits of drawn objects. Unit: metres. */
const NEAR = 0.05, FAR = 20_000;

/** Geometry of what is flat, and what is up in the scene. */
export const square = new THREE.PlaneBufferGeometry(2, 2);
export const UP = {x: 0, y: 1, z: 0};

export class Eye {
    camera = new THREE.PerspectiveCamera(60, 1, NEAR, FAR);
    /** Size of the picture in pixels of the page. */
    width = 1;
    height = 1;
    /** Horizontal field of view. Unit: degrees. */
    fieldOfView = 60;
    pose = null;
    #point = new THREE.Vector3();
    #axes = {right: new THREE.Vector3(), up: new THREE.Vector3(), out: new THREE.Vector3()};

    /** Sets the size of the picture and the horizontal field of view. */
    resize(width, height, fieldOfView) {
        Object.assign(this, {width, height, fieldOfView});
        const half = Math.tan(fieldOfView * RADIANS / 2) * height / width;
        this.camera.fov = 2 * Math.atan(half) / RADIANS;
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
    }

    /** Rotates the camera like the body of a pose; both look along -z. */
    look(pose) {
        this.pose = pose;
        const q = pose.orientation;
        this.camera.quaternion.set(q.x, q.y, q.z, q.w).normalize();
        this.camera.updateMatrixWorld();
        const {right, up, out} = this.#axes;
        this.camera.matrixWorld.extractBasis(right, up, out);
    }

    /** Focal length: pixels of the page per small angle in the middle of the picture. Unit: pixels per radian. */
    get focal() { return this.width / 2 / Math.tan(this.fieldOfView * RADIANS / 2); }

    /**
     * Sets the matrix of a flat object at an offset from the eye, so that it is parallel to the picture, with its right
     * side along the horizon of that direction. Objects of the same angular size thus have the same size everywhere;
     * facing the eye they would grow towards the edges of the picture.
     * @param wide Tangent of half the angle of its width in the middle of the picture, and `tall` that of its height.
     * @return Whether the offset is in front of the eye.
     */
    lay(object, offset, wide, tall) {
        const {right, up, out} = this.#axes;
        const depth = -(offset.x * out.x + offset.y * out.y + offset.z * out.z);
        object.visible = depth > NEAR;
        if (!object.visible) return false;
        const across = offset.x * right.x + offset.y * right.y + offset.z * right.z;
        const above = offset.x * up.x + offset.y * up.y + offset.z * up.z;
        // Horizontal direction at a right angle to the offset, in the axes of the camera, and its projection (u, v).
        const x = -offset.z * right.x + offset.x * right.z, y = -offset.z * up.x + offset.x * up.z;
        const z = -offset.z * out.x + offset.x * out.z;
        const u = x * depth + across * z, v = y * depth + above * z, length = Math.max(Math.hypot(u, v), 1e-9);
        set(sideways, depth * wide / length, u, v, right, up);
        set(upwards, depth * tall / length, -v, u, right, up);
        place(object, sideways, upwards, out, offset);
        return true;
    }

    /** Moves an offset parallel to the picture, by pixels to the right and down. */
    shift(offset, right, down = 0) {
        const {right: r, up: u, out} = this.#axes;
        const pixel = -(offset.x * out.x + offset.y * out.y + offset.z * out.z) / this.focal;
        offset.x += pixel * (right * r.x - down * u.x);
        offset.y += pixel * (right * r.y - down * u.y);
        offset.z += pixel * (right * r.z - down * u.z);
    }

    /** Position of an offset from the eye in pixels of the picture; null if it is behind the eye. */
    pixel(offset) {
        const point = this.#point.set(offset.x, offset.y, offset.z).applyMatrix4(this.camera.matrixWorldInverse);
        if (point.z > -NEAR) return null;
        point.applyMatrix4(this.camera.projectionMatrix);
        return {x: (1 + point.x) * this.width / 2, y: (1 - point.y) * this.height / 2};
    }
}

const sideways = {x: 0, y: 0, z: 0}, upwards = {x: 0, y: 0, z: 0};

const set = (vector, factor, u, v, right, up) => {
    vector.x = factor * (u * right.x + v * up.x);
    vector.y = factor * (u * right.y + v * up.y);
    vector.z = factor * (u * right.z + v * up.z);
};

/** Sets the matrix of an object from its axes and its offset from the eye. */
export const place = (object, right, up, out, offset) => {
    object.matrixWorld.set(
        right.x, up.x, out.x, offset.x, right.y, up.y, out.y, offset.y, right.z, up.z, out.z, offset.z, 0, 0, 0, 1);
};
