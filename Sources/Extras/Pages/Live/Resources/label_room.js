// Room for labels in the view: fully visible, and clear of each other and of the hints.

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
        const box = {x: Math.min(Math.max(middle.x, half), this.#width - half), y: middle.y, width, height};
        if (this.#taken.some((other) => overlap(box, other, spare))) return false;
        this.#taken.push(label.box = box);
        return true;
    }
}

const overlap = (a, b, spare) => Math.abs(a.x - b.x) < (a.width + b.width) / 2 + spare
    && Math.abs(a.y - b.y) < (a.height + b.height) / 2 + spare;
