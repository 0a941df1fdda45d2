// Aid sources of other programs: a row for each source, with the estimator's trust in it.

import {Rows, make, setClass, setText} from "./elements.js";
import {age, figure, line} from "./words.js";

/** Classes of the states; states that are newer than this page have none. */
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

    /** Shows the sources; hides the table if there are none. */
    show(sources) {
        this.table.hidden = !sources.length;
        this.rows.show(sources, (row, source) => {
            setText(row.name, line(source.source));
            setClass(row.name, CLASSES[source.state]);
            cellsOf(source).forEach((text, index) => setText(row.cells[index], text));
        });
    }
}
