// A 2-D canvas that fills its place in the page: its size in pixels of the page, its context, and what is drawn on it.

export const FONT = "system-ui, sans-serif";

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
        context.font = `11px ${FONT}`;
        return context;
    }
}

/** Strokes the path that `draw` makes. */
export const stroke = (context, {color, width = 1, opacity = 1, dash = []}, draw) => {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.globalAlpha = opacity;
    context.setLineDash(dash);
    context.beginPath();
    draw();
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
};

/**
 * Adds to the path a line through points, those from one index to before another.
 * @param pixel Gives the place of the point with an index. @param isBroken Whether the line has a gap before it.
 * @param mark Width of what is drawn where there is no other point between two gaps.
 */
export const trace = (context, from, to, pixel, {isBroken = () => false, mark = 0} = {}) => {
    for (let index = from; index < to; index += 1) {
        const {x, y} = pixel(index);
        if (index > from && !isBroken(index)) {
            context.lineTo(x, y);
            continue;
        }
        const isAlone = mark > 0 && (index + 1 === to || isBroken(index + 1));
        context.moveTo(isAlone ? x - mark / 2 : x, y);
        if (isAlone) context.lineTo(x + mark / 2, y);
    }
};

/** Makes a circle the path. */
export const circle = (context, x, y, radius) => {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
};

/** Makes a triangle or another polygon the path. */
export const polygon = (context, corners) => {
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(x, y);
    context.closePath();
};

/** Writes a text with a border in the colour of the paper. */
export const haloText = (context, text, x, y, color, paper) => {
    context.strokeStyle = paper;
    context.lineWidth = 3;
    context.strokeText(text, x, y);
    context.fillStyle = color;
    context.fillText(text, x, y);
};
