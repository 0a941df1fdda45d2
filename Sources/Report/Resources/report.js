//<![CDATA[
// Draws the recordings of the page's data: a map that zooms, plots over one time axis, and one cursor over all of them.
// All texts from recordings go into the page as text, never as markup.
"use strict";
(() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const recordings = data.recordings;
    const main = document.getElementById("drawings");
    const isPair = recordings.length > 1;
    // Class and colour of each recording on a page about two.
    const SIDES = ["first", "second"];
    const LEFT = 52, RIGHT = 10, TOP = 8, BOTTOM = 22;
    // Share of the values that determines the vertical range, so that a single peak does not flatten the rest.
    const SHOWN = 0.98;

    // MARK: data

    const sums = (differences) => {
        const times = new Float64Array(differences.length);
        let last = 0;
        differences.forEach((difference, index) => { last += difference; times[index] = last / 1000; });
        return times;
    };

    const prepare = (series) => {
        series.t = sums(series.t);
        series.gaps = new Set(series.gaps ?? []);
        return series;
    };

    recordings.forEach((recording, index) => {
        recording.side = SIDES[index];
        recording.tracks.forEach(prepare);
        if (recording.fixes) prepare(recording.fixes);
        recording.charts.forEach((chart) => chart.lines.forEach(prepare));
    });

    /** Index of the first time that is not before `time`. */
    const firstFrom = (times, time) => {
        let low = 0, high = times.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (times[middle] < time) low = middle + 1; else high = middle;
        }
        return low;
    };

    /** Index of the sample that stands for a time; -1 in a gap and beyond the ends. */
    const nearest = (series, time) => {
        const {t, gaps} = series, after = firstFrom(t, time), near = 1;
        const isBroken = after === 0 || after === t.length || gaps.has(after);
        const before = after - 1;
        if (isBroken) {
            if (before >= 0 && time - t[before] < near) return before;
            return after < t.length && t[after] - time < near ? after : -1;
        }
        return time - t[before] < t[after] - time ? before : after;
    };

    // MARK: time

    /** What is added to a recording's own time for the common axis: seconds of UTC, or nothing. */
    const time = {offsets: recordings.map(() => 0), isUTC: false, from: 0, to: 1, least: 0, most: 1, cursor: null};

    const knowUTC = recordings.every((recording) => recording.utc !== undefined);
    const overlap = () => {
        const [a, b] = recordings;
        return a.utc < b.utc + b.duration && b.utc < a.utc + a.duration;
    };

    const align = (isUTC) => {
        time.isUTC = isUTC;
        time.offsets = recordings.map((recording) => isUTC ? recording.utc : 0);
        time.least = Math.min(...time.offsets);
        time.most = Math.max(...recordings.map((recording, index) => time.offsets[index] + Math.max(recording.duration, 1)));
        [time.from, time.to, time.cursor] = [time.least, time.most, null];
    };

    const two = (number) => String(number).padStart(2, "0");

    const elapsed = (seconds, decimals) => {
        const unit = 10 ** decimals, units = Math.round(Math.max(0, seconds) * unit), whole = Math.floor(units / unit);
        const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
        const start = hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`;
        const fraction = decimals > 0 ? "." + String(units % unit).padStart(decimals, "0") : "";
        return `${start}:${two(whole % 60)}${fraction}`;
    };

    const clock = (seconds, decimals) => {
        const date = new Date(seconds * 1000);
        if (isNaN(date)) return "–";
        const text = date.toISOString();
        return decimals > 0 ? text.slice(11, 20 + decimals) : text.slice(11, 19);
    };

    const timeText = (at, decimals) => time.isUTC ? clock(at, decimals) : elapsed(at, decimals);

    /** The instant in words: time since the start, and UTC where it is known. */
    const instant = (at) => {
        if (time.isUTC) return `${clock(at, 1)} UTC`;
        const utc = !isPair && knowUTC ? `, ${clock(recordings[0].utc + at, 1)} UTC` : "";
        return elapsed(at, 1) + utc;
    };

    /** Shows the times from `from` to `to`, which are kept within the recordings. */
    const showTimes = (from, to) => {
        const whole = time.most - time.least, width = Math.min(Math.max(to - from, 0.2), whole);
        const start = Math.min(Math.max((from + to - width) / 2, time.least), time.most - width);
        [time.from, time.to] = [start, start + width];
        redraw("plots");
    };

    const zoomTime = (factor, about = time.cursor ?? (time.from + time.to) / 2) =>
        showTimes(about - (about - time.from) / factor, about + (time.to - about) / factor);

    const moveTime = (share) => {
        const step = share * (time.to - time.from);
        showTimes(time.from + step, time.to + step);
    };

    const setCursor = (at, isSpoken = false) => {
        time.cursor = at === null ? null : Math.min(Math.max(at, time.least), time.most);
        redraw("cursor");
        if (isSpoken) speak();
    };

    // MARK: drawing

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
        if (parts.has("all")) colours = readColours();
        if (parts.has("all") || parts.has("plots")) drawPlots();
        if (parts.has("all") || parts.has("map")) map?.draw();
        drawCursor();
        if (isFirst) performance.mark("drawn");
        isFirst = false;
    };

    const readColours = () => {
        const style = getComputedStyle(document.documentElement), found = {};
        for (const name of ["ink", "paper", "faint", "grid", "a", "b", "c", "fix", "replay", "scene", "first", "second", "mark"])
            found[name] = style.getPropertyValue("--" + name).trim();
        return found;
    };
    let colours = readColours();

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

    /** A context in pixels of the page, cleared. */
    const prepareCanvas = (canvas, height) => {
        const width = canvas.parentElement.clientWidth, ratio = window.devicePixelRatio || 1;
        canvas.style.height = height + "px";
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        const context = canvas.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.font = "11px system-ui, sans-serif";
        context.lineJoin = "round";
        return {context, width, height};
    };

    /** Smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, … that is not less than `wanted`. */
    const roundStep = (wanted) => {
        const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 1e-9)));
        return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= wanted * 0.999999);
    };

    const TIME_STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

    const drawTimeAxis = (context, width, height) => {
        const wanted = (time.to - time.from) / Math.max(2, (width - LEFT - RIGHT) / 110);
        const step = TIME_STEPS.find((step) => step >= wanted) ?? Math.ceil(wanted / 86400) * 86400;
        context.strokeStyle = colours.grid;
        context.fillStyle = colours.faint;
        context.textAlign = "center";
        context.textBaseline = "alphabetic";
        context.lineWidth = 1;
        for (let at = Math.ceil(time.from / step) * step; at <= time.to + 1e-9; at += step) {
            const x = placeTime(at, width);
            context.beginPath();
            context.moveTo(x, TOP / 2);
            context.lineTo(x, height - BOTTOM);
            context.stroke();
            if (x > LEFT + 15 && x < width - 24) context.fillText(timeText(at, step < 1 ? 1 : 0), x, height - 7);
        }
    };

    const placeTime = (at, width) => LEFT + (at - time.from) / (time.to - time.from) * (width - LEFT - RIGHT);
    const timeAt = (x, width) => time.from + (x - LEFT) / (width - LEFT - RIGHT) * (time.to - time.from);

    const drawPlots = () => {
        // The same quantity of two recordings has the same axis.
        const ranges = new Map();
        for (const plot of plots) {
            if (plot.values) ranges.set(plot.chart.id, [...(ranges.get(plot.chart.id) ?? []), ...plot.values()]);
        }
        const found = new Map([...ranges].map(([id, values]) => [id, values.sort((a, b) => a - b)]));
        for (const plot of plots) plot.draw(plot.values ? found.get(plot.chart.id) : undefined);
    };

    const readout = (value, chart) => value === undefined ? "–"
        : value.toFixed(chart.decimals) + (chart.unit === "°" ? "°" : " " + chart.unit);

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

        draw(values) {
            if (this.frame.hidden) return;
            const {context, width, height} = prepareCanvas(this.canvas, 190);
            const [low, high] = this.range(values);
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

    // MARK: the map

    class TrackMap {
        constructor() {
            this.view = {east: 0, north: 0, scale: 1};
            this.isFitted = false;
            this.canvas = element("canvas", {
                tabindex: "0", role: "img",
                "aria-label": "Map of the tracks, north up. Arrow keys move it, plus and minus zoom, 0 shows all."});
            this.scale = element("div", {class: "scale"});
            this.spots = recordings.map((recording) => element("div", {class: "spot " + (isPair ? recording.side : ""), hidden: "hidden"}));
            this.hint = element("p", {class: "hint"}, HINT);
            const tools = element("div", {class: "tools"},
                button("+", "Zoom the map in", () => this.zoom(1.5)), button("−", "Zoom the map out", () => this.zoom(1 / 1.5)),
                button("⤢", "Show all of the map", () => this.fit()));
            const frame = element("div", {class: "plot map"}, this.canvas, element("div", {class: "north"}, "N ↑"), this.scale, ...this.spots, tools);
            this.layers = recordings.flatMap((recording) => this.layersOf(recording));
            const toggles = element("div", {class: "toggles", role: "group", "aria-label": "Shown on the map"}, ...this.layers.map((layer) => this.toggle(layer)));
            this.figure = element("figure", {}, element("figcaption", {}, element("b", {}, "Tracks")), toggles, frame, this.hint);
            this.pointers = new Map();
            this.listen();
        }

        /** What can be shown of one recording, in the order in which it is drawn. */
        layersOf(recording) {
            const side = isPair ? recording.side : undefined, of = isPair ? `${recording.name}: ` : "";
            const layers = [];
            if (recording.fixes?.t.length) layers.push({
                recording, name: of + "fixes with their accuracy", colour: side ?? "fix", isShown: true,
                draw: (context) => this.drawFixes(context, recording.fixes, colours[side ?? "fix"])});
            if (recording.corrections?.length) layers.push({
                recording, name: of + "corrections", colour: "mark", isShown: !isPair,
                draw: (context) => this.drawCorrections(context, recording.corrections)});
            for (const track of recording.tracks) {
                const colour = side ?? track.style;
                // A replay that is the same to rounding would only hide what was published.
                const isHidden = track.style === "replay" && recording.exact || track.style === "scene" && isPair;
                layers.push({
                    recording, track, name: of + track.name, colour, isDashed: track.style !== "a",
                    isShown: !isHidden, draw: (context) => this.drawTrack(context, track, colours[colour])});
            }
            return layers;
        }

        toggle(layer) {
            const made = element("button", {type: "button", "aria-pressed": String(layer.isShown), class: layer.isDashed ? "dashed" : ""}, layer.name);
            made.style.setProperty("--swatch", `var(--${layer.colour})`);
            made.addEventListener("click", () => {
                layer.isShown = !layer.isShown;
                made.setAttribute("aria-pressed", String(layer.isShown));
                redraw("map");
            });
            return made;
        }

        // MARK: view

        get size() { return {width: this.canvas.parentElement.clientWidth, height: Math.max(260, Math.min(560, window.innerHeight * 0.6))}; }

        /** All tracks and fixes, with a margin. */
        fit() {
            let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
            for (const series of recordings.flatMap((recording) => [...recording.tracks, ...(recording.fixes ? [recording.fixes] : [])])) {
                for (const each of series.e) [west, east] = [Math.min(west, each), Math.max(east, each)];
                for (const each of series.n) [south, north] = [Math.min(south, each), Math.max(north, each)];
            }
            const {width, height} = this.size;
            const scale = Math.min((width - 60) / (east - west + 4), (height - 60) / (north - south + 4));
            this.view = {east: (west + east) / 2, north: (south + north) / 2, scale};
            this.whole = scale;
            redraw("map");
        }

        place(east, north) {
            const {width, height} = this.drawn;
            return [width / 2 + (east - this.view.east) * this.view.scale, height / 2 - (north - this.view.north) * this.view.scale];
        }

        /** Zooms about a point of the drawing, by default its middle. */
        zoom(factor, x = this.drawn.width / 2, y = this.drawn.height / 2) {
            const {width, height} = this.drawn, {view} = this;
            const [east, north] = [view.east + (x - width / 2) / view.scale, view.north - (y - height / 2) / view.scale];
            const scale = Math.min(Math.max(view.scale * factor, this.whole / 4), Math.max(400, this.whole));
            this.view = {scale, east: east - (x - width / 2) / scale, north: north + (y - height / 2) / scale};
            redraw("map");
        }

        pan(x, y) {
            this.view.east -= x / this.view.scale;
            this.view.north += y / this.view.scale;
            redraw("map");
        }

        // MARK: input

        listen() {
            const {canvas} = this;
            canvas.addEventListener("wheel", (event) => {
                event.preventDefault();
                const [x, y] = this.at(event);
                this.zoom(Math.exp(-event.deltaY / 400), x, y);
            }, {passive: false});
            canvas.addEventListener("pointerdown", (event) => {
                canvas.setPointerCapture(event.pointerId);
                this.pointers.set(event.pointerId, this.at(event));
                this.hasMoved = false;
                canvas.classList.add("dragged");
            });
            canvas.addEventListener("pointermove", (event) => this.move(event));
            for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => this.release(event));
            canvas.addEventListener("pointerleave", (event) => {
                if (event.pointerType === "mouse" && !this.pointers.size) setCursor(null);
            });
            canvas.addEventListener("dblclick", (event) => this.zoom(2, ...this.at(event)));
            canvas.addEventListener("keydown", (event) => this.press(event));
        }

        at(event) {
            const box = this.canvas.getBoundingClientRect();
            return [event.clientX - box.left, event.clientY - box.top];
        }

        move(event) {
            const now = this.at(event), before = this.pointers.get(event.pointerId);
            if (!before) return this.point(...now);
            if (Math.hypot(now[0] - before[0], now[1] - before[1]) > 3) this.hasMoved = true;
            if (!this.hasMoved) return;
            if (this.pointers.size === 2) {
                const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
                const spread = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]);
                if (spread(before) > 5) this.zoom(spread(now) / spread(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
            }
            const share = 1 / this.pointers.size;
            this.pan((now[0] - before[0]) * share, (now[1] - before[1]) * share);
            this.pointers.set(event.pointerId, now);
        }

        release(event) {
            this.pointers.delete(event.pointerId);
            if (!this.pointers.size) this.canvas.classList.remove("dragged");
            if (event.type !== "pointerup" || this.hasMoved) return;
            const now = this.at(event), correction = this.correctionAt(...now);
            if (correction) location.hash = correction.anchor; else this.point(...now);
        }

        press(event) {
            const step = 60, actions = {
                ArrowLeft: () => this.pan(step, 0), ArrowRight: () => this.pan(-step, 0),
                ArrowUp: () => this.pan(0, step), ArrowDown: () => this.pan(0, -step),
                "+": () => this.zoom(1.5), "=": () => this.zoom(1.5), "-": () => this.zoom(1 / 1.5), "0": () => this.fit(),
            };
            if (!actions[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
            event.preventDefault();
            actions[event.key]();
        }

        /** Moves the cursor to the time of the track's point under the pointer. */
        point(x, y) {
            let best = {distance: 40, at: null};
            for (const {track, recording} of this.layers.filter((layer) => layer.track && layer.isShown)) {
                for (let index = 0; index < track.t.length; index++) {
                    const [a, b] = this.place(track.e[index], track.n[index]), distance = Math.hypot(a - x, b - y);
                    if (distance < best.distance) best = {distance, at: track.t[index] + time.offsets[recordings.indexOf(recording)]};
                }
            }
            setCursor(best.at);
            const correction = this.correctionAt(x, y);
            this.hint.textContent = correction ? correction.text : HINT;
        }

        correctionAt(x, y) {
            const shown = this.layers.filter((layer) => layer.isShown && layer.name.endsWith("corrections"));
            return shown.flatMap((layer) => layer.recording.corrections).find((correction) => {
                const [a, b] = this.place(correction.e, correction.n);
                return Math.hypot(a - x, b - y) < 7;
            });
        }

        // MARK: drawing

        draw() {
            this.drawn = prepareCanvas(this.canvas, this.size.height);
            if (!this.isFitted) {
                this.isFitted = true;
                this.fit();
            }
            const {context} = this.drawn;
            for (const layer of this.layers) if (layer.isShown) layer.draw(context);
            this.drawScale();
        }

        drawTrack(context, track, colour) {
            context.strokeStyle = colour;
            context.lineWidth = track.style === "a" ? 2.2 : 1;
            context.globalAlpha = track.style === "replay" ? 0.7 : 1;
            context.setLineDash({a: [], replay: [7, 5], scene: [2, 3]}[track.style]);
            context.beginPath();
            for (let index = 0; index < track.t.length; index++) {
                const [x, y] = this.place(track.e[index], track.n[index]);
                if (index === 0 || track.gaps.has(index)) context.moveTo(x, y); else context.lineTo(x, y);
            }
            context.stroke();
            context.setLineDash([]);
            context.globalAlpha = 1;
        }

        drawFixes(context, fixes, colour) {
            const {width, height} = this.drawn, most = 300, step = Math.max(1, Math.ceil(fixes.t.length / most));
            context.fillStyle = colour;
            const isVisible = (x, y, radius) => x > -radius && y > -radius && x < width + radius && y < height + radius;
            context.globalAlpha = 0.06;
            for (let index = 0; index < fixes.t.length; index += step) {
                const [x, y] = this.place(fixes.e[index], fixes.n[index]), radius = Math.min(fixes.a[index] * this.view.scale, 3000);
                if (radius <= 0 || !isVisible(x, y, radius)) continue;
                context.beginPath();
                context.arc(x, y, radius, 0, 2 * Math.PI);
                context.fill();
            }
            context.globalAlpha = isPair ? 0.45 : 0.9;
            for (let index = 0; index < fixes.t.length; index++) {
                const [x, y] = this.place(fixes.e[index], fixes.n[index]);
                if (isVisible(x, y, 2)) context.fillRect(x - 1.5, y - 1.5, 3, 3);
            }
            context.globalAlpha = 1;
        }

        drawCorrections(context, corrections) {
            context.fillStyle = colours.mark;
            context.strokeStyle = colours.paper;
            context.lineWidth = 0.7;
            for (const correction of corrections) {
                // Marks grow with the square root of the correction.
                const size = Math.min(Math.max(2 + 2 * Math.sqrt(correction.size), 2.5), 8);
                const [x, y] = this.place(correction.e, correction.n);
                context.beginPath();
                context.moveTo(x, y - size);
                context.lineTo(x + size, y + size);
                context.lineTo(x - size, y + size);
                context.closePath();
                context.globalAlpha = 0.75;
                context.fill();
                context.globalAlpha = 1;
                context.stroke();
            }
        }

        drawScale() {
            const metres = roundStep(70 / this.view.scale);
            this.scale.style.width = metres * this.view.scale + "px";
            this.scale.textContent = metres >= 1000 ? `${metres / 1000} km` : metres < 1 ? `${Math.round(metres * 100)} cm` : `${metres} m`;
        }

        drawCursor() {
            recordings.forEach((recording, index) => {
                const track = recording.tracks.find((each) => each.style === "a"), spot = this.spots[index];
                const found = track && time.cursor !== null ? nearest(track, time.cursor - time.offsets[index]) : -1;
                spot.hidden = found < 0;
                if (found < 0) return;
                const [x, y] = this.place(track.e[found], track.n[found]);
                spot.style.left = x + "px";
                spot.style.top = y + "px";
            });
        }
    }

    const HINT = "Wheel, fingers or the buttons zoom the map and dragging moves it. Drag over a plot to zoom in time, double-click to "
        + "see all of it.";

    // MARK: the page

    const now = element("span", {class: "now"});
    const spoken = element("p", {class: "hidden", role: "status"});

    /** What a screen reader says after a key has moved the cursor. */
    const speak = () => {
        const values = plots.filter((plot) => plot.chart).flatMap((plot) => plot.chart.lines.filter((line) => line.style !== "replay")
            .map((line) => [line.name, plot.value(line), plot.chart]));
        spoken.textContent = `${instant(time.cursor)}: ` + values.filter(([, value]) => value !== undefined)
            .map(([name, value, chart]) => `${name} ${readout(value, chart)}`).join(", ");
    };

    const drawCursor = () => {
        const length = time.to - time.from, decimals = length < 10 ? 1 : 0;
        now.textContent = time.cursor !== null ? `At ${instant(time.cursor)}`
            : `Shown: ${timeText(time.from, decimals)} to ${timeText(time.to, decimals)}${time.isUTC ? " UTC" : ""}`;
        for (const plot of plots) plot.drawCursor();
        if (map?.drawn) map.drawCursor();
    };

    const bar = () => {
        const made = element("div", {class: "bar", role: "toolbar", "aria-label": "Time shown in all plots"}, now,
            button("−", "Zoom out in time", () => zoomTime(1 / 1.5)), button("+", "Zoom in in time", () => zoomTime(1.5)),
            button("◀", "Earlier", () => moveTime(-0.4)), button("▶", "Later", () => moveTime(0.4)),
            button("All", "Show all of the time", () => showTimes(time.least, time.most)));
        if (isPair && knowUTC) {
            const choice = button("", "Common time axis: UTC or time since each start", () => {
                align(!time.isUTC);
                choice.textContent = time.isUTC ? "UTC" : "Since start";
                redraw("plots");
            });
            choice.textContent = time.isUTC ? "UTC" : "Since start";
            made.append(choice);
        }
        return made;
    };

    const build = () => {
        align(isPair && knowUTC && overlap());
        const parts = [bar(), spoken];
        if (recordings.some((recording) => recording.tracks.length || recording.fixes?.t.length)) {
            map = new TrackMap();
            parts.push(map.figure);
        }
        if (isPair) {
            const text = time.isUTC ? "Both recordings are shown by UTC."
                : knowUTC ? "The recordings are of different times: both are shown by the time since their start."
                    : "UTC is not known of both recordings: they are shown by the time since their start.";
            parts.push(element("p", {class: "note"}, text));
        }
        recordings[0].charts.forEach((chart, place) => recordings.forEach((recording, index) =>
            parts.push(new ValuePlot(recording, index, recording.charts[place]).figure)));
        recordings[0].bands.forEach((band, place) => recordings.forEach((recording, index) =>
            parts.push(new BandPlot(recording, index, recording.bands[place]).figure)));
        main.append(...parts);
    };

    build();
    new ResizeObserver(() => redraw("all")).observe(main);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw("all"));
    const print = (isPrinted) => {
        document.documentElement.classList.toggle("print", isPrinted);
        stale.add("all");
        drawStale();
    };
    window.addEventListener("beforeprint", () => print(true));
    window.addEventListener("afterprint", () => print(false));
    redraw("all");
})();
//]]>
