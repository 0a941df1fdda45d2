// Elements of the page. Text from the daemon becomes text, never markup.

/** Sets the text of an element if it differs. */
export const setText = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
};

export const setClass = (element, name) => {
    if (element.className !== name) element.className = name;
};

export const make = (name, className = "", text = "") => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
};

/** Rows of a list or table that are reused, so that nothing jumps and the focus stays. */
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
        const row = make("div"), value = make("dd");
        row.append(make("dt", "", name), value);
        this.list.append(row);
        this.#rows.set(name, value);
        return value;
    }
}
