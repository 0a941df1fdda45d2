// The pictures of a place: files of this page's server, and of other computers. A request would reveal to the latter
// which place the user views: they are loaded only on request.

import {make, setText} from "./elements.js";
import {guarded} from "./server_files.js";
import {line} from "./words.js";

export class Album {
    #addresses = [];
    #index = 0;

    /**
     * @param section Element with the button that loads, the frame of the picture and its tools.
     * @param overlaid Called with the address of a picture to show over the view.
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
        section.querySelector("[data-act=over]").addEventListener("click", () => overlaid(this.#addresses[this.#index].href));
        this.many = [...section.querySelectorAll("[data-act=back], [data-act=next]")];
    }

    /** Offers pictures in place of earlier ones. */
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

/** Address of a picture; null for an unsupported one. A name refers to a file of the server. */
const addressOf = (picture) => {
    if (/^[\w.-]+$/.test(picture)) return new URL(guarded(`/pictures/${picture}`), location.origin);
    const address = URL.parse(picture);
    return ["http:", "https:"].includes(address?.protocol) ? address : null;
};

/** An image of an address; the page's address is not sent to the other computer. */
export const pictureOf = (address, failed) => {
    const image = make("img");
    image.alt = "";
    image.referrerPolicy = "no-referrer";
    image.addEventListener("error", failed);
    image.src = address;
    return image;
};
