// The compass: its scale around the heading, places and turns at their bearings, and the heading with its accuracy.

import {Canvas, FONT, polygon} from "./canvas.js";
import {setText} from "./elements.js";
import {clamp, compassPoint, wrapped} from "./figures.js";
import {azimuth, northOffset} from "./geometry.js";
import {CardTheme} from "./placements.js";
import {accuracy, bearing, north} from "./words.js";

/** Maximum number of pixels per degree, and minimum part of the compass that is shown, in degrees. */
const WIDEST = 7, LEAST_SPAN = 110;
/** Rows from the bottom: the scale's text, and the height of a row of names. */
const SCALE = 26, NAME = 15;

export class Compass {
    #drawn = "";

    constructor(section) {
        this.canvas = new Canvas(section.querySelector("canvas"));
        this.theme = new CardTheme(section);
        this.readout = section.querySelector("#heading");
    }

    /** Draws if something has changed; `pose` is null while there is none. */
    draw(pose, targets, version) {
        const {x, z} = pose?.position ?? {}, half = pose?.accuracy.orientationYawAccuracy;
        const seen = [pose?.heading, half, x, z].map((value) => value?.toFixed(1));
        const key = [...seen, version, this.canvas.version, this.theme.version].join(" ");
        if (key === this.#drawn) return;
        this.#drawn = key;
        this.#write(pose);
        const context = this.canvas.begin(), {width, height} = this.canvas;
        const scale = Math.min(WIDEST, width / LEAST_SPAN);
        this.base = height - SCALE;
        this.#rule(context, width);
        if (pose?.heading === undefined) return;
        this.#band(context, pose, scale, width);
        this.#ticks(context, pose.heading, scale, width);
        this.#targets(context, pose, targets, scale, width);
        this.#pointer(context, width);
    }

    #write(pose) {
        const text = pose?.heading === undefined ? "heading not known" : [
            bearing(pose.heading, 1), compassPoint(pose.heading), accuracy(pose.accuracy.orientationYawAccuracy, "°"),
            `from ${north(pose.headingReference)}`].join(" ");
        setText(this.readout, text);
    }

    #rule(context, width) {
        context.fillStyle = this.theme.line;
        context.fillRect(0, this.base, width, 1);
    }

    #band(context, pose, scale, width) {
        const half = pose.accuracy.orientationYawAccuracy;
        if (half === undefined) return;
        const wide = Math.min(half * scale, width / 2);
        context.fillStyle = this.theme.band;
        context.fillRect(width / 2 - wide, this.base, 2 * wide, SCALE);
    }

    #pointer(context, width) {
        context.fillStyle = this.theme.accent;
        polygon(context, [[width / 2, this.base + 7], [width / 2 - 6, this.base - 2], [width / 2 + 6, this.base - 2]]);
        context.fill();
    }

    #ticks(context, heading, scale, width) {
        const step = scale > 3.5 ? 15 : 30;
        context.textAlign = "center";
        context.textBaseline = "alphabetic";
        for (let degrees = 0; degrees < 360; degrees += 5) {
            const x = width / 2 + wrapped(degrees - heading) * scale, name = degrees % 45 ? "" : compassPoint(degrees);
            if (x < -20 || x > width + 20) continue;
            context.fillStyle = name ? this.theme.ink : this.theme.faint;
            context.fillRect(x - 0.5, this.base + 1, 1, degrees % 15 ? 3 : 6);
            if (!name && degrees % step) continue;
            context.font = name ? `600 12px ${FONT}` : `11px ${FONT}`;
            context.fillText(name || degrees, x, this.base + 21);
        }
    }

    #targets(context, pose, targets, scale, width) {
        const offset = northOffset(pose), rows = [[], []], marks = this.base - 8;
        const seen = targets.map((each) => ({...each, x: this.#place(each, pose, offset, scale, width)}));
        context.textAlign = "center";
        for (const each of [...seen].reverse()) {
            if (each.x < 6 || each.x > width - 6) continue;
            context.fillStyle = this.theme.inkOf(each.kind);
            context.font = `14px ${FONT}`;
            context.fillText(each.sign, each.x, marks);
        }
        for (const each of seen) this.#name(context, each, rows, marks - 17, width);
    }

    #place({placement}, pose, offset, scale, width) {
        const x = placement.position.x - pose.position.x, z = placement.position.z - pose.position.z;
        return width / 2 + wrapped(azimuth(x, z) + offset - pose.heading) * scale;
    }

    /** Writes a name in the lowest row with room for it, or omits it. */
    #name(context, each, rows, lowest, width) {
        const isOn = each.x >= 6 && each.x <= width - 6;
        if (!each.name || !isOn && each.rank > 1) return;
        context.font = `${each.rank < 2 ? 600 : 400} 12px ${FONT}`;
        const text = isOn ? `${each.name} ${each.way}` : each.x < 0 ? `◀ ${each.name}` : `${each.name} ▶`;
        const half = context.measureText(text).width / 2 + 6, x = clamp(each.x, half, width - half);
        const row = rows.findIndex((taken) => taken.every(([from, to]) => x + half < from || x - half > to));
        if (row < 0 || half > width / 3) return;
        rows[row].push([x - half, x + half]);
        context.fillStyle = each.rank < 2 ? this.theme.inkOf(each.kind) : this.theme.ink;
        context.fillText(text, x, lowest - row * NAME);
    }
}
