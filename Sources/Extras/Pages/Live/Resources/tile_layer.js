// Map tiles beneath everything else, if the server has a file of them.

import {guarded} from "./connection.js";
import {clamp, modulo} from "./figures.js";
import {RADIANS} from "./geometry.js";

/** Size of a tile, pixels; maximum number of tiles that are kept, and that are drawn at a time. */
const SIZE = 256, KEPT = 256, DRAWN = 80;

/** Circumference of the earth in the projection of the tiles. Unit: metres. */
const AROUND = 2 * Math.PI * 6378137;

export class TileLayer {
    /** Increases with each tile that has arrived. */
    version = 0;
    /** Attribution of the map, from its file. */
    attribution = "";
    #zooms = null;
    /** Images by path, most recently drawn last. */
    #tiles = new Map();

    constructor() { this.#begin(); }

    async #begin() {
        const answer = await fetch(guarded("/tiles/map.json")).catch(() => null);
        const map = answer?.ok ? await answer.json() : null;
        if (map === null) return;
        const {minzoom, maxzoom, attribution} = map;
        this.#zooms = [minzoom, maxzoom];
        this.attribution = new DOMParser().parseFromString(attribution, "text/html").body.textContent;
        this.version += 1;
    }

    /**
     * Draws the tiles of a view.
     * @param view Middle, metres east and north on the plane, and pixels per metre.
     * @param isDark Whether light and dark are swapped.
     */
    draw(context, canvas, view, plane, isDark) {
        if (!this.#zooms) return;
        const shape = new TileShape(view, plane, this.#zooms), wide = canvas.width / 2, tall = canvas.height / 2;
        const [from, to] = [[-wide, -tall], [wide, tall]].map(([right, down]) => shape.cell(right, down));
        if ((to.x - from.x + 1) * (to.y - from.y + 1) > DRAWN) return;
        context.filter = isDark ? "invert(1) hue-rotate(180deg) brightness(0.9)" : "none";
        for (let y = from.y; y <= to.y; y += 1) {
            for (let x = from.x; x <= to.x; x += 1) this.#drawTile(context, shape, x, y, wide, tall);
        }
        context.filter = "none";
    }

    #drawTile(context, shape, x, y, wide, tall) {
        const image = this.#tile(`/tiles/${shape.zoom}/${modulo(x, shape.count)}/${y}`);
        if (!image) return;
        const a = shape.pixel(x, y), b = shape.pixel(x + 1, y + 1);
        // Rounded to whole pixels, so that neighbouring tiles touch.
        const left = Math.round(wide + a.right), top = Math.round(tall + a.down);
        context.drawImage(image, left, top, Math.round(wide + b.right) - left, Math.round(tall + b.down) - top);
    }

    /** The image of a tile; undefined until it has arrived, and if the map has none. */
    #tile(path) {
        const known = this.#tiles.get(path);
        this.#tiles.delete(path);
        const image = known ?? this.#load(path);
        this.#tiles.set(path, image);
        if (this.#tiles.size > KEPT) this.#tiles.delete(this.#tiles.keys().next().value);
        return image.complete && image.naturalWidth > 0 ? image : undefined;
    }

    #load(path) {
        const image = new Image(SIZE, SIZE);
        image.addEventListener("load", () => { this.version += 1; });
        image.src = guarded(path);
        return image;
    }
}

/** Positions of tiles in a view. Around its middle the projection is a plane with one scale in all directions. */
class TileShape {
    constructor(view, plane, [least, most]) {
        const middle = plane.geo(view.east, view.north);
        this.scale = view.scale * Math.cos(middle.latitude * RADIANS);
        const fit = Math.round(Math.log2(AROUND * this.scale / SIZE));
        this.zoom = clamp(fit, least, most);
        this.count = 2 ** this.zoom;
        this.size = AROUND * this.scale / this.count;
        this.middle = {
            x: (middle.longitude / 360 + 0.5) * this.count,
            y: (0.5 - Math.asinh(Math.tan(middle.latitude * RADIANS)) / (2 * Math.PI)) * this.count};
    }

    /** Upper left corner of a tile, in pixels right of and below the middle. */
    pixel(x, y) { return {right: (x - this.middle.x) * this.size, down: (y - this.middle.y) * this.size}; }

    /** Column and row of the tile at a pixel; columns continue beyond the antimeridian. */
    cell(right, down) {
        const y = Math.floor(this.middle.y + down / this.size);
        return {x: Math.floor(this.middle.x + right / this.size), y: clamp(y, 0, this.count - 1)};
    }
}
