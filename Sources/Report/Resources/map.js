// The map of the tracks.

class TrackMap {
    constructor() {
        this.view = {east: 0, north: 0, scale: 1};
        this.isFitted = false;
        this.canvas = element("canvas", {
            tabindex: "0", role: "img",
            "aria-label": "Map of the tracks, north up. Arrow keys move it, plus and minus zoom, 0 shows all."});
        this.scale = element("div", {class: "scale"});
        this.spots = recordings.map((recording) => element("div", {class: "spot " + (isPair ? recording.side : ""), hidden: "hidden"}));
        this.usualHint = HINT;
        this.hint = element("p", {class: "hint"}, HINT);
        const tools = element("div", {class: "tools"},
            button("+", "Zoom the map in", () => this.zoom(1.5)), button("−", "Zoom the map out", () => this.zoom(1 / 1.5)),
            button("⤢", "Show all of the map", () => this.fit()));
        if (isPair) recordings.forEach((recording, index) =>
            tools.append(button(String(index + 1), `Show ${recording.name} on the map`, () => this.fit([recording]))));
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
        const layers = (recording.plans ?? []).map((plan) => ({
            recording, name: `${of}floor plan: ${plan.name}`, colour: "plan", isShown: true,
            draw: (context) => this.drawPlan(context, plan)}));
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

    get size() { return {width: this.canvas.parentElement.clientWidth, height: Math.max(260, Math.min(560, window.innerHeight * 0.6))}; }

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
        const {width, height} = this.size, [west, east, south, north] = this.bounds(some);
        if (!(east >= west)) return;
        const scale = Math.min((width - 60) / (east - west + 4), (height - 60) / (north - south + 4));
        this.view = {east: (west + east) / 2, north: (south + north) / 2, scale};
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
        this.hint.textContent = correction ? correction.text : this.usualHint;
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
            this.fitFirst();
        }
        const {context} = this.drawn;
        for (const layer of this.layers) if (layer.isShown) layer.draw(context);
        this.drawScale();
    }

    /** Lines of a floor plan: walls heaviest, doors across them, the rest thin. */
    drawPlan(context, plan) {
        const styles = {wall: [1.6, 0.9], room: [1.1, 0.8], door: [3, 0.5], floor: [0.8, 0.5], stairs: [0.8, 0.9], path: [0.8, 0.4], street: [0.8, 0.4]};
        context.strokeStyle = colours.plan;
        for (const [kind, [width, opacity]] of Object.entries(styles)) {
            context.lineWidth = width;
            context.globalAlpha = opacity;
            context.beginPath();
            for (const line of plan.lines) if (line.kind === kind) this.tracePath(context, line);
            context.stroke();
        }
        context.globalAlpha = 1;
    }

    /** Adds a line to the path; a single point is a mark of four pixels. */
    tracePath(context, line) {
        const isMark = line.e.length === 1;
        for (let index = 0; index < line.e.length; index++) {
            const [x, y] = this.place(line.e[index], line.n[index]);
            if (index) context.lineTo(x, y); else context.moveTo(isMark ? x - 2 : x, y);
            if (isMark) context.lineTo(x + 2, y);
        }
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
