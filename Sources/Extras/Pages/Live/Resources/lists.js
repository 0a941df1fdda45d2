// Lists and tables that are kept and filled again, so that nothing jumps and focus stays.

import {element, setClass, setText} from "./elements.js";

/** Rows of a list or table. */
export class Rows {
    #rows = [];

    /** @param build Function that makes a row: an object with `root` and its parts. */
    constructor(container, build) { Object.assign(this, {container, build}); }

    show(items, fill) {
        items.forEach((item, index) => {
            const row = this.#rows[index] ??= this.#add();
            if (row.root.hidden) row.root.hidden = false;
            fill(row, item);
        });
        for (let index = items.length; index < this.#rows.length; index += 1) this.#rows[index].root.hidden = true;
    }

    #add() {
        const row = this.build();
        this.container.append(row.root);
        return row;
    }
}

/** A list of names and values; rows appear in the order in which they are first set, and stay. */
export class Facts {
    #rows = new Map();

    constructor(list) { this.list = list; }

    set(name, text, className = "") {
        const value = this.#rows.get(name) ?? this.#add(name);
        setText(value, text);
        setClass(value, className);
    }

    #add(name) {
        const value = element("dd");
        this.list.append(element("div", {}, element("dt", {}, name), value));
        this.#rows.set(name, value);
        return value;
    }
}

/** Rows of a table's body: each a name and that number of cells. */
export const tableRows = (table, count) => new Rows(table.querySelector("tbody"), () => {
    const name = element("th", {scope: "row"}), cells = Array.from({length: count}, () => element("td"));
    return {root: element("tr", {}, name, ...cells), name, cells};
});
