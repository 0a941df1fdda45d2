// Plots of values and of periods over time.

/** What plots of values and of periods share: place in the page, cursor, and zooming in time. */
class Plot {
    constructor(recording, index, title, label) {
        this.recording = recording;
        this.index = index;
        this.caption = element("figcaption", {}, element("b", {}, title));
        if (isPair) this.caption.append(element("span", {class: "of " + recording.side}, recording.name));
        this.canvas = element("canvas", {tabindex: "0", role: "img", "aria-label": label});
        this.rule = element("div", {class: "rule", hidden: "hidden"});
        this.selection = element("div", {class: "selection", hidden: "hidden"});
        this.frame = element("div", {class: "plot"}, this.canvas, this.rule, this.selection);
        this.figure = element("figure", {}, this.caption, this.frame);
        this.pointers = new Map();
        this.listen();
        plots.push(this);
    }

    get offset() { return time.offsets[this.index]; }

    listen() {
        const {canvas} = this;
        canvas.addEventListener("pointerdown", (event) => this.press(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.release(event));
        canvas.addEventListener("pointercancel", (event) => this.release(event));
        canvas.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse" && !this.pointers.size) setCursor(null); });
        canvas.addEventListener("dblclick", () => showTimes(time.least, time.most));
        canvas.addEventListener("wheel", (event) => this.turn(event), {passive: false});
        canvas.addEventListener("keydown", timeKeys);
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
        const width = this.canvas.clientWidth, [a, b] = [this.began, at].map((each) => placeTime(each, width)).sort((x, y) => x - y);
        this.selection.hidden = false;
        this.selection.style.left = a + "px";
        this.selection.style.width = b - a + "px";
    }

    /** Keeps the times under two fingers under them. */
    pinch(event, at) {
        const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, value]) => value);
        const before = this.pointers.get(event.pointerId) - other, after = at - other;
        if (before * after > 0) zoomTime(Math.min(Math.max(after / before, 0.5), 2), other);
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

