// The map: it follows the wearer and handles presses. map_drawing.js draws it.

import {setText} from "./elements.js";
import {MapCard} from "./map_card.js";
import {drawMap, theme} from "./map_drawing.js";
import {TileLayer} from "./tile_layer.js";

/** Minimum, initial and maximum scale. Unit: pixels per metre. */
const LEAST = 0.002, FIRST = 1.1, MOST = 60;
/** Minimum interval of drawings caused only by poses. Unit: milliseconds. */
const PERIOD = 66;
/** Distance from a sign within which a press is meant for it. Unit: pixels. */
const REACH = 24;

export class PlaceMap extends MapCard {
    limits = [LEAST, MOST];
    isFollowing = true;
    /** Drawn signs, with their positions in pixels. */
    signs = [];
    /** Boxes of the drawn names: left, top, right and bottom in pixels. */
    names = [];
    #covered = [];
    #coveredSize = -1;
    #tiles = new TileLayer();
    #plane = null;
    #isStale = true;
    #drawn = 0;
    #seen = "";
    #look = "";

    /** @param chosen Called with what was pressed: a placement, undefined for none, or a point that was for long. */
    constructor(section, chosen) {
        super(section, {
            name: "Map without network", sign: "◎", label: "Follow the wearer", zero: "follows the wearer"});
        this.chosen = chosen;
        this.view.scale = FIRST;
        this.source = section.querySelector(".source");
        this.follow(true);
    }

    changed() { this.#isStale = true; }

    /** While it is followed, the wearer is in the middle, and stays there. */
    zoom(factor, x, y) { this.isFollowing ? super.zoom(factor) : super.zoom(factor, x, y); }

    move(right, down) {
        this.follow(false);
        super.move(right, down);
    }

    home(isButton) { this.follow(!isButton || !this.isFollowing); }

    follow(isFollowing) {
        this.isFollowing = isFollowing;
        this.homeButton.setAttribute("aria-pressed", isFollowing);
        this.changed();
    }

    /** Draws if something has changed. */
    draw(now, poses, plan, route, targets, version) {
        const key = `${poses.count} ${version} ${route?.version} ${plan.version}`;
        const look = `${this.sheet.version} ${theme.version} ${this.#tiles.version}`;
        const isDue = key !== this.#seen && now - this.#drawn >= PERIOD;
        if (!isDue && !this.#isStale && look === this.#look) return;
        this.#seen = key;
        this.#look = look;
        this.#drawn = now;
        this.#isStale = false;
        Object.assign(this.view, {width: this.sheet.width, height: this.sheet.height});
        const here = poses.newest?.geo && poses.plane?.point(poses.newest.geo);
        if (here && this.isFollowing) Object.assign(this.view, {east: here.east, north: here.north});
        const drawn = drawMap(this.sheet, this.view, {
            here, poses, plan, route, targets, tiles: this.#tiles, covered: this.#overlays()});
        Object.assign(this, drawn);
        this.#plane = poses.plane;
        setText(this.source, this.#tiles.attribution);
        this.showScale();
    }

    /** Boxes of the elements over the canvas, measured again when its size changes. */
    #overlays() {
        if (this.#coveredSize === this.sheet.version) return this.#covered;
        this.#coveredSize = this.sheet.version;
        const {left, top} = this.sheet.element.getBoundingClientRect();
        this.#covered = [...this.frame.querySelectorAll(".tools, .north, .scale, .source")].map((each) => {
            const box = each.getBoundingClientRect();
            return [box.left - left - 4, box.top - top - 4, box.right - left + 4, box.bottom - top + 4];
        });
        return this.#covered;
    }

    /** Sets light by day and dark by night; like the rest of the page while the sun is unknown. */
    setSun(sun) {
        const value = sun === undefined ? "" : sun.isDay ? "up" : "down";
        if (value === (this.frame.dataset.sun ?? "")) return;
        this.frame.dataset.sun = value;
        theme.read();
    }

    /** Reports what was pressed: the nearest sign within reach, undefined for none; for long, the point. */
    pressed(x, y, isLong) {
        const {east, north} = this.view.point(x, y);
        if (isLong) return this.#plane && this.chosen(undefined, this.#plane.geo(east, north));
        const away = (sign) => Math.hypot(sign.x - x, sign.y - y);
        const nearest = this.signs.filter((sign) => away(sign) <= REACH).sort((a, b) => away(a) - away(b))[0];
        this.chosen(nearest?.target.placement);
    }
}
