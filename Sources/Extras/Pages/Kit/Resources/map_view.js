// The part of a plane that a map shows, north up, and how it is moved and zoomed.

import {stepUpTo} from "./figures.js";

/** The widest scale bar. Unit: pixels. */
const BAR = 110;

export class MapView {
    /** The middle in metres, the scale in pixels by metre, and the size in pixels. */
    east = 0;
    north = 0;
    scale = 1;
    width = 1;
    height = 1;

    /** The pixel of a point in metres. */
    place = (east, north) => ({
        x: this.width / 2 + (east - this.east) * this.scale, y: this.height / 2 - (north - this.north) * this.scale});

    /** The point in metres at a pixel. */
    point(x, y) {
        return {
            east: this.east + (x - this.width / 2) / this.scale, north: this.north - (y - this.height / 2) / this.scale};
    }

    /** Moves what is seen by pixels. */
    move(right, down) {
        this.east -= right / this.scale;
        this.north += down / this.scale;
    }

    /** Sets the scale; what is at a pixel stays there. */
    zoom(scale, x, y) {
        const before = this.point(x, y);
        this.scale = scale;
        const after = this.point(x, y);
        this.east += before.east - after.east;
        this.north += before.north - after.north;
    }

    /** Width in pixels and text of the longest scale bar with a round number. */
    get bar() {
        const metres = stepUpTo(BAR / this.scale);
        return {width: metres * this.scale, label: lengthText(metres)};
    }
}

const lengthText = (metres) => {
    if (metres >= 1000) return `${metres / 1000} km`;
    return metres >= 1 ? `${metres} m` : `${metres * 100} cm`;
};
