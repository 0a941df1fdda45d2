// Room for labels in the view: whole, and clear of each other and of the hints.

/** By which a label that was not shown has to be clear to be shown again, so that none flickers. Unit: pixels. */
const SPARE = 8;

export class LabelRoom {
    #taken = [];
    #width = 0;
    #height = 0;

    /** @param taken Boxes that are kept free in a view of this size: each `{x, y, width, height}` about its middle. */
    begin(taken, width, height) {
        this.#taken = taken;
        this.#width = width;
        this.#height = height;
    }

    /** Takes room for a label at a middle, for the mark at another, and sets its box; false where there is none. */
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
