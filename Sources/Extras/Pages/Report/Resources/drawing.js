// What all drawings share: when they are drawn, colours, elements, axes.

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

const colours = new Theme(document.documentElement, [
    "ink", "card", "faint", "line", "turn", "cluster", "a", "b", "c", "replay", "scene", "first", "second", "fix", "mark"]);

const element = (name, attributes = {}, ...content) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined && value !== "") made.setAttribute(key, value);
    }
    made.append(...content);
    return made;
};

const button = (text, label, action) => {
    const made = element("button", {type: "button", "aria-label": label, title: label}, text);
    made.addEventListener("click", action);
    return made;
};

/** The cleared context of a canvas, for text of plots. */
const begin = (sheet) => {
    const context = sheet.begin();
    context.font = "11px system-ui, sans-serif";
    return context;
};

/** Smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, … that is not less than `wanted`. */
const stepFrom = (wanted) => {
    const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 1e-9)));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= wanted * 0.999999);
};

const TIME_STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

const drawTimeAxis = (context, width, height) => {
    const wanted = (time.to - time.from) / Math.max(2, (width - LEFT - RIGHT) / 110);
    const step = TIME_STEPS.find((step) => step >= wanted) ?? Math.ceil(wanted / 86400) * 86400;
    context.strokeStyle = colours.line;
    context.fillStyle = colours.faint;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.lineWidth = 1;
    for (let at = Math.ceil(time.from / step) * step; at <= time.to + 1e-9; at += step) {
        const x = placeTime(at, width);
        context.beginPath();
        context.moveTo(x, TOP - 4);
        context.lineTo(x, height - BOTTOM);
        context.stroke();
        if (x > LEFT + 15 && x < width - 24) context.fillText(timeText(at, step < 1 ? 1 : 0), x, height - 21);
    }
    context.fillText(time.isUTC ? "time of day, UTC" : "time since the start, minutes:seconds", (LEFT + width - RIGHT) / 2, height - 6);
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
        const both = [Math.min(other[0], plot.own[0]), Math.max(other[1], plot.own[1])], width = (range) => range[1] - range[0];
        ranges.set(plot.chart.id, width(both) > 20 * Math.min(width(other), width(plot.own)) ? null : both);
    }
    for (const plot of plots.filter((plot) => plot.sheet.width)) plot.draw(plot.values ? ranges.get(plot.chart.id) ?? plot.own : undefined);
};

const readout = (value, chart) => value === undefined ? "–"
    : value.toFixed(chart.decimals) + (chart.unit === "°" ? "°" : " " + chart.unit);
