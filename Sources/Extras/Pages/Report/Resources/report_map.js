// The map of the tracks.

class TrackMap extends MapCard {
    isFitted = false;
    usualHint = HINT;
    hint = element("p", {class: "hint"}, HINT);
    spots = recordings.map(({side}) => element("div", {class: `spot ${isPair ? side : ""}`, hidden: "hidden"}));

    constructor() {
        super(element("div", {class: "plot map"}), {
            name: "Map of the tracks", sign: "⤢", label: "Show all of the map", zero: "shows all"});
        this.frame.append(...this.spots);
        if (isPair) recordings.forEach((recording, index) => this.tools.append(
            tool(String(index + 1), `Show ${recording.name} on the map`, () => this.fit([recording]))));
        this.layers = recordings.flatMap((recording) => this.layersOf(recording));
        const toggles = element("div", {class: "toggles", role: "group", "aria-label": "Shown on the map"},
            ...this.layers.map((layer) => this.toggle(layer)));
        const caption = element("figcaption", {}, element("b", {}, "Tracks"));
        this.figure = element("figure", {class: "card"}, caption, toggles, this.frame, this.hint);
        this.listen(this.sheet.element);
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
                recording, track, name: of + track.name, colour, line: {replay: "dashed", scene: "dotted"}[track.style],
                isShown: !isHidden, draw: (context) => this.drawTrack(context, track, colours[colour])});
        }
        return layers;
    }

    toggle(layer) {
        const made = button(layer.name, {"aria-pressed": String(layer.isShown), class: layer.line}, () => {
            layer.isShown = !layer.isShown;
            made.setAttribute("aria-pressed", String(layer.isShown));
            redraw("map");
        });
        made.style.setProperty("--swatch", `var(--${layer.colour})`);
        return made;
    }

    // MARK: view

    /** Outer bounds of the tracks and fixes of some recordings: west, east, south, north. */
    bounds(some) {
        let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
        for (const series of some.flatMap(({tracks, fixes}) => fixes ? [...tracks, fixes] : tracks)) {
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

    changed() { redraw("map"); }

    home() { this.fit(); }

    get limits() { return [this.whole / 4, Math.max(400, this.whole)]; }

    // MARK: input

    listen(canvas) {
        canvas.addEventListener("pointermove", (event) => event.buttons || this.point(event.offsetX, event.offsetY));
        canvas.addEventListener("pointerleave", (event) => {
            if (event.pointerType === "mouse" && !event.buttons) setCursor(null);
        });
        canvas.addEventListener("dblclick", (event) => this.zoom(2, event.offsetX, event.offsetY));
    }

    /** Goes to the row of the correction that was pressed, else to the time of the track. */
    pressed(x, y) {
        const correction = this.correctionAt(x, y);
        if (correction) location.hash = correction.anchor; else this.point(x, y);
    }

    /** Moves the cursor to the time of the track's point under the pointer. */
    point(x, y) {
        let best = {distance: 40, at: null};
        for (const {track, recording} of this.layers.filter((layer) => layer.track && layer.isShown)) {
            const offset = time.offsets[recordings.indexOf(recording)];
            for (let index = 0; index < track.t.length; index++) {
                const at = this.view.place(track.e[index], track.n[index]), distance = Math.hypot(at.x - x, at.y - y);
                if (distance < best.distance) best = {distance, at: track.t[index] + offset};
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
        const context = this.sheet.begin();
        for (const layer of this.layers) if (layer.isShown) layer.draw(context);
        this.showScale();
    }

    drawTrack(context, track, color) {
        const look = {a: {width: 2.2}, replay: {opacity: 0.7, dash: [7, 5]}, scene: {dash: [2, 3]}}[track.style];
        stroke(context, {color, ...look}, () => trace(
            context, 0, track.t.length, (index) => this.view.place(track.e[index], track.n[index]),
            {isBroken: (index) => track.gaps.has(index)}));
    }

    drawFixes(context, fixes, colour) {
        const {width, height} = this.sheet, most = 300, step = Math.max(1, Math.ceil(fixes.t.length / most));
        context.fillStyle = colour;
        const isVisible = (x, y, radius) => x > -radius && y > -radius && x < width + radius && y < height + radius;
        context.globalAlpha = 0.06;
        for (let index = 0; index < fixes.t.length; index += step) {
            const {x, y} = this.view.place(fixes.e[index], fixes.n[index]);
            const radius = Math.min(fixes.a[index] * this.view.scale, 3000);
            if (radius <= 0 || !isVisible(x, y, radius)) continue;
            circle(context, x, y, radius);
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
            const size = clamp(2 + 2 * Math.sqrt(correction.size), 2.5, 8);
            const {x, y} = this.view.place(correction.e, correction.n);
            polygon(context, [[x, y - size], [x + size, y + size], [x - size, y + size]]);
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

const HINT = "Wheel, fingers or the buttons zoom the map and dragging moves it. Triangles are corrections, the larger the "
    + "farther they move content; a press on one shows its row below. Drag over a plot to zoom in time, double-click to "
    + "see all of it.";
