// A long-pressed point of the map: the wearer can be guided there, if the server permits it.

import {setText} from "./elements.js";
import {figure} from "./words.js";

export class PointCard {
    #point = null;

    /**
     * @param section Element with a text, the button that goes there and the one that closes it.
     * @param navigation Sets the destination.
     */
    constructor(section, navigation) {
        Object.assign(this, {section, navigation});
        this.text = section.querySelector("p");
        section.querySelector("[data-act=go]").addEventListener("click", () => this.#go());
        section.querySelector("[data-act=close]").addEventListener("click", () => this.close());
    }

    /** Asks whether to go to a point, an object with latitude and longitude. */
    open(point) {
        if (!this.navigation.isAllowed) return;
        this.#point = point;
        setText(this.text, `${figure(point.latitude, 5, "°")} ${figure(point.longitude, 5, "°")}`);
        this.section.hidden = false;
        this.section.querySelector("[data-act=go]").focus();
    }

    close() { this.section.hidden = true; }

    async #go() {
        const point = this.#point;
        setText(this.text, "looking for a route …");
        const wrong = await this.navigation.navigate({location: point});
        if (this.#point !== point) return;
        if (wrong) setText(this.text, wrong);
        else this.close();
    }
}
