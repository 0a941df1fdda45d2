// Plots of values and of periods over time.

/** What plots of values and of periods share: place in the page, cursor, and zooming in time. */
class Plot {
    constructor(recording, index, title, label) {
        this.recording = recording;
        this.index = index;
        this.caption = element("figcaption", {}, element("b", {}, title));
        if (isPair) this.caption.append(element("span", {class: "of " + recording.side}, recording.name));
        this.canvas = element("canvas", {tabindex: "0", role: "img", "aria-label": label});
        this.sheet = new Canvas(this.canvas, () => redraw("plots"));
        this.rule = element("div", {class: "rule", hidden: "hidden"});
        this.selection = element("div", {class: "selection", hidden: "hidden"});
        this.frame = element("div", {class: "plot"}, this.canvas, this.rule, this.selection);
        this.figure = element("figure", {class: "card"}, this.caption, this.frame);
        this.pointers = new Map();
        this.listen();
        plots.push(this);
    }

    get offset() { return time.offsets[this.index]; }

    /** The pixel of a time of the recording. */
    place(at) { return placeTime(at + this.offset, this.sheet.width); }

    listen() {
        const {canvas} = this;
        canvas.addEventListener("pointerdown", (event) => this.press(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.release(event));
        canvas.addEventListener("pointercancel", (event) => this.release(event));
        canvas.addEventListener("pointerleave", (event) => {
            if (event.pointerType === "mouse" && !this.pointers.size) setCursor(null);
        });
        canvas.addEventListener("dblclick", () => showTimes(time.least, time.most));
        canvas.addEventListener("wheel", (event) => this.turn(event), {passive: false});
        onKeys(canvas, timeKeys);
    }

    at(event) { return timeAt(event.clientX - this.canvas.getBoundingClientRect().left, this.canvas.clientWidth); }

    press(event) {
        this.pointers.set(event.pointerId, this.at(event));
        if (event.pointerType === "mouse") {
            this.canvas.setPointerCapture(event.pointerId);
            this.began = this.at(event);
        }
        setCursor(this.at(event));
    }

    move(event) {
        const at = this.at(event);
        if (this.pointers.size === 2 && this.pointers.has(event.pointerId)) return this.pinch(event, at);
        setCursor(at);
        if (this.began === undefined) return;
        const width = this.canvas.clientWidth;
        const [a, b] = [this.began, at].map((each) => placeTime(each, width)).sort((x, y) => x - y);
        this.selection.hidden = false;
        this.selection.style.left = a + "px";
        this.selection.style.width = b - a + "px";
    }

    /** Keeps the times under two fingers under them. */
    pinch(event, at) {
        const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, value]) => value);
        const before = this.pointers.get(event.pointerId) - other, after = at - other;
        if (before * after > 0) zoomTime(clamp(after / before, 0.5, 2), other);
    }

    release(event) {
        this.pointers.delete(event.pointerId);
        if (this.began === undefined) return;
        const [from, to] = [this.began, this.at(event)].sort((a, b) => a - b);
        this.began = undefined;
        this.selection.hidden = true;
        const width = this.canvas.clientWidth;
        if (event.type === "pointerup" && placeTime(to, width) - placeTime(from, width) > 6) showTimes(from, to);
    }

    /** With Ctrl or Shift; the wheel alone scrolls the page. */
    turn(event) {
        if (!event.ctrlKey && !event.shiftKey) return;
        event.preventDefault();
        const delta = event.deltaY || event.deltaX;
        if (event.ctrlKey) zoomTime(Math.exp(-delta / 400), this.at(event)); else moveTime(Math.sign(delta) * 0.1);
    }

    drawRule() {
        const isShown = time.cursor !== null && time.cursor >= time.from && time.cursor <= time.to;
        this.rule.hidden = !isShown;
        if (isShown) this.rule.style.left = placeTime(time.cursor, this.canvas.clientWidth) + "px";
    }
}

/** What keys do in a plot. */
const timeKeys = (event) => {
    const step = (time.to - time.from) / (event.shiftKey ? 20 : 200), at = time.cursor ?? (time.from + time.to) / 2;
    return {
        ArrowLeft: () => setCursor(at - step, true), ArrowRight: () => setCursor(at + step, true),
        Home: () => setCursor(time.from, true), End: () => setCursor(time.to, true),
        "+": () => zoomTime(1.5), "=": () => zoomTime(1.5), "-": () => zoomTime(1 / 1.5),
        PageUp: () => moveTime(-0.5), PageDown: () => moveTime(0.5),
        "0": () => showTimes(time.least, time.most), Escape: () => setCursor(null),
    };
};

