// The wearer's eye: a pinhole camera at the pose. Everything is drawn relative to it, so that a walk of many kilometres
// loses no digits in the single precision of the graphics card.

import {RADIANS} from "./geometry.js";

/** Metres: what is nearer is behind the picture, and what is farther is not drawn. */
const NEAR = 0.05, FAR = 20_000;

export class Eye {
    camera = new THREE.PerspectiveCamera(60, 1, NEAR, FAR);
    /** Size of the picture in pixels of the page. */
    width = 1;
    height = 1;
    /** Horizontal field of view. Unit: degrees. */
    fieldOfView = 60;
    pose = null;
    #point = new THREE.Vector3();

    /** Sets the size of the picture and the horizontal field of view. */
    resize(width, height, fieldOfView) {
        Object.assign(this, {width, height, fieldOfView});
        const half = Math.tan(fieldOfView * RADIANS / 2) * height / width;
        this.camera.fov = 2 * Math.atan(half) / RADIANS;
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
    }

    /** Turns the camera as the body of a pose, which looks along -z as the camera does. */
    look(pose) {
        this.pose = pose;
        const q = pose.orientation;
        this.camera.quaternion.set(q.x, q.y, q.z, q.w).normalize();
        this.camera.updateMatrixWorld();
    }

    /** Pixels of the page by which a small angle in the middle of the picture is wide. Unit: pixels per radian. */
    get focal() { return this.width / 2 / Math.tan(this.fieldOfView * RADIANS / 2); }

    /** Place of an offset from the eye in pixels of the picture; null for what is behind. */
    pixel(offset) {
        const point = this.#point.set(offset.x, offset.y, offset.z).applyMatrix4(this.camera.matrixWorldInverse);
        if (point.z > -NEAR) return null;
        point.applyMatrix4(this.camera.projectionMatrix);
        return {x: (1 + point.x) * this.width / 2, y: (1 - point.y) * this.height / 2};
    }
}

/** Sets the matrix of an object from its axes and its offset from the eye. */
export const place = (object, right, up, out, offset) => {
    object.matrixWorld.set(
        right.x, up.x, out.x, offset.x, right.y, up.y, out.y, offset.y, right.z, up.z, out.z, offset.z, 0, 0, 0, 1);
};
