// Sensors and receiver with rate, age and gaps, and the reason if one does not deliver; aid sources of other programs;
// other activities of the daemon.

import {element, setClass, setText} from "./elements.js";
import {UNKNOWN, figure} from "./figures.js";
import {Facts, Rows, tableRows} from "./lists.js";
import {age, bytes, duration, line} from "./words.js";

const GOOD = ["streaming", "polling"], BAD = ["silent", "failed"];

export class SensorPanel {
    constructor(section) {
        this.activity = section.querySelector(".activity");
        this.rows = tableRows(section.querySelector("table"), 3);
        this.aidTable = section.querySelector(".aids");
        this.aidRows = tableRows(this.aidTable, 3);
        this.problems = new Rows(section.querySelector(".problems"), () => ({root: element("li")}));
        this.facts = new Facts(section.querySelector("dl"));
    }

    /** Shows the daemon's status, undefined while it is unknown, and the aid sources of other programs. */
    show(status, aids) {
        const devices = status?.devices ?? [], names = shortNames(devices);
        setText(this.activity, status ? activity(status, devices) : "not known yet");
        this.rows.show(devices, (row, device) => fill(row, device, names[devices.indexOf(device)]));
        this.aidTable.hidden = !aids.length;
        this.aidRows.show(aids, fillAid);
        const problems = devices.filter((device) => device.detail && !GOOD.includes(device.state));
        this.problems.show(problems, (row, {name, detail}) => setText(row.root, `${line(name)}: ${line(detail)}`));
        this.facts.set("poses", status ? `${figure(status.poseRate, 1)} per second` : UNKNOWN);
        this.facts.set("clients", status ? `${status.clients}, subscriptions ${status.subscriptions}` : UNKNOWN);
        this.facts.set("up", status ? duration(status.uptime) : UNKNOWN);
    }
}

/** Class of a device's state: good, warning or bad. */
const health = (state) => GOOD.includes(state) ? "good" : BAD.includes(state) ? "bad" : "warning";

const fill = (row, device, name) => {
    const isGood = GOOD.includes(device.state), [rate, time, gaps] = row.cells;
    setText(row.name, name);
    setClass(row.name, health(device.state));
    // A sensor that delivers nothing has no rate, so its state is shown.
    setText(rate, isGood ? figure(device.grantedRate, 1, " Hz") : line(device.state));
    setText(time, age(device.age));
    setText(gaps, String(device.gaps));
    setClass(gaps, device.gaps > 0 ? "warning" : "");
};

/** Classes of the states of what programs offer; one that is newer than this page has none. */
const AID_CLASSES = {
    trusted: "good", used: "good", watched: "warning", waiting: "warning", refused: "bad", lost: "bad"};

const fillAid = (row, source) => {
    setText(row.name, line(source.source));
    setClass(row.name, AID_CLASSES[source.state]);
    const texts = [figure(source.rate, 1, " Hz"), age(source.age), line(source.state)];
    texts.forEach((text, index) => setText(row.cells[index], text));
};

const activity = (status, devices) => {
    const parts = [], {recording} = status;
    if (recording) {
        const lost = recording.dropped > 0 ? `, ${recording.dropped} lost` : "";
        parts.push(`recording ${line(recording.path).split("/").at(-1)}, ${bytes(recording.bytes)}${lost}`);
    }
    if (status.calibration.running) parts.push(`calibrating: ${line(status.calibration.running)}`);
    if (!devices.length) parts.push("no sensors");
    return parts.join("; ");
};

/** Names without their first word if it is the same for all, as in the simulation. */
const shortNames = (devices) => {
    const names = devices.map((device) => line(device.name)), first = names[0]?.split(" ")[0];
    const isShared = names.length > 1 && names.every((name) => name.startsWith(first + " "));
    return isShared ? names.map((name) => name.slice(first.length + 1)) : names;
};
