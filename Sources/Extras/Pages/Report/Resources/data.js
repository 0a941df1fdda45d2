// The data of the page, decoded: times in seconds, and what stands for an instant.

const data = JSON.parse(document.getElementById("data").textContent);
const recordings = data.recordings;
const main = document.getElementById("drawings");
const isPair = recordings.length > 1;
// Class and colour of each recording on a page about two.
const SIDES = ["first", "second"];
const LEFT = 52, RIGHT = 10, TOP = 22, BOTTOM = 36;
// Share of the values that determines the vertical range, so that outliers do not flatten the rest.
const SHOWN = 0.9;

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

/** Values of a direction without its jumps at north, near those of `beside`: 370° for 10° after 350°. */
const unwrap = (values, beside) => {
    let last = beside?.[0] ?? values[0];
    return values.map((value) => last += wrapped(value - last));
};

const prepareChart = (chart) => {
    chart.lines.forEach(prepare);
    for (const line of chart.lines) line.drawn = chart.direction ? unwrap(line.v, chart.lines[0].drawn) : line.v;
};

recordings.forEach((recording, index) => {
    recording.side = SIDES[index];
    recording.tracks.forEach(prepare);
    if (recording.fixes) prepare(recording.fixes);
    recording.charts.forEach(prepareChart);
    for (const line of (recording.plans ?? []).flatMap((plan) => plan.lines))
        line.points = line.e.map((east, place) => ({east, north: line.n[place]}));
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
