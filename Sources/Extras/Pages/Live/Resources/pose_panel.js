// The state of localization: accuracies (68 %), readiness, position, motion, scene frame and sources of the pose.

import {UNKNOWN, compassPoint, figure, wrapped} from "./figures.js";
import {seconds} from "./geometry.js";
import {Facts} from "./lists.js";
import {accuracy, bearing, duration, line, motion, readiness, reason, source} from "./words.js";

export class PosePanel {
    constructor(section) { this.facts = new Facts(section.querySelector("dl")); }

    /** Shows the newest pose, or that none is known, the scene's readiness, and what the daemon advises. What is as it
     *  should be and says no more takes no room: `quiet`. */
    show(poses, message, status) {
        const {facts} = this, {newest: pose, frame} = poses;
        const reasons = (pose ?? status)?.reasons.map(reason).join("; ");
        facts.set("accuracy", accuracyText(pose?.accuracy ?? {}));
        facts.set("reasons", reasons === undefined ? UNKNOWN : reasons || "none", reasons ? "warning" : "quiet");
        const advice = status?.advice.map(line).join("; ");
        facts.set("advice", advice === undefined ? UNKNOWN : advice || "none", advice ? "" : "quiet");
        facts.set("readiness", readinessText(message), message && message.readiness !== "ready" ? "warning" : "");
        facts.set("motion", motion(pose?.motion));
        facts.set("speed", speedText(pose));
        facts.set("position", placeText(pose?.geo));
        facts.set("height", pose?.geo ? figure(pose.geo.height, 1, " m (ellipsoid)") : UNKNOWN);
        facts.set("scene", pose ? sceneText(pose.position) : UNKNOWN);
        facts.set("frame", frameText(pose, frame));
        facts.set("plan", planText(status?.plan), status?.plan ? "" : "quiet");
        facts.set("tracking", pose ? trackingText(pose.tracking) : UNKNOWN, isTracked(pose?.tracking) ? "quiet" : "");
        facts.set("sources", pose ? pose.sources.map(source).join(", ") || "none" : UNKNOWN);
        const {missed} = poses;
        facts.set("skipped", missed ? `${missed}, because this page read slowly` : "none", missed ? "" : "quiet");
    }
}

const accuracyText = (known) => [
    accuracy(known.horizontalAccuracy, " m"), accuracy(known.verticalAccuracy, " m up"),
    accuracy(known.orientationYawAccuracy, "°")].join("  ");

const placeText = (geo) => geo ? `${figure(geo.latitude, 7, "°")} ${figure(geo.longitude, 7, "°")}` : UNKNOWN;

const sceneText = ({x, y, z}) => `x ${signed(x)} y ${signed(y)} z ${signed(z)} m`;

const isTracked = (tracking) => tracking?.orientation === "tracked" && tracking.position === "tracked";

const trackingText = ({orientation, position}) => `orientation ${line(orientation)}, position ${line(position)}`;

/** Floor plan and level with their probabilities. */
const planText = (use) => {
    if (!use) return "none";
    const percent = (probability) => figure(100 * probability, 0, " %"), name = line(use.name || use.plan);
    if (use.state === "unfit") return `${name} does not fit: not used`;
    const level = `level ${line(use.level)} ${percent(use.levelProbability)}`;
    return `${use.state === "used" ? "" : "perhaps "}${name}: ${percent(use.planProbability)}, ${level}`;
};

const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);

const readinessText = (message) => {
    if (!message) return UNKNOWN;
    const reasons = message.reasons.map(reason).join("; ");
    return readiness(message.readiness) + (reasons ? `: ${reasons}` : "");
};

const speedText = (pose) => {
    if (pose?.speed === undefined) return UNKNOWN;
    const course = pose.course === undefined ? "" : ` towards ${bearing(pose.course, 0)} ${compassPoint(pose.course)}`;
    return figure(pose.speed, 2, " m/s") + course;
};

/** Generation, and a large correction in progress. */
const frameText = (pose, frame) => {
    if (!pose) return UNKNOWN;
    const generation = `generation ${pose.generation}`;
    if (frame?.generation !== pose.generation) return generation;
    const left = frame.slewEnd ? seconds(frame.slewEnd) - seconds(pose.time) : 0;
    if (left <= 0) return `${generation}, settled`;
    const {target, published} = frame, turn = Math.abs(wrapped(target.yaw - published.yaw));
    const shift = Math.hypot(target.east - published.east, target.north - published.north, target.up - published.up);
    return `${generation}, correcting ${turn.toFixed(1)}° and ${shift.toFixed(1)} m, ${duration(left)} left`;
};

/** Title of the page's state: the daemon's word, and its colour. */
export const stateOf = (pose, status) => {
    const state = pose?.state ?? status?.state;
    if (!state) return {text: "waiting for the daemon", className: "chip warning"};
    const className = state === "localized" ? "good" : "warning";
    return {text: line(state), className: `chip ${className}`};
};
