// The card of the view if three.js is not installed: it reports that, and the rest of the page works.

import {setText} from "./elements.js";

export class ViewCard {
    view = null;

    constructor(section) {
        this.canvas = section.querySelector("canvas");
        section.classList.add("empty");
        const text = section.querySelector("#obstacle");
        text.hidden = false;
        setText(text.firstElementChild, "The 3-D view needs three.js");
        setText(text.lastElementChild,
            "install it on the board with “sudo apt-get install libjs-three”, then reload this page");
    }

    /** Parameters of the scene's subscription: the daemon's default display. */
    camera() { return {}; }

    /** Does nothing: the text is already shown. */
    explain() {}
}
