// A 2-D canvas that fills its card: its size in pixels of the page, and its context.

export class Canvas {
    /** Size in pixels of the page. */
    width = 0;
    height = 0;
    /** Increases when the size changes. */
    version = 0;

    constructor(canvas) {
        this.element = canvas;
        this.context = canvas.getContext("2d");
        new ResizeObserver(() => this.#fit()).observe(canvas);
        this.#fit();
    }

    #fit() {
        const ratio = devicePixelRatio || 1;
        this.width = this.element.clientWidth;
        this.height = this.element.clientHeight;
        this.element.width = Math.max(1, Math.round(this.width * ratio));
        this.element.height = Math.max(1, Math.round(this.height * ratio));
        this.version += 1;
    }

    /** The cleared context, in pixels of the page. */
    begin() {
        const ratio = devicePixelRatio || 1, {context} = this;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, this.width, this.height);
        context.globalAlpha = 1;
        context.lineJoin = context.lineCap = "round";
        return context;
    }
}
