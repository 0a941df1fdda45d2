// What other programs offer to the estimator: a row for each source, with its trust.

import {Rows, make, setClass, setText} from "./elements.js";
import {age, figure, line} from "./words.js";

/** Classes of the states; one that is newer than this page has none. */
const CLASSES = {
    trusted: "good", used: "good", watched: "warning", waiting: "warning", refused: "bad", lost: "bad",
};

/** Texts of a row's cells after the name, in the order of the table's columns. */
const cellsOf = (source) => [figure(source.rate, 1, " Hz"), age(source.age), line(source.state)];

export class AidTable {
    constructor(table) {
        this.table = table;
        this.rows = new Rows(table.querySelector("tbody"), () => {
            const root = make("tr"), name = make("th"), cells = cellsOf({}).map(() => make("td"));
            name.scope = "row";
            root.append(name, ...cells);
            return {root, name, cells};
        });
    }

    /** Shows the sources; without any there is no table. */
    show(sources) {
        this.table.hidden = !sources.length;
        this.rows.show(sources, (row, source) => {
            setText(row.name, line(source.source));
            setClass(row.name, CLASSES[source.state]);
            cellsOf(source).forEach((text, index) => setText(row.cells[index], text));
        });
    }
}
