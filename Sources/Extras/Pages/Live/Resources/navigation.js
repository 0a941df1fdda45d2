// The wearer's destination, set from this page where its server permits changes: a place, or a point of the map.

import {Caller} from "./connection.js";
import {setText} from "./elements.js";
import {figure} from "./figures.js";
import {line} from "./words.js";

export class Navigation {
    /** Whether the server permits changes; false until it has answered. */
    isAllowed = false;
    /** Connection of the pending change, whose answer may take seconds: each change has its own. */
    #caller = null;

    /** @param whenKnown Called when it is known whether changes are permitted. */
    constructor(whenKnown) { this.#begin(whenKnown); }

    async #begin(whenKnown) {
        const answer = await fetch("/access.json").catch(() => null);
        this.isAllowed = answer?.ok ? (await answer.json()).changes === true : false;
        whenKnown();
    }

    /** Guides the wearer to a place or location; returns the problem, empty if there is none. */
    navigate(destination) { return this.#change("NavigateTo", destination); }

    /** Ends the route. */
    end() { return this.#change("ClearRoute", {}); }

    async #change(method, parameters) {
        // Ending its connection cancels a pending request.
        this.#caller?.stop();
        let opened;
        const isOpen = new Promise((done) => { opened = done; });
        const caller = this.#caller = new Caller((code) => code === null || opened(false));
        caller.whenOpened = () => opened(true);
        caller.start();
        const answer = await isOpen ? await caller.ask(`org.waymark.Scene.${method}`, parameters) : undefined;
        caller.stop();
        if (!answer) return "the daemon does not answer";
        return answer.error ? problem(answer.error, answer.parameters ?? {}) : "";
    }
}

/** Text for an error of the daemon. */
const problem = (error, parameters) => {
    switch (error.split(".").at(-1)) {
    case "PermissionDenied":
        return "the program that serves this page may not change anything: its user needs the group waymark-change";
    case "NotLocalized": case "NavigationFailed": return line(parameters.reason);
    case "NavigationTimedOut": return "the navigator has not answered in time";
    case "NavigationSuperseded": return "another destination was chosen meanwhile";
    case "NoSuchPlace": return "the daemon does not have that place any more";
    default: return line(error);
    }
};

/** A point of the map that was pressed for long: the wearer can be led there. */
export class PointCard {
    #point = null;

    /**
     * @param section Element with a text, the button that goes there and the one that closes it.
     * @param navigation How to set the destination.
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
