// The common time axis of all plots, its zoom, and the one cursor.

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
    if (isNaN(date)) return UNKNOWN;
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
    const whole = time.most - time.least, width = clamp(to - from, 0.2, whole);
    const start = clamp((from + to - width) / 2, time.least, time.most - width);
    [time.from, time.to] = [start, start + width];
    redraw("plots");
};

const zoomTime = (factor, about = time.cursor ?? (time.from + time.to) / 2) =>
    showTimes(about - (about - time.from) / factor, about + (time.to - about) / factor);

const moveTime = (share) => {
    const step = share * (time.to - time.from);
    showTimes(time.from + step, time.to + step);
};

/** Sets the cursor; where a key moves it, a screen reader says what is there. */
const setCursor = (at, isKey = false) => {
    time.cursor = at === null ? null : clamp(at, time.least, time.most);
    redraw("cursor");
    if (!isKey || time.cursor === null) return;
    speak();
    // What is shown follows a cursor that leaves it.
    if (time.cursor < time.from || time.cursor > time.to) moveTime(time.cursor < time.from ? -0.5 : 0.5);
};