/** Lines of values over time. */
class ValuePlot extends Plot {
    constructor(recording, index, chart) {
        const names = chart.lines.map((line) => line.name).join(", ") || "no values";
        super(recording, index, chart.title, `${chart.title}, ${chart.axis}, ${names}. `
            + "Arrow keys move the cursor, plus and minus zoom in time, 0 shows all.");
        this.chart = chart;
        this.outputs = chart.lines.map((line) => element("output", {"aria-live": "off"}, ""));
        chart.lines.forEach((line, place) => this.caption.append(
            element("span", {class: "key " + line.style}, line.name + " ", this.outputs[place])));
        if (chart.lines.length === 0) {
            this.caption.append(" — none in this recording.");
            this.frame.hidden = true;
        }
        this.beyond = element("span", {class: "beyond"});
        this.caption.append(this.beyond);
        if (chart.spans.length) this.caption.append(element("span", {class: "key spans"}, "not used"));
        if (chart.note) this.figure.append(element("p", {class: "note"}, chart.note));
    }

    visible(line) {
        const from = firstFrom(line.t, time.from - this.offset), to = firstFrom(line.t, time.to - this.offset);
        return [Math.max(0, from - 1), Math.min(line.t.length, to + 1)];
    }

    values() {
        return this.chart.lines.flatMap((line) => {
            const [from, to] = this.visible(line), shown = line.drawn.slice(from, to);
            const band = (sign) => shown.map((value, index) => value + sign * line.s[from + index]);
            return line.s ? [...band(-1), ...band(1)] : shown;
        });
    }

    /** The range of most values, and of all where that is not much more; what is outside is marked. */
    range(values) {
        if (!values.length) return [0, 1];
        const spare = Math.ceil(values.length * (1 - SHOWN) / 2), last = values.length - 1;
        let [low, high] = values.length < 8 ? [values[0], values[last]] : [values[spare], values[last - spare]];
        const width = high - low;
        if (values[last] < high + 3 * width || !width) high = values[last];
        if (values[0] > low - 3 * width || !width) low = values[0];
        if (this.chart.zero && !this.chart.direction) [low, high] = [Math.min(0, low), Math.max(0, high)];
        const margin = this.chart.direction ? Math.max(0.08 * (high - low), 2) : Math.max(0.08 * (high - low), 0.002);
        const isFromZero = this.chart.zero && !this.chart.direction;
        return [isFromZero && low >= 0 ? 0 : low - margin, isFromZero && high <= 0 ? 0 : high + margin];
    }

    draw([low, high]) {
        if (this.frame.hidden) return;
        const context = this.sheet.begin(), {width, height} = this.sheet;
        const place = (value) => {
            const share = (clamp(value, low, high) - low) / (high - low);
            return height - BOTTOM - share * (height - TOP - BOTTOM);
        };
        drawTimeAxis(context, width, height);
        this.drawValueAxis(context, width, low, high, place);
        context.save();
        context.beginPath();
        context.rect(LEFT, 0, width - LEFT - RIGHT, height - BOTTOM + 1);
        context.clip();
        this.drawSpans(context, height);
        for (const line of this.chart.lines) if (line.s) this.drawBand(context, line, place);
        for (const line of this.chart.lines) this.drawLine(context, line, place);
        this.drawOutliers(context, low, high, place);
        context.restore();
    }

    /** Triangles at the edge where values are outside, and beside the title their number and the farthest. */
    drawOutliers(context, low, high, place) {
        const sides = [{edge: high, sign: 1, count: 0, most: high}, {edge: low, sign: -1, count: 0, most: low}];
        for (const line of this.chart.lines) {
            context.fillStyle = colours[line.style];
            for (let index = this.visible(line)[0], end = this.visible(line)[1]; index < end; index++) {
                const side = sides.find(({edge, sign}) => (line.drawn[index] - edge) * sign > 0);
                if (!side) continue;
                side.count += 1;
                side.most = side.sign * Math.max(side.sign * side.most, side.sign * line.drawn[index]);
                const x = this.place(line.t[index]), y = place(side.edge);
                polygon(context, [[x, y - 1], [x - 4, y + side.sign * 6], [x + 4, y + side.sign * 6]]);
                context.fill();
            }
        }
        this.beyond.textContent = sides.filter((side) => side.count).map(({count, most, sign}) =>
            `${sign > 0 ? "▲" : "▼"} ${count} ${count > 1 ? "values" : "value"} outside, to ${readout(most, this.chart)}`).join(" ");
    }

