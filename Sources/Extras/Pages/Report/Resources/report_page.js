// The page: its time bar, what a screen reader says, and the order of the drawings.

const now = element("span", {class: "now"});
const spoken = element("p", {class: "hidden", role: "status"});

/** What a screen reader says after a key has moved the cursor. */
const speak = () => {
    const values = plots.filter((plot) => plot.chart).flatMap((plot) => plot.chart.lines
        .filter((line) => line.style !== "replay").map((line) => [line.name, plot.value(line), plot.chart]));
    spoken.textContent = `${instant(time.cursor)}: ` + values.filter(([, value]) => value !== undefined)
        .map(([name, value, chart]) => `${name} ${readout(value, chart)}`).join(", ");
};

const drawCursor = () => {
    const length = time.to - time.from, decimals = length < 10 ? 1 : 0;
    now.textContent = time.cursor !== null ? `At ${instant(time.cursor)}`
        : `Shown: ${timeText(time.from, decimals)} to ${timeText(time.to, decimals)}${time.isUTC ? " UTC" : ""}`;
    for (const plot of plots) plot.drawCursor();
    map?.drawCursor();
};

// What the common time axis of two recordings is.
const axisNote = element("p", {class: "note"});
const axisText = () => time.isUTC ? "Both recordings are shown by UTC."
    : !knowUTC ? "UTC is not known of both recordings: they are shown by the time since their start."
        : overlap() ? "Both recordings are shown by the time since their start."
            : "The recordings are of different times: both are shown by the time since their start.";

const bar = () => {
    const made = element("div", {class: "bar", role: "toolbar", "aria-label": "Time shown in all plots"}, now,
        tool("−", "Zoom out in time", () => zoomTime(1 / 1.5)), tool("+", "Zoom in in time", () => zoomTime(1.5)),
        tool("◀", "Earlier", () => moveTime(-0.4)), tool("▶", "Later", () => moveTime(0.4)),
        tool("All", "Show all of the time", () => showTimes(time.least, time.most)));
    if (isPair && knowUTC) {
        const choice = tool("", "Common time axis: UTC or time since each start", () => {
            align(!time.isUTC);
            tell();
            redraw("plots");
        });
        const tell = () => {
            choice.textContent = time.isUTC ? "Time axis: UTC" : "Time axis: since start";
            axisNote.textContent = axisText();
        };
        tell();
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
        axisNote.textContent = axisText();
        parts.push(axisNote);
    }
    const charts = new Map(recordings.flatMap((recording) => recording.charts.map((chart) => [chart.id, chart])));
    const folds = new Map();
    for (const {id, fold} of charts.values()) {
        const found = recordings.flatMap((recording, index) => recording.charts.filter((chart) => chart.id === id)
            .map((chart) => new ValuePlot(recording, index, chart).figure));
        if (!fold) parts.push(...found);
        else folds.set(fold, [...folds.get(fold) ?? [], ...found]);
    }
    folds.set("States, and what was missing or wrong", recordings[0].bands.flatMap((_, place) => recordings.map(
        (recording, index) => new BandPlot(recording, index, recording.bands[place]).figure)));
    main.append(...parts, ...[...folds].map(([title, figures]) => folded(title, figures)));
};

/** Plots that are shown when they are asked for; which ones these are is remembered where the browser permits that. */
const folded = (title, figures) => {
    const made = element("details", {}, element("summary", {}, title), ...figures), key = `waymark report: ${title}`;
    try { made.open = localStorage.getItem(key) === "open"; } catch { /* It is forgotten. */ }
    made.addEventListener("toggle", () => {
        try { localStorage.setItem(key, made.open ? "open" : ""); } catch { /* It is forgotten. */ }
        redraw("plots");
    });
    return made;
};

build();
for (const {sheet} of [...plots, ...(map ? [map] : [])]) sheet.fit();
const print = (isPrinted) => {
    document.documentElement.classList.toggle("print", isPrinted);
    colours.read();
    stale.add("all");
    drawStale();
};
window.addEventListener("beforeprint", () => print(true));
window.addEventListener("afterprint", () => print(false));
redraw("all");
