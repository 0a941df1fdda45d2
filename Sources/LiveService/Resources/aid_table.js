// What other programs offer to the estimator: a row for each source, with its trust.

import {Rows, make, setClass, setText} from "./elements.js";
import {age, figure, line} from "./words.js";

/** Age of a camera's newest pose from which on its track is lost. Unit: seconds. */
const PATIENCE = 1;

const CLASSES = {
    trusted: "good", "in use": "good", watched: "warning", waiting: "warning", refused: "bad", lost: "bad",
};

/** Texts of a row's cells after the name, in the order of the table's columns. */
const cellsOf = (source, state) => [figure(source.rate, 1, " Hz"), age(source.age), state];

export class AidTable {
    constructor(table) {
        this.table = table;
        this.rows = new Rows(table.querySelector("tbody"), () => {
            const root = make("tr"), name = make("th"), cells = cellsOf({}, "").map(() => make("td"));
            name.scope = "row";
            root.append(name, ...cells);
            return {root, name, cells};
        });
    }

    /** Shows the sources; without any there is no table. */
    show(sources) {
        this.table.hidden = !sources.length;
        this.rows.show(sources, (row, source) => {
            const state = stateOf(source);
            setText(row.name, line(source.source));
            setClass(row.name, CLASSES[state]);
            cellsOf(source, state).forEach((text, index) => setText(row.cells[index], text));
        });
    }
}

/** State of a source, the worst of its kinds; a camera that is silent is "lost". Samples alone are not checked. */
const stateOf = source => {
    if (source.age === undefined) return "waiting";
    if (source.kinds.includes("odometry") && source.age > PATIENCE) return "lost";
    if (!source.trust.length) return "in use";
    const states = source.trust.map(trust => trust.state);
    if (states.includes("refused")) return "refused";
    return states.every(state => state === "trusted") ? "trusted" : "watched";
};
