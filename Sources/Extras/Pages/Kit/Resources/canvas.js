// A 2-D canvas that fills its place in the page: its size in pixels of the page, and its context.

export class Canvas {
    /** Size in pixels of the page. */
    width = 0;
    height = 0;
    /** Increases when the size changes. */
    version = 0;

    /** @param resized Called when the size has changed, and with it all that was drawn has gone. */
    constructor(canvas, resized = () => {}) {
        this.element = canvas;
        this.context = canvas.getContext("2d");
        new ResizeObserver(() => this.fit() && resized()).observe(canvas);
        this.fit();
    }

    /** Takes the size that the page gives it; false where it is as before. */
    fit() {
        const ratio = devicePixelRatio || 1, {clientWidth, clientHeight} = this.element;
        if (this.width === clientWidth && this.height === clientHeight && this.ratio === ratio) return false;
        Object.assign(this, {width: clientWidth, height: clientHeight, ratio});
        this.element.width = Math.max(1, Math.round(this.width * ratio));
        this.element.height = Math.max(1, Math.round(this.height * ratio));
        this.version += 1;
        return true;
    }

    /** The cleared context, in pixels of the page. */
    begin() {
        const {context, ratio} = this;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, this.width, this.height);
        context.globalAlpha = 1;
        context.lineJoin = context.lineCap = "round";
        return context;
    }
}
