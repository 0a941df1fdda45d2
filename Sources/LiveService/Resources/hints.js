// Hints on the border of the view, for what is off it: a triangle that points the way, and a text.

import {colorOf} from "./colors.js";
import {make} from "./elements.js";
import {line, nameOf} from "./words.js";

/** Half the length of a triangle, and the inset of hints: shares of the view's height. */
const SIZE = 0.028, LEAST_SIZE = 9, INSET = 0.08;
/** Height of a row of texts, and their usual width by letter and beside the letters. Unit: pixels. */
const ROW = 22, LETTER = 7.2, PADDING = 18;

const textOf = (placement) => {
    const {count, turn} = placement.hint, name = nameOf(placement) || line(placement.kind);
    return `${name} ${Math.abs(turn).toFixed(0)}°${count ? ` +${count}` : ""}`;
};

export class Hints {
    #rows = [];
    /** Texts that lie above or below their triangles in this frame. */
    #taken = [];

    constructor(container) { this.container = container; }

    /** Shows the hints of these placements in a view of this size, in pixels. */
    show(placements, width, height) {
        let used = 0;
        this.#taken.length = 0;
        for (const placement of placements) {
            if (placement.hint) this.#place(this.#row(used++), placement, width, height);
        }
        for (let index = used; index < this.#rows.length; index += 1) this.#rows[index].root.hidden = true;
    }

    /** Distance towards the middle at which a text covers no other. */
    #free(x, isBelow, width) {
        let row = 0;
        while (this.#taken.some((other) => other.row === row && other.isBelow === isBelow
            && Math.abs(other.x - x) < (other.width + width) / 2)) row += 1;
        this.#taken.push({x, isBelow, width, row});
        return row * ROW;
    }

    #row(index) {
        if (this.#rows[index]) return this.#rows[index];
        const root = make("div"), triangle = make("i"), text = make("span");
        root.append(triangle, text);
        this.container.append(root);
        return this.#rows[index] = {root, triangle, text, shown: ""};
    }

    #place(row, placement, width, height) {
        const {u, v} = placement.hint, size = Math.max(LEAST_SIZE, SIZE * height);
        const x = (1 + u) * width / 2, y = (1 + v) * height / 2, turn = Math.atan2(v * height, u * width);
        const isSide = Math.abs(v) * height / 2 < height / 2 - INSET * height - size / 2;
        const inward = isSide ? "side" : "level";
        row.root.hidden = false;
        row.root.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        row.triangle.style.transform = `translate(-50%, -50%) rotate(${turn.toFixed(3)}rad) scale(${size / 10})`;
        const text = textOf(placement), away = isSide ? 0 : this.#free(x, v > 0, text.length * LETTER + PADDING);
        const key = `${text} ${placement.kind} ${inward} ${u > 0} ${v > 0} ${away}`;
        if (key === row.shown) return;
        row.shown = key;
        row.text.style.marginTop = `${v > 0 ? -away : away}px`;
        row.root.style.color = colorOf(placement.kind);
        row.text.textContent = text;
        row.text.className = inward + (u > 0 ? " right" : " left") + (v > 0 ? " below" : " above");
    }
}
