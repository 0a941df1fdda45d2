// Notices: a daemon that does not answer, missing poses, limits of the accuracy, and advice.

import {remedy} from "./connection.js";
import {setClass, setText} from "./elements.js";
import {duration, line, reason, timeOfDay} from "./words.js";

/** Time without a pose after which that is reported. Unit: milliseconds. */
const PATIENCE = 2000;

/** Whether the daemon answers, and the time since which it does not. */
export class Link {
    /** Status with which the connection was closed; null while the daemon answers; undefined at first. */
    code = undefined;
    since = null;
    /** Texts for errors of the subscriptions to poses and the scene; empty without one. */
    problem = "";
    sceneProblem = "";

    set(code) {
        if (code === null) this.since = null;
        else this.since ??= new Date();
        this.code = code;
    }

    get isLost() { return typeof this.code === "number"; }
}

/** Heading and text of the reason why the page shows no poses; null if it does. */
export const obstacle = (link, poses, status, now) => {
    if (link.isLost) {
        const passed = duration((Date.now() - link.since) / 1000);
        const title = `Connection lost since ${timeOfDay(link.since)} (${passed})`;
        return {title, text: remedy(link.code), className: "bad"};
    }
    if (link.code === undefined) return {title: "Connecting", text: "", className: ""};
    const why = explain(status?.reasons ?? [], status?.advice ?? []) || link.problem;
    if (!poses.newest) return {title: "Waiting for the first pose", text: why, className: "warning"};
    if (now - poses.arrival > PATIENCE) {
        const passed = duration((now - poses.arrival) / 1000);
        return {title: `No pose for ${passed}`, text: why || "see “waymark status”", className: "bad"};
    }
    if (poses.newest.state === "initializing" || poses.newest.state === "aligning") {
        return {title: `Not localized yet: ${poses.newest.state}`, text: why, className: "warning"};
    }
    if (link.sceneProblem) return {title: "No scene", text: link.sceneProblem, className: "warning"};
    return null;
};

/** Text for the reasons, and the most important advice. */
const explain = (reasons, advice) => {
    const because = reasons.map(reason).join("; ");
    return [because, advice[0] && `advice: ${line(advice[0])}`].filter(Boolean).join(". ");
};

/** One line below the title: the obstacle, else the limits of the accuracy. */
export const showNotice = (element, found, poses, status) => {
    const reasons = poses.newest?.reasons ?? [];
    const text = found ? [found.title, found.text].filter(Boolean).join(": ") : explain(reasons, status?.advice ?? []);
    setText(element, text);
    element.title = text;
    setClass(element, found?.className ?? (text ? "warning" : ""));
};
