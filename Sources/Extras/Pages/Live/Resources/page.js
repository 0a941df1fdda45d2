// The page: one loop draws the newest state, and the panels follow five times a second.

import {Compass} from "./compass.js";
import {Daemon} from "./daemon.js";
import {setClass, setText} from "./elements.js";
import {EventPanel} from "./event_panel.js";
import {inspect} from "./inspection.js";
import {PlaceMap} from "./map.js";
import {RouteLine} from "./map_lines.js";
import {Navigation, PointCard} from "./navigation.js";
import {Link, obstacle, showNotice} from "./notice.js";
import {PictureOverlay} from "./pictures.js";
import {PlaceCard} from "./place_card.js";
import {targetsOf} from "./placements.js";
import {PosePanel, stateOf} from "./pose_panel.js";
import {RoutePanel} from "./route_panel.js";
import {SensorPanel} from "./sensor_panel.js";
import {ViewCard} from "./view_card.js";
import {line, motion} from "./words.js";

/** Interval of updates of the panels. Unit: milliseconds. */
const PANEL_PERIOD = 200;

const find = (id) => document.getElementById(id);

class Page {
    isFrozen = false;
    #link = new Link();
    #routeLine = new RouteLine();
    #compass = new Compass(find("compass"));
    navigation = new Navigation(() => this.#routePanel.allow(this.navigation, (text) => this.#events.note(text)));
    #pointCard = new PointCard(find("map").querySelector(".point"), this.navigation);
    map = new PlaceMap(find("map"), (placement, point) => point ? this.#pointCard.open(point) : this.#choose(placement));
    #posePanel = new PosePanel(find("pose"));
    #routePanel = new RoutePanel(find("route"), (id) => this.#choose(this.daemon.scene.placements.get(id), id));
    #sensorPanel = new SensorPanel(find("sensors"));
    #events = new EventPanel(find("events"));
    #targets = [];
    #version = -1;
    #panelsDrawn = 0;
    #drawnCount = 0;
    #wasLost = false;
    #generation = undefined;

    constructor() {
        this.card = new ViewCard(find("view"), () => this.daemon.changeCamera());
        this.daemon = new Daemon(this.#link, () => this.card.camera(), {
            scene: (message) => this.#take(message), disconnected: () => this.#events.note("connection lost")});
        this.placeCard = new PlaceCard(
            find("place"), this.daemon.caller, new PictureOverlay(find("then")), this.navigation);
        find("view").querySelector("canvas").addEventListener("click", (event) =>
            this.#choose(this.card.view?.nearest(event.offsetX, event.offsetY)));
        inspect(this);
        requestAnimationFrame((now) => this.#frame(now));
    }

    #take(message) {
        this.#events.take(message, this.daemon.scene.placements);
        if (this.#generation !== undefined && message.generation !== this.#generation) {
            this.#events.note(`the scene frame was reset: generation ${message.generation}`);
        }
        this.#generation = message.generation;
        this.#routeLine.follow(message.route, this.daemon.caller);
        this.map.setSun(message.sun);
    }

    /** Opens the card of a placement, or of the place with this id. */
    #choose(placement, id = placement?.id) {
        if (id && !["turn", "start", "route"].includes(placement?.kind)) this.placeCard.open(id, placement);
    }

    #frame(now) {
        requestAnimationFrame((next) => this.#frame(next));
        const {poses, scene} = this.daemon;
        if (!this.isFrozen) this.#drawView(poses, scene);
        if (scene.version !== this.#version) this.#targets = targetsOf(scene);
        this.#version = scene.version;
        const targets = scene.fits(poses.newest) ? this.#targets : [];
        this.#compass.draw(poses.newest, targets, scene.version);
        this.map.draw(now, poses, this.daemon.plan, this.#routeLine, targets, scene.version);
        if (now - this.#panelsDrawn < PANEL_PERIOD) return;
        this.#panelsDrawn = now;
        this.#drawPanels();
    }

    #drawView(poses, scene) {
        const {view} = this.card;
        if (!view || !poses.newest) return;
        view.draw(poses.newest, poses.moment(performance.now()), scene);
        if (poses.count !== this.#drawnCount) poses.drawn(poses.newest);
        this.#drawnCount = poses.count;
    }

    #drawPanels() {
        const {poses, scene, status, ahead, aids} = this.daemon, pose = poses.newest;
        const found = obstacle(this.#link, poses, status, performance.now());
        this.card.explain(found);
        showNotice(find("notice"), found, poses, status);
        document.body.classList.toggle("lost", this.#link.isLost);
        if (this.#wasLost && !this.#link.isLost) this.#events.note("connected again");
        this.#wasLost = this.#link.isLost;
        this.#drawHeader(pose, status);
        this.#posePanel.show(poses, scene.message, status);
        this.#routePanel.show(scene.message?.route, ahead, scene.message !== null);
        this.#sensorPanel.show(status, aids);
    }

    #drawHeader(pose, status) {
        const state = this.#link.isLost ? {text: "connection lost", className: "chip bad"} : stateOf(pose, status);
        setText(find("state"), state.text);
        setClass(find("state"), state.className);
        setText(find("motion"), motion(pose?.motion));
        setText(find("clock"), pose?.utc ? `${pose.utc.slice(0, 10)} ${pose.utc.slice(11, 19)} UTC` : "–");
        setText(find("version"), status ? `waymarkd ${line(status.version)}${origin(status)}` : "waymarkd –");
    }
}

const origin = (status) => {
    if (status.demonstration) return " on the simulated walk";
    return {simulation: " on a simulation", replay: " on a recording"}[status.source] ?? "";
};

new Page();
