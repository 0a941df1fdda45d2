// Then and now: a picture of a place, such as an old photograph, over the view, with a slider for its transparency.

import {pictureOf} from "./album.js";

export class PictureOverlay {
    /** @param section Element with the picture, the slider and the button that ends it. */
    constructor(section) {
        this.section = section;
        this.picture = section.querySelector(".picture");
        this.slider = section.querySelector("input");
        this.slider.addEventListener("input", () => this.#mix());
        section.querySelector("button").addEventListener("click", () => this.hide());
        document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    }

    /** Shows a picture over the view, half transparent. */
    show(address) {
        this.picture.replaceChildren(pictureOf(address, () => this.hide()));
        this.slider.value = 50;
        this.#mix();
        this.section.hidden = false;
        this.slider.focus();
    }

    hide() {
        this.section.hidden = true;
        this.picture.replaceChildren();
    }

    #mix() { this.picture.style.opacity = this.slider.value / 100; }
}