    drawValueAxis(context, width, low, high, place) {
        const wanted = (high - low) / 5, turns = [1, 2, 5, 10, 15, 30, 45, 90, 180, 360];
        const step = this.chart.direction ? turns.find((turn) => turn >= wanted) ?? 360 : stepFrom(wanted);
        context.textAlign = "left";
        context.fillText(this.chart.axis, 6, 12);
        const decimals = clamp(-Math.floor(Math.log10(step) + 1e-9), 0, 6);
        context.textAlign = "right";
        context.textBaseline = "middle";
        const values = [...ticks(low, high, step)];
        drawGrid(context, values.map((value) => [LEFT, place(value), width - RIGHT, place(value)]));
        for (const value of values) {
            const text = this.chart.direction ? directionText(value) : value.toFixed(decimals);
            context.fillText(text, LEFT - 6, place(value));
        }
    }

    /** Periods, as bars along the bottom. */
    drawSpans(context, height) {
        context.fillStyle = colours.b;
        for (const [, from, to] of this.chart.spans) {
            const a = this.place(from), b = this.place(to);
            context.globalAlpha = 0.12;
            context.fillRect(a, 0, Math.max(b - a, 1), height - BOTTOM);
            context.globalAlpha = 0.9;
            context.fillRect(a, height - BOTTOM - 4, Math.max(b - a, 2), 4);
        }
        context.globalAlpha = 1;
    }

    drawLine(context, line, place) {
        const isReplay = line.style === "replay", [from, to] = this.visible(line);
        const look = {color: colours[line.style], ...isReplay ? {width: 1, opacity: 0.7, dash: [6, 4]} : {width: 1.6}};
        const pixel = (index) => ({x: this.place(line.t[index]), y: place(line.drawn[index])});
        stroke(context, look, () => trace(context, from, to, pixel, {isBroken: (index) => line.gaps.has(index), mark: 1}));
    }

    drawBand(context, line, place) {
        const [from, to] = this.visible(line);
        const edge = (index, sign) =>
            context.lineTo(this.place(line.t[index]), place(line.drawn[index] + sign * line.s[index]));
        context.fillStyle = colours[line.style];
        context.globalAlpha = 0.18;
        for (let start = from; start < to;) {
            let end = start + 1;
            while (end < to && !line.gaps.has(end)) end++;
            context.beginPath();
            for (let index = start; index < end; index++) edge(index, 1);
            for (let index = end - 1; index >= start; index--) edge(index, -1);
            context.fill();
            start = end;
        }
        context.globalAlpha = 1;
    }

    /** Value of a line at the cursor; undefined where it has none. */
    value(line) {
        const index = time.cursor === null ? -1 : nearest(line, time.cursor - this.offset);
        return index < 0 ? undefined : line.v[index];
    }

    drawCursor() {
        this.drawRule();
        this.chart.lines.forEach((line, place) => {
            this.outputs[place].textContent = time.cursor === null ? "" : readout(this.value(line), this.chart);
        });
    }
}

/** A direction at an axis, with its letter where it is north, east, south or west. */
const directionText = (value) => {
    const degrees = modulo(value, 360);
    return `${degrees.toFixed(0)}° ${degrees % 90 ? "" : compassPoint(degrees)}`;
};

/** Height of a row, in which a word stands above its bars. Unit: pixels. */
const ROW = 31;

/** Periods of states or reasons: a row for each word. */
class BandPlot extends Plot {
    constructor(recording, index, band) {
        const words = [...new Set(band.spans.map(([word]) => word))];
        super(recording, index, band.title, `${band.title}: ${words.join(", ") || "none"}`);
        this.words = words;
        this.spans = band.spans;
        this.output = element("output", {}, "");
        this.canvas.style.height = words.length * ROW + BOTTOM + "px";
        if (words.length) this.caption.append(" ", this.output);
        else {
            this.caption.append(" — none.");
            this.frame.hidden = true;
        }
    }

    draw() {
        if (this.frame.hidden) return;
        const context = this.sheet.begin(), {width, height} = this.sheet;
        drawTimeAxis(context, width, height);
        context.textBaseline = "middle";
        context.textAlign = "left";
        this.words.forEach((word, row) => {
            haloText(context, word, LEFT + 4, row * ROW + 10, colours.ink, colours.card);
            context.save();
            context.beginPath();
            context.rect(LEFT, 0, width - LEFT - RIGHT, height);
            context.clip();
            context.fillStyle = colours.a;
            context.globalAlpha = 0.75;
            for (const [each, from, to] of this.spans) {
                if (each !== word) continue;
                const a = this.place(from), b = this.place(to);
                context.fillRect(a, row * ROW + 18, Math.max(b - a, 1), 11);
            }
            context.restore();
        });
    }

    drawCursor() {
        this.drawRule();
        const at = time.cursor === null ? null : time.cursor - this.offset;
        const now = this.spans.filter(([, from, to]) => at >= from && at <= to).map(([word]) => word);
        this.output.textContent = at === null ? "" : [...new Set(now)].join(", ") || UNKNOWN;
    }
}
