// The page: its time bar, what a screen reader says, and the order of the drawings.

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

// What the common time axis of two recordings is.
const axisNote = element("p", {class: "note"});
const axisText = () => time.isUTC ? "Both recordings are shown by UTC."
    : !knowUTC ? "UTC is not known of both recordings: they are shown by the time since their start."
        : overlap() ? "Both recordings are shown by the time since their start."
            : "The recordings are of different times: both are shown by the time since their start.";

const bar = () => {
    const made = element("div", {class: "bar", role: "toolbar", "aria-label": "Time shown in all plots"}, now,
        button("−", "Zoom out in time", () => zoomTime(1 / 1.5)), button("+", "Zoom in in time", () => zoomTime(1.5)),
        button("◀", "Earlier", () => moveTime(-0.4)), button("▶", "Later", () => moveTime(0.4)),
        button("All", "Show all of the time", () => showTimes(time.least, time.most)));
    if (isPair && knowUTC) {
        const choice = button("", "Common time axis: UTC or time since each start", () => {
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
    const ids = new Set(recordings.flatMap((recording) => recording.charts.map((chart) => chart.id)));
    ids.forEach((id) => recordings.forEach((recording, index) => {
        const chart = recording.charts.find((each) => each.id === id);
        if (chart) parts.push(new ValuePlot(recording, index, chart).figure);
    }));
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
