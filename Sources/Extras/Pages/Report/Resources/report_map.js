// The map of the tracks.

class TrackMap {
    constructor() {
        this.view = new MapView();
        this.isFitted = false;
        this.canvas = element("canvas", {
            tabindex: "0", role: "img",
            "aria-label": "Map of the tracks, north up. Arrow keys move it, plus and minus zoom, 0 shows all."});
        this.scale = element("div", {class: "scale"});
        this.spots = recordings.map((recording) => element("div", {class: "spot " + (isPair ? recording.side : ""), hidden: "hidden"}));
        this.usualHint = HINT;
        this.hint = element("p", {class: "hint"}, HINT);
        this.sheet = new Canvas(this.canvas, () => redraw("map"));
        const tools = element("div", {class: "tools"},
            button("+", "Zoom the map in", () => this.zoom(1.5)), button("−", "Zoom the map out", () => this.zoom(1 / 1.5)),
            button("⤢", "Show all of the map", () => this.fit()));
        if (isPair) recordings.forEach((recording, index) =>
            tools.append(button(String(index + 1), `Show ${recording.name} on the map`, () => this.fit([recording]))));
        const frame = element("div", {class: "plot map"}, this.canvas, element("div", {class: "north"}, "N ↑"), this.scale, ...this.spots, tools);
        this.layers = recordings.flatMap((recording) => this.layersOf(recording));
        const toggles = element("div", {class: "toggles", role: "group", "aria-label": "Shown on the map"}, ...this.layers.map((layer) => this.toggle(layer)));
        this.figure = element("figure", {class: "card"}, element("figcaption", {}, element("b", {}, "Tracks")), toggles, frame, this.hint);
        this.listen();
    }

