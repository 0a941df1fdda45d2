// The pictures of a place: files of this page's server and of other servers. A picture is loaded only when the user
// asks for it, because the request reveals to another server which place the user looks at.

import {guarded} from "./connection.js";
import {element, setText} from "./elements.js";
import {line} from "./words.js";

export class Album {
    #addresses = [];
    #index = 0;

    /**
     * @param section Element with the button that loads, the frame of the picture and its tools.
     * @param overlaid Called with an address that is to be laid over the view.
     */
    constructor(section, overlaid) {
        this.section = section;
        this.load = section.querySelector("[data-act=load]");
        this.frame = section.querySelector("figure");
        this.picture = section.querySelector(".picture");
        this.caption = section.querySelector("figcaption");
        this.load.addEventListener("click", () => this.#turn(0));
        section.querySelector("[data-act=back]").addEventListener("click", () => this.#turn(-1));
        section.querySelector("[data-act=next]").addEventListener("click", () => this.#turn(1));
        section.querySelector("[data-act=over]").addEventListener("click", () =>
            overlaid(this.#addresses[this.#index].href));
        this.many = [...section.querySelectorAll("[data-act=back], [data-act=next]")];
    }

    /** Offers pictures, and forgets those of before. */
    show(addresses) {
        this.#addresses = addresses.map(addressOf).filter((each) => each !== null);
        this.#index = 0;
        this.picture.replaceChildren();
        this.section.hidden = !this.#addresses.length;
        this.load.hidden = false;
        this.frame.hidden = true;
        const hosts = [...new Set(this.#addresses.map((each) => each.host))].filter((each) => each !== location.host);
        setText(this.load, hosts.length ? `Load pictures from ${hosts.map(line).join(", ")}` : "Show pictures");
        for (const button of this.many) button.hidden = this.#addresses.length < 2;
    }

    #turn(step) {
        const count = this.#addresses.length;
        this.#index = (this.#index + step + count) % count;
        this.load.hidden = true;
        this.frame.hidden = false;
        const image = pictureOf(this.#addresses[this.#index].href, () => setText(this.caption, "it cannot be loaded"));
        setText(this.caption, count > 1 ? `${this.#index + 1} of ${count}` : "");
        this.picture.replaceChildren(image);
    }
}

/** Address of a picture; null for one of another kind. A name is that of a file of the server. */
const addressOf = (picture) => {
    if (/^[\w.-]+$/.test(picture)) return new URL(guarded(`/pictures/${picture}`), location.origin);
    const address = URL.parse(picture);
    return ["http:", "https:"].includes(address?.protocol) ? address : null;
};

/** An image of an address; the other computer does not learn from which page. */
const pictureOf = (address, failed) => {
    const image = element("img", {referrerpolicy: "no-referrer"});
    image.alt = "";
    image.addEventListener("error", failed);
    image.src = address;
    return image;
};

/** Then and now: a picture, such as an old photograph, over the view, more or less transparent by a slider. */
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

    /** Lays a picture over the view, half transparent. */
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