const timeKeys = (event) => {
    const step = (time.to - time.from) / (event.shiftKey ? 20 : 200), at = time.cursor ?? (time.from + time.to) / 2;
    const actions = {
        ArrowLeft: () => setCursor(at - step, true), ArrowRight: () => setCursor(at + step, true),
        Home: () => setCursor(time.from, true), End: () => setCursor(time.to, true),
        "+": () => zoomTime(1.5), "=": () => zoomTime(1.5), "-": () => zoomTime(1 / 1.5),
        PageUp: () => moveTime(-0.5), PageDown: () => moveTime(0.5),
        "0": () => showTimes(time.least, time.most), Escape: () => setCursor(null),
    };
    if (!actions[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    actions[event.key]();
    // The view follows a cursor that leaves it.
    if (time.cursor !== null && (time.cursor < time.from || time.cursor > time.to)) moveTime(time.cursor < time.from ? -0.5 : 0.5);
};

/** Lines of values over time. */
class ValuePlot extends Plot {
    constructor(recording, index, chart) {
        const title = `${chart.title}, ${chart.unit}`;
        super(recording, index, title, `${title}, ${chart.lines.map((line) => line.name).join(", ") || "no values"}. `
            + "Arrow keys move the cursor, plus and minus zoom in time, 0 shows all.");
        this.chart = chart;
        this.outputs = chart.lines.map((line) => element("output", {"aria-live": "off"}, ""));
        chart.lines.forEach((line, place) => this.caption.append(
            element("span", {class: "key " + line.style}, line.name + " ", this.outputs[place])));
        if (chart.lines.length === 0) {
            this.caption.append(" — nothing is known of it in this recording.");
            this.frame.hidden = true;
        }
        if (chart.note) this.figure.append(element("p", {class: "note"}, chart.note));
    }

    visible(line) {
        const from = firstFrom(line.t, time.from - this.offset), to = firstFrom(line.t, time.to - this.offset);
        return [Math.max(0, from - 1), Math.min(line.t.length, to + 1)];
    }

    values() {
        return this.chart.lines.flatMap((line) => line.v.slice(...this.visible(line)));
    }

    range(values) {
        if (this.chart.direction) return [0, 360];
        if (!values.length) return [0, 1];
        const spare = Math.floor((values.length - 1) * (1 - SHOWN) / 2);
        let [low, high] = [values[spare], values[values.length - 1 - spare]];
        // All of it, unless a peak would flatten the rest.
        if (values[values.length - 1] < high + 2 * (high - low)) high = values[values.length - 1];
        if (values[0] > low - 2 * (high - low)) low = values[0];
        if (this.chart.zero) [low, high] = [Math.min(0, low), Math.max(0, high)];
        const margin = Math.max(0.08 * (high - low), 0.002);
        return [this.chart.zero && low >= 0 ? 0 : low - margin, this.chart.zero && high <= 0 ? 0 : high + margin];
    }

    draw([low, high]) {
        if (this.frame.hidden) return;
        const {context, width, height} = prepareCanvas(this.canvas, 190);
        const place = (value) => height - BOTTOM - (Math.min(Math.max(value, low), high) - low) / (high - low) * (height - TOP - BOTTOM);
        drawTimeAxis(context, width, height);
        this.drawValueAxis(context, width, low, high, place);
        context.save();
        context.beginPath();
        context.rect(LEFT, 0, width - LEFT - RIGHT, height - BOTTOM + 1);
        context.clip();
        this.drawMarks(context, width, height);
        for (const line of this.chart.lines) if (line.s) this.drawBand(context, line, width, place);
        for (const line of this.chart.lines) this.drawLine(context, line, width, place);
        context.restore();
    }

    drawValueAxis(context, width, low, high, place) {
        const step = this.chart.direction ? 90 : roundStep((high - low) / 5);
        const decimals = Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
        context.textAlign = "right";
        context.textBaseline = "middle";
        for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step) {
            const y = place(value);
            context.beginPath();
            context.moveTo(LEFT, y);
            context.lineTo(width - RIGHT, y);
            context.stroke();
            context.fillText((Math.abs(value) < step / 2 ? 0 : value).toFixed(decimals), LEFT - 6, y);
        }
    }

    /** Corrections as ticks along the bottom, and periods as bars above them. */
    drawMarks(context, width, height) {
        context.strokeStyle = colours.mark;
        context.globalAlpha = 0.5;
        context.beginPath();
        for (const mark of this.recording.marks) {
            const x = placeTime(mark + this.offset, width);
            context.moveTo(x, height - BOTTOM);
            context.lineTo(x, height - BOTTOM - 5);
        }
        context.stroke();
        context.fillStyle = colours.b;
        for (const [, from, to] of this.chart.spans) {
            const [a, b] = [from, to].map((each) => placeTime(each + this.offset, width));
            context.globalAlpha = 0.12;
            context.fillRect(a, 0, Math.max(b - a, 1), height - BOTTOM);
            context.globalAlpha = 0.9;
            context.fillRect(a, height - BOTTOM - 4, Math.max(b - a, 2), 4);
        }
        context.globalAlpha = 1;
    }

    drawLine(context, line, width, place) {
        const isReplay = line.style === "replay", [from, to] = this.visible(line);
        context.strokeStyle = colours[line.style];
        context.globalAlpha = isReplay ? 0.7 : 1;
        context.lineWidth = isReplay ? 1 : 1.6;
        context.setLineDash(isReplay ? [6, 4] : []);
        context.beginPath();
        let isDown = false;
        for (let index = from; index < to; index++) {
            const isBroken = line.gaps.has(index) || this.chart.direction && index > from && Math.abs(line.v[index] - line.v[index - 1]) > 180;
            const x = placeTime(line.t[index] + this.offset, width), y = place(line.v[index]);
            if (isDown && !isBroken) context.lineTo(x, y); else context.moveTo(x, y);
            // A single sample is still a mark.
            if (!isDown || isBroken) context.lineTo(x + 1, y);
            isDown = true;
        }
        context.stroke();
        context.setLineDash([]);
        context.globalAlpha = 1;
    }

    drawBand(context, line, width, place) {
        const [from, to] = this.visible(line);
        context.fillStyle = colours[line.style];
        context.globalAlpha = 0.18;
        for (let start = from; start < to;) {
            let end = start + 1;
            while (end < to && !line.gaps.has(end)) end++;
            context.beginPath();
            for (let index = start; index < end; index++) context.lineTo(placeTime(line.t[index] + this.offset, width), place(line.v[index] + line.s[index]));
            for (let index = end - 1; index >= start; index--) context.lineTo(placeTime(line.t[index] + this.offset, width), place(line.v[index] - line.s[index]));
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

/** Periods of states or reasons: a row for each word. */
class BandPlot extends Plot {
    constructor(recording, index, band) {
        const words = [...new Set(band.spans.map(([word]) => word))];
        super(recording, index, band.title, `${band.title}: ${words.join(", ") || "none"}`);
        this.words = words;
        this.spans = band.spans;
        this.output = element("output", {}, "");
        if (words.length) this.caption.append(" ", this.output);
        else {
            this.caption.append(" — none.");
            this.frame.hidden = true;
        }
    }

    draw() {
        if (this.frame.hidden) return;
        // A word stands above its bars.
        const row = 31, {context, width, height} = prepareCanvas(this.canvas, this.words.length * row + BOTTOM);
        drawTimeAxis(context, width, height);
        context.textBaseline = "middle";
        context.textAlign = "left";
        context.lineWidth = 3;
        context.strokeStyle = colours.paper;
        this.words.forEach((word, place) => {
            context.fillStyle = colours.ink;
            context.strokeText(word, LEFT + 4, place * row + 10);
            context.fillText(word, LEFT + 4, place * row + 10);
            context.save();
            context.beginPath();
            context.rect(LEFT, 0, width - LEFT - RIGHT, height);
            context.clip();
            context.fillStyle = colours.a;
            context.globalAlpha = 0.75;
            for (const [each, from, to] of this.spans) {
                if (each !== word) continue;
                const [a, b] = [from, to].map((at) => placeTime(at + this.offset, width));
                context.fillRect(a, place * row + 18, Math.max(b - a, 1), 11);
            }
            context.restore();
        });
    }

    drawCursor() {
        this.drawRule();
        const at = time.cursor === null ? null : time.cursor - this.offset;
        const now = at === null ? [] : this.spans.filter(([, from, to]) => at >= from && at <= to).map(([word]) => word);
        this.output.textContent = at === null ? "" : [...new Set(now)].join(", ") || "–";
    }
}
