// Details of the selected placement: its name, distance, contacts and pictures.

import {button, element, setText} from "./elements.js";
import {compassPoint} from "./figures.js";
import {Album} from "./pictures.js";
import {nameOf} from "./placements.js";
import {distance, line} from "./words.js";

/** Details with their own lines, in this order; addresses become links. */
const DETAILS = [
    ["address", "address"], ["openingHours", "open"], ["phone", "telephone"], ["email", "mail"], ["website", "web page"],
    ["wikipedia", "article"], ["wheelchair", "wheelchair"], ["operator", "run by"]];

/** Permitted schemes of links. */
const SCHEMES = ["http:", "https:", "tel:", "mailto:"];

export class PlaceCard {
    #shown = 0;

    /**
     * @param dialog Element of the card.
     * @param caller Calls of the daemon.
     * @param overlay Shows a picture over the view.
     * @param navigation Sets the destination.
     */
    constructor(dialog, caller, overlay, navigation) {
        Object.assign(this, {dialog, caller, navigation});
        this.title = dialog.querySelector("h2");
        this.summary = dialog.querySelector(".summary");
        this.list = dialog.querySelector("dl");
        this.text = dialog.querySelector(".description");
        this.members = dialog.querySelector("ul");
        this.album = new Album(dialog.querySelector(".album"), (picture) => {
            overlay.show(picture);
            dialog.close();
        });
        this.go = dialog.querySelector("[data-act=go]");
        this.go.addEventListener("click", () => this.#go());
        dialog.addEventListener("close", () => { this.#shown += 1; this.album.show([]); });
    }

    /** Shows a placement, or the place with this id as stored by the daemon. */
    async open(id, placement) {
        const request = ++this.#shown;
        const isPlace = id.startsWith("place/");
        const stored = isPlace ? (await this.caller.call("org.waymark.Scene.GetPlace", {id}))?.place : undefined;
        // While the daemon answered, another placement was selected, or the selection was removed.
        if (request !== this.#shown) return;
        if (stored || placement) this.#fill(stored ?? placement, placement);
        else this.#refuse(id);
        this.go.hidden = !isPlace || !stored || !this.navigation.isAllowed;
        this.go.value = id;
        if (!this.dialog.open) this.dialog.showModal();
    }

    /** Guides the wearer to the shown place. */
    async #go() {
        const request = this.#shown;
        setText(this.summary, "looking for a route …");
        const wrong = await this.navigation.navigate({place: this.go.value});
        if (request !== this.#shown) return;
        if (wrong) setText(this.summary, wrong);
        else this.dialog.close();
    }

    #refuse(id) {
        this.#fill({name: id});
        setText(this.summary, "the daemon does not have it any more");
    }

    #fill(known, placement) {
        const details = known.details ?? {};
        setText(this.title, `${known.favorite ? "★ " : ""}${nameOf(known) || line(known.kind)}`);
        setText(this.summary, summaryOf(known));
        this.list.replaceChildren(...DETAILS.filter(([name]) => details[name]).map(([name, title]) =>
            element("div", {}, element("dt", {}, title), element("dd", {}, linked(name, line(details[name]))))));
        // `line` replaces control characters, so each line of the description passes it separately.
        setText(this.text, (details.description ?? "").split("\n").map(line).join("\n"));
        this.members.replaceChildren(...(placement?.members ?? []).map((id) => this.#member(id)));
        this.album.show(details.pictures ?? []);
    }

    /** A place of a cluster, which opens its own card. */
    #member(id) {
        const link = button(line(id.replace(/^place\//, "")), {class: "link"}, () => this.open(id));
        this.caller.call("org.waymark.Scene.GetPlace", {id}).then((reply) => {
            if (reply) setText(link, `${line(reply.place.name)} · ${distance(reply.place.distance)}`);
        });
        return element("li", {}, link);
    }
}

const summaryOf = ({kind, category, distance: away, bearing}) => [
    line(category ?? kind), away === undefined ? "" : distance(away),
    bearing === undefined ? "" : compassPoint(bearing)].filter(Boolean).join(" · ");

const addressOf = (name, text) => {
    if (name === "phone") return `tel:${text.replace(/[^+\d]/g, "")}`;
    return name === "email" ? `mailto:${text}` : text;
};

/** A text, or a link if it is an address: opened in another tab, without a referrer. */
const linked = (name, text) => {
    const address = URL.parse(addressOf(name, text));
    if (!["phone", "email", "website", "wikipedia"].includes(name) || !SCHEMES.includes(address?.protocol)) {
        return text;
    }
    return element("a", {
        href: address.href, target: "_blank", rel: "noopener noreferrer", referrerpolicy: "no-referrer"}, text);
};
