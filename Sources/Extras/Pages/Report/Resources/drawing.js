// What all drawings share: when they are drawn, colours, axes.

const plots = [];
let map = null;
const stale = new Set();
let isFirst = true;

const redraw = (part) => {
    if (stale.size === 0) requestAnimationFrame(drawStale);
    stale.add(part);
};

const drawStale = () => {
    const parts = new Set(stale);
    stale.clear();
    if (parts.has("all") || parts.has("plots")) drawPlots();
    if (parts.has("all") || parts.has("map")) map?.draw();
    drawCursor();
    if (isFirst) performance.mark("drawn");
    isFirst = false;
};

/** Variables of this page's style. */
const COLOURS_OF_LINES = ["a", "b", "c", "replay", "scene", "first", "second", "fix", "mark"];
const colours = new Theme(document.documentElement, COLOURS_OF_LINES, () => redraw("all"));

const TIME_STEPS = [
    0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

/** Lines of an axis, each from a point to another. */
const drawGrid = (context, lines) => stroke(context, {color: colours.line}, () => {
    for (const [x, y, endX, endY] of lines) {
        context.moveTo(x, y);
        context.lineTo(endX, endY);
    }
});

const drawTimeAxis = (context, width, height) => {
    const wanted = (time.to - time.from) / Math.max(2, (width - LEFT - RIGHT) / 110);
    const step = TIME_STEPS.find((step) => step >= wanted) ?? Math.ceil(wanted / 86400) * 86400;
    const marks = [...ticks(time.from, time.to, step)].map((at) => ({at, x: placeTime(at, width)}));
    drawGrid(context, marks.map(({x}) => [x, TOP - 4, x, height - BOTTOM]));
    context.fillStyle = colours.faint;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    for (const {at, x} of marks) {
        if (x > LEFT + 15 && x < width - 24) context.fillText(timeText(at, step < 1 ? 1 : 0), x, height - 21);
    }
    const title = time.isUTC ? "time of day, UTC" : "time since the start, minutes:seconds";
    context.fillText(title, (LEFT + width - RIGHT) / 2, height - 6);
};

const placeTime = (at, width) => LEFT + (at - time.from) / (time.to - time.from) * (width - LEFT - RIGHT);
const timeAt = (x, width) => time.from + (x - LEFT) / (width - LEFT - RIGHT) * (time.to - time.from);

const drawPlots = () => {
    // The same quantity of two recordings has the same axis, unless one would then be a line at its edge.
    const ranges = new Map();
    for (const plot of plots.filter((plot) => plot.values)) {
        plot.own = plot.range(plot.values().sort((a, b) => a - b));
        const other = ranges.get(plot.chart.id);
        if (!other || !plot.chart.lines.length) {
            if (plot.chart.lines.length) ranges.set(plot.chart.id, plot.own);
            continue;
        }
        const both = [Math.min(other[0], plot.own[0]), Math.max(other[1], plot.own[1])];
        const width = (range) => range[1] - range[0];
        ranges.set(plot.chart.id, width(both) > 20 * Math.min(width(other), width(plot.own)) ? null : both);
    }
    for (const plot of plots.filter((plot) => plot.sheet.width)) {
        plot.draw(plot.values ? ranges.get(plot.chart.id) ?? plot.own : undefined);
    }
};

const readout = (value, {decimals, unit}) => figure(value, decimals, unit === "°" ? unit : ` ${unit}`);
