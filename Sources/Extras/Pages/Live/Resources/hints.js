// Hints on the border of the view, for placements outside of it: a triangle that points to the placement, and a text in
// the box that the daemon reserves for it.

import {element, setText} from "./elements.js";
import {clamp} from "./figures.js";
import {Rows} from "./lists.js";
import {colorOf, nameOf} from "./placements.js";
import {line} from "./words.js";

/** Half the length of a triangle, relative to the view's height, and its minimum in pixels. */
const SIZE = 0.028, LEAST_SIZE = 9;
/** Size of the box for a text. Unit: pixels. */
const WIDTH = 176, HEIGHT = 22;

/** Size of the texts in a view of this height, as the daemon requires: relative to the height, to a hundredth. */
export const textSize = (height) => {
    const share = (pixels, least, most) => clamp(Math.ceil(100 * pixels / Math.max(1, height)) / 100, least, most);
    return {width: share(WIDTH, 0.02, 5), height: share(HEIGHT, 0.01, 0.5)};
};

const textOf = (placement) => {
    const {count, turn} = placement.hint, name = nameOf(placement) || line(placement.kind);
    return `${name} ${Math.abs(turn).toFixed(0)}°${count ? ` +${count}` : ""}`;
};

export class Hints {
    constructor(container) {
        this.rows = new Rows(container, () => {
            const triangle = element("i"), text = element("span");
            return {root: element("div", {}, triangle, text), triangle, text};
        });
    }

    /** Shows the hints of these placements in a view of this size, in pixels; returns the boxes that they take. */
    show(placements, width, height) {
        const taken = [];
        this.rows.show(placements, (row, placement) => this.#place(row, placement, width, height, taken));
        return taken;
    }

    #place(row, placement, width, height, taken) {
        const {u, v, box} = placement.hint, size = Math.max(LEAST_SIZE, SIZE * height);
        const x = (1 + u) * width / 2, y = (1 + v) * height / 2, turn = Math.atan2(v * height, u * width);
        row.root.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        row.triangle.style.transform = `translate(-50%, -50%) rotate(${turn.toFixed(3)}rad) scale(${size / 10})`;
        row.text.hidden = !box;
        taken.push({x, y, width: 2 * size, height: 2 * size});
        if (box) {
            const aside = (box.u - u) * width / 2, below = (box.v - v) * height / 2;
            row.text.style.transform = `translate(${aside.toFixed(1)}px, ${below.toFixed(1)}px) translate(-50%, -50%)`;
            row.text.style.maxWidth = `${(box.width * width / 2).toFixed(0)}px`;
            row.text.style.maxHeight = `${(box.height * height / 2).toFixed(0)}px`;
            taken.push({x: x + aside, y: y + below, width: box.width * width / 2, height: box.height * height / 2});
        }
        row.root.style.color = colorOf(placement.kind);
        setText(row.text, textOf(placement));
    }
}
