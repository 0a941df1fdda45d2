// The style sheet's colours, for what is drawn on a canvas.

export class Theme {
    /** Increases when the colours change. */
    version = 0;
    /** Whether the scheme is dark. */
    isDark = false;
    #element;
    #names;

    /** @param element Whose scheme counts, light or dark. @param names Variables of the style sheet, without their `--`. */
    constructor(element, names) {
        this.#element = element;
        this.#names = names;
        this.read();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.read());
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
