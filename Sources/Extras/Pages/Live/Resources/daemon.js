// Data that the page requests from the daemon: poses, the scene for this camera, items ahead, the lines of the floor
// plan in use, and once a second the status and the aid sources of other programs.

import {Caller, Stream} from "./connection.js";
import {PlanLines} from "./map_lines.js";
import {Poses} from "./poses.js";

/** Rates of poses and scene messages. Unit: hertz. */
const POSE_RATE = 60, SCENE_RATE = 30;
/** Period of the status, and the time after which a hidden page unsubscribes. Unit: milliseconds. */
const STATUS_PERIOD = 1000, HIDDEN_PATIENCE = 30_000;
const AHEAD_LIMIT = 12;

export class Daemon {
    poses = new Poses();
    scene = new SceneState();
    status = undefined;
    ahead = [];
    aids = [];
    plan = new PlanLines();
    /** Sequence of the newest event received; for 0 the daemon sends all that it retains. */
    #lastEvent = 0;

    /**
     * @param link State of the connection.
     * @param camera Function that returns the parameters of the scene's subscription that depend on the view.
     * @param handlers `scene(message)` for each scene message, `disconnected()` when the daemon goes.
     */
    constructor(link, camera, handlers) {
        Object.assign(this, {link, handlers});
        this.caller = new Caller((code) => this.#linked(code));
        this.caller.whenOpened = () => this.#poll();
        const problem = (error) => { this.link.problem = describe(error); };
        const view = () => ({...camera(), ...this.hasUsualLabels && {labels: undefined}});
        this.poseStream = new Stream("org.waymark.Pose.Subscribe", () => ({rate: POSE_RATE, frame: true}), {
            reply: (reply) => { this.link.problem = ""; this.poses.take(reply); }, failed: problem});
        this.sceneStream = new Stream("org.waymark.Scene.Subscribe", () => ({
            rate: SCENE_RATE, ...view(), eventsAfter: this.#lastEvent}), {
            begun: () => this.scene.reset(), reply: (reply) => this.#take(reply.scene),
            failed: (error, parameters) => this.#refuseScene(error, parameters)});
        this.aheadStream = new Stream("org.waymark.Scene.GetAhead", () => ({limit: AHEAD_LIMIT}), {
            begun: () => { this.ahead = []; }, reply: (reply) => { this.ahead = reply.items; }});
        setInterval(() => this.#poll(), STATUS_PERIOD);
        document.addEventListener("visibilitychange", () => this.#seen());
        this.#start();
    }

    /** Subscribes to the scene again, for another camera. */
    changeCamera() { this.sceneStream.restart(); }

    get #connections() { return [this.caller, this.poseStream, this.sceneStream, this.aheadStream]; }

    #start() { for (const each of this.#connections) each.start(); }

    /** Falls back to the default label size if the daemon has its maximum number of label layouts. */
    #refuseScene(error, parameters) {
        if (parameters.limit === "labelSizes") this.hasUsualLabels = true;
        else this.link.sceneProblem = describe(error);
    }

    #take(message) {
        this.link.sceneProblem = "";
        if (!this.scene.apply(message)) return this.sceneStream.restart();
        // Events from before this page was opened do not count as missing.
        if (this.#lastEvent === 0) message.eventsDropped = undefined;
        this.#lastEvent = message.events.at(-1)?.sequence ?? this.#lastEvent;
        this.handlers.scene(message);
    }

    #linked(code) {
        const wasLost = this.link.isLost;
        this.link.set(code);
        if (!this.link.isLost || wasLost) return;
        this.poses.reset();
        this.scene.reset();
        this.ahead = [];
        this.status = undefined;
        this.aids = [];
        this.plan.forget();
        this.handlers.disconnected();
    }

    async #poll() {
        if (this.caller.pending) return;
        const reply = await this.caller.call("org.waymark.Status.GetStatus");
        if (reply) this.status = reply.status;
        const list = await this.caller.call("org.waymark.Aid.List");
        this.aids = list?.sources ?? [];
        await this.plan.follow(this.status?.plan, this.poses.newest?.geo, this.caller);
    }

    /** A hidden page ends its subscriptions, so that the daemon can idle the sensors. */
    #seen() {
        clearTimeout(this.hiding);
        if (document.hidden) this.hiding = setTimeout(() => this.#rest(), HIDDEN_PATIENCE);
        else this.#start();
    }

    #rest() {
        for (const each of this.#connections) each.stop();
        this.poses.reset();
        this.scene.reset();
    }
}

/** Text for an error of the daemon. */
const describe = (error) => error === "org.waymark.Status.LimitExceeded"
    ? "the daemon serves as many subscriptions as it is allowed to: close another page, or see “waymark status”"
    : `the daemon refuses the subscription: ${error}`;

/** The scene as the messages of a subscription describe it: a snapshot first, then what has changed. */
class SceneState {
    /** Placements by their ids, as received. */
    placements = new Map();
    /** The newest message; null until there is one. */
    message = null;
    /** Increases with each change of the placements. */
    version = 0;

    /** Forgets all: another subscription begins. */
    reset() {
        this.placements.clear();
        this.message = null;
        this.version += 1;
    }

    /** Applies a message; false where messages before it are missing, so that the subscription has to be repeated. */
    apply(message) {
        const isNext = this.message && message.revision === this.message.revision + 1;
        if (!message.snapshot && !isNext) return false;
        if (message.snapshot) this.placements.clear();
        for (const id of message.removed) this.placements.delete(id);
        for (const placement of message.changed) this.placements.set(placement.id, placement);
        if (message.snapshot || message.removed.length || message.changed.length) this.version += 1;
        this.message = message;
        return true;
    }

    /** Whether its positions are in the scene frame of a pose: those of another generation are invalid. */
    fits(pose) { return this.message !== null && pose !== null && this.message.generation === pose.generation; }
}