    /** What can be shown of one recording, in the order in which it is drawn. */
    layersOf(recording) {
        const side = isPair ? recording.side : undefined, of = isPair ? `${recording.name}: ` : "";
        const layers = (recording.plans ?? []).map((plan) => ({
            recording, name: `${of}floor plan: ${plan.name}`, colour: "faint", isShown: true,
            draw: (context) => drawPlan(context, plan.lines, this.view, colours)}));
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
                recording, track, name: of + track.name, colour, isDashed: track.style === "replay", isDotted: track.style === "scene",
                isShown: !isHidden, draw: (context) => this.drawTrack(context, track, colours[colour])});
        }
        return layers;
    }

    toggle(layer) {
        const made = element("button", {type: "button", "aria-pressed": String(layer.isShown), class: layer.isDashed ? "dashed" : layer.isDotted ? "dotted" : ""}, layer.name);
        made.style.setProperty("--swatch", `var(--${layer.colour})`);
        made.addEventListener("click", () => {
            layer.isShown = !layer.isShown;
            made.setAttribute("aria-pressed", String(layer.isShown));
            redraw("map");
        });
        return made;
    }

    // MARK: view

    /** Outer bounds of the tracks and fixes of some recordings: west, east, south, north. */
    bounds(some) {
        let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
        for (const series of some.flatMap((recording) => [...recording.tracks, ...(recording.fixes ? [recording.fixes] : [])])) {
            for (const each of series.e) [west, east] = [Math.min(west, each), Math.max(east, each)];
            for (const each of series.n) [south, north] = [Math.min(south, each), Math.max(north, each)];
        }
        return [west, east, south, north];
    }

    /** Shows all of some recordings, with a margin; of recordings far apart one would see nothing but two points. */
    fit(some = recordings) {
        const {width, height} = this.sheet, [west, east, south, north] = this.bounds(some);
        if (!(east >= west)) return;
        const scale = Math.min((width - 60) / (east - west + 4), (height - 60) / (north - south + 4));
        Object.assign(this.view, {east: (west + east) / 2, north: (south + north) / 2, scale});
        this.whole = Math.min(this.whole ?? scale, scale);
        redraw("map");
    }

    /** The first view: all, or the first recording alone where the other is far away. */
    fitFirst() {
        this.fit();
        const extent = ([west, east, south, north]) => Math.max(east - west, north - south);
        const single = Math.max(...recordings.map((recording) => extent(this.bounds([recording]))).filter(isFinite));
        if (isPair && extent(this.bounds(recordings)) > 20 * Math.max(single, 50)) {
            this.usualHint = "The recordings are far apart: the buttons 1 and 2 show one of them each. " + HINT;
            this.hint.textContent = this.usualHint;
            this.fit([recordings.find((recording) => recording.tracks.length) ?? recordings[0]]);
        }
    }

    /** Zooms about a point of the drawing, by default its middle. */
    zoom(factor, x = this.sheet.width / 2, y = this.sheet.height / 2) {
        this.view.zoom(Math.min(Math.max(this.view.scale * factor, this.whole / 4), Math.max(400, this.whole)), x, y);
        redraw("map");
    }

    pan(right, down) {
        this.view.move(right, down);
        redraw("map");
    }

    // MARK: input

    listen() {
        const {canvas} = this;
        new Gestures(canvas, {
            drag: (right, down) => this.pan(right, down), pinch: (factor, x, y) => this.zoom(factor, x, y),
            press: (x, y) => this.choose(x, y)});
        canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            this.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
        }, {passive: false});
        canvas.addEventListener("pointermove", (event) => event.buttons || this.point(event.offsetX, event.offsetY));
        canvas.addEventListener("pointerleave", (event) => event.pointerType !== "mouse" || event.buttons || setCursor(null));
        canvas.addEventListener("dblclick", (event) => this.zoom(2, event.offsetX, event.offsetY));
        canvas.addEventListener("keydown", (event) => this.press(event));
    }

    /** Goes to the row of the correction that was pressed, else to the time of the track. */
    choose(x, y) {
        const correction = this.correctionAt(x, y);
        if (correction) location.hash = correction.anchor; else this.point(x, y);
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
                const at = this.view.place(track.e[index], track.n[index]), distance = Math.hypot(at.x - x, at.y - y);
                if (distance < best.distance) best = {distance, at: track.t[index] + time.offsets[recordings.indexOf(recording)]};
            }
        }
        setCursor(best.at);
        const correction = this.correctionAt(x, y);
        this.hint.textContent = correction ? correction.text : this.usualHint;
    }

    correctionAt(x, y) {
        const shown = this.layers.filter((layer) => layer.isShown && layer.name.endsWith("corrections"));
        return shown.flatMap((layer) => layer.recording.corrections).find((correction) => {
            const at = this.view.place(correction.e, correction.n);
            return Math.hypot(at.x - x, at.y - y) < 7;
        });
    }

    // MARK: drawing

    draw() {
        const {width, height} = this.sheet;
        if (!width) return;
        Object.assign(this.view, {width, height});
        if (!this.isFitted) {
            this.isFitted = true;
            this.fitFirst();
        }
        const context = begin(this.sheet);
        for (const layer of this.layers) if (layer.isShown) layer.draw(context);
        this.scale.style.width = this.view.bar.width + "px";
        this.scale.textContent = this.view.bar.label;
    }

    drawTrack(context, track, colour) {
        context.strokeStyle = colour;
        context.lineWidth = track.style === "a" ? 2.2 : 1;
        context.globalAlpha = track.style === "replay" ? 0.7 : 1;
        context.setLineDash({a: [], replay: [7, 5], scene: [2, 3]}[track.style]);
        context.beginPath();
        for (let index = 0; index < track.t.length; index++) {
            const {x, y} = this.view.place(track.e[index], track.n[index]);
            if (index === 0 || track.gaps.has(index)) context.moveTo(x, y); else context.lineTo(x, y);
        }
        context.stroke();
        context.setLineDash([]);
        context.globalAlpha = 1;
    }

    drawFixes(context, fixes, colour) {
        const {width, height} = this.sheet, most = 300, step = Math.max(1, Math.ceil(fixes.t.length / most));
        context.fillStyle = colour;
        const isVisible = (x, y, radius) => x > -radius && y > -radius && x < width + radius && y < height + radius;
        context.globalAlpha = 0.06;
        for (let index = 0; index < fixes.t.length; index += step) {
            const {x, y} = this.view.place(fixes.e[index], fixes.n[index]), radius = Math.min(fixes.a[index] * this.view.scale, 3000);
            if (radius <= 0 || !isVisible(x, y, radius)) continue;
            context.beginPath();
            context.arc(x, y, radius, 0, 2 * Math.PI);
            context.fill();
        }
        context.globalAlpha = isPair ? 0.45 : 0.9;
        for (let index = 0; index < fixes.t.length; index++) {
            const {x, y} = this.view.place(fixes.e[index], fixes.n[index]);
            if (isVisible(x, y, 2)) context.fillRect(x - 1.5, y - 1.5, 3, 3);
        }
        context.globalAlpha = 1;
    }

    drawCorrections(context, corrections) {
        context.fillStyle = colours.mark;
        context.strokeStyle = colours.card;
        context.lineWidth = 0.7;
        for (const correction of corrections) {
            // Marks grow with the square root of the correction.
            const size = Math.min(Math.max(2 + 2 * Math.sqrt(correction.size), 2.5), 8);
            const {x, y} = this.view.place(correction.e, correction.n);
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

    drawCursor() {
        recordings.forEach((recording, index) => {
            const track = recording.tracks.find((each) => each.style === "a"), spot = this.spots[index];
            const found = track && time.cursor !== null ? nearest(track, time.cursor - time.offsets[index]) : -1;
            spot.hidden = found < 0;
            if (found < 0) return;
            const {x, y} = this.view.place(track.e[found], track.n[found]);
            spot.style.left = x + "px";
            spot.style.top = y + "px";
        });
    }
}

const HINT = "Wheel, fingers or the buttons zoom the map and dragging moves it. Triangles are corrections, the larger the farther they "
    + "move content; a press on one shows its row below. Drag over a plot to zoom in time, double-click to see all of it.";
