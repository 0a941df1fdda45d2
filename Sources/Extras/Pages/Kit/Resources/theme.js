// The style sheet's colours, for what is drawn on a canvas.

/** Variables of theme.css, without their `--`. */
const COLOURS = ["ink", "faint", "line", "card", "accent", "route", "turn", "goal", "place", "cluster", "anchor", "band"];

export class Theme {
    /** Increases when the colours change. */
    version = 0;
    /** Whether the scheme is dark. */
    isDark = false;
    #element;
    #names;

    /**
     * @param element Whose scheme counts, light or dark. @param more Variables of the page's own style.
     * @param changed Called when the browser's scheme has changed.
     */
    constructor(element, more = [], changed = () => {}) {
        this.#element = element;
        this.#names = [...COLOURS, ...more];
        this.read();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
            this.read();
            changed();
        });
    }

    /** Only a used property, not a variable, has the colour of the scheme. */
    read() {
        const probe = document.createElement("i");
        this.#element.append(probe);
        for (const name of this.#names) {
            probe.style.color = `var(--${name})`;
            this[name] = getComputedStyle(probe).color;
        }
        probe.style.color = "light-dark(#fff, #000)";
        this.isDark = getComputedStyle(probe).color === "rgb(0, 0, 0)";
        probe.remove();
        this.version += 1;
    }
}
