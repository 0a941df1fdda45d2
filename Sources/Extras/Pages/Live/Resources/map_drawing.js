// What the map shows, north up: its tiles, the floor plan, the route, the track, places, turns and anchors, and the
// wearer with both accuracies.

import {FONT, circle, haloText, stroke, trace} from "./canvas.js";
import {stepUpTo, ticks} from "./figures.js";
import {RADIANS, northOffset} from "./geometry.js";
import {CardTheme} from "./placements.js";
import {drawPlan} from "./plan_drawing.js";

/** Length of the heading's wedge, and the widest square of the grid. Unit: pixels. */
const WEDGE = 46, SQUARE = 110;

/** Colours of the map, which follow the sun's light. */
export const theme = new CardTheme(document.getElementById("map"));

/**
 * Draws the whole map; returns the signs with their positions, and the boxes of the names.
 * @param covered Boxes over the canvas, such as its buttons, which names avoid. All in pixels.
 */
export const drawMap = (canvas, view, {here, poses, plan, route, targets, tiles, covered}) => {
    const context = canvas.begin(), project = view.place;
    if (poses.plane) tiles.draw(context, canvas, view, poses.plane, theme.isDark);
    drawGrid(context, canvas, view);
    if (poses.plane) drawPlan(context, plan.drawn(poses.plane), view, theme);
    if (poses.plane && route) {
        drawLine(context, route.points(poses.plane), project, {color: theme.route, width: 5, opacity: 0.45});
    }
    drawLine(context, poses.track, project, {color: theme.accent, width: 2});
    const signs = here ? targetPoints(targets, poses, here).map(({east, north}, index) => ({
        target: targets[index], ...project(east, north)})) : [];
    let names = [];
    if (here) {
        const {x, y} = project(here.east, here.north);
        names = drawTargets(context, canvas, signs, [...covered, [x - SIGN, y - SIGN, x + SIGN, y + SIGN]]);
        drawWearer(context, poses.newest, project(here.east, here.north), view.scale);
    } else {
        drawText(context, "position not known", canvas.width / 2, canvas.height / 2);
    }
    return {signs, names};
};

const drawGrid = (context, canvas, view) => {
    const step = stepUpTo(SQUARE / view.scale), least = view.point(0, canvas.height), most = view.point(canvas.width, 0);
    stroke(context, {color: theme.line}, () => {
        for (const east of ticks(least.east, most.east, step)) {
            const x = Math.round(view.place(east, 0).x) + 0.5;
            context.moveTo(x, 0);
            context.lineTo(x, canvas.height);
        }
        for (const north of ticks(least.north, most.north, step)) {
            const y = Math.round(view.place(0, north).y) + 0.5;
            context.moveTo(0, y);
            context.lineTo(canvas.width, y);
        }
    });
};

const drawLine = (context, points, project, look) => stroke(context, look, () =>
    trace(context, 0, points.length, (index) => project(points[index].east, points[index].north)));

/** Positions of targets in metres east and north; the scene is rotated by the yaw of the scene frame. */
const targetPoints = (targets, poses, here) => {
    const pose = poses.newest, isKnown = poses.frame?.generation === pose.generation;
    const yaw = isKnown ? poses.frame.published.yaw : -(northOffset(pose) ?? 0);
    const sine = Math.sin(yaw * RADIANS), cosine = Math.cos(yaw * RADIANS);
    return targets.map(({placement}) => {
        const x = placement.position.x - pose.position.x, y = -(placement.position.z - pose.position.z);
        return {east: here.east + cosine * x - sine * y, north: here.north + sine * x + cosine * y};
    });
};

/** Half the width of a sign, and half the height of a name. Unit: pixels. */
const SIGN = 8, NAME = 8;

const drawTargets = (context, canvas, signs, covered) => {
    const isOn = ({x, y}) => x > 0 && y > 0 && x < canvas.width && y < canvas.height, names = [];
    for (const sign of signs.toReversed()) drawSign(context, sign);
    // A name beside another target's sign would be taken for that target's name.
    const around = signs.map(({x, y}) => [x - 2 * SIGN, y - SIGN, x + 2 * SIGN, y + SIGN]);
    for (const sign of signs.filter(isOn)) {
        const others = around.filter((_, index) => signs[index] !== sign);
        const box = sign.target.name
            && drawName(context, canvas, sign.target, sign.x, sign.y, [...covered, ...others, ...names]);
        if (box) names.push(box);
    }
    return names;
};

const drawSign = (context, {target, x, y}) => {
    context.font = `16px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    haloText(context, target.sign, x, y, theme.inkOf(target.kind), theme.card);
};

/** Writes a name beside its sign if it fits and covers nothing; returns its box, undefined if it is omitted. */
const drawName = (context, canvas, target, x, y, taken) => {
    context.font = `${target.rank < 2 ? 600 : 400} 12px ${FONT}`;
    const wide = context.measureText(target.name).width, half = wide / 2, gap = SIGN + 3;
    const lefts = [[x + gap, y], [x - gap - wide, y], [x - half, y + gap + NAME], [x - half, y - gap - NAME]];
    const boxes = lefts.map(([left, middle]) => [left, middle - NAME, left + wide, middle + NAME]);
    const box = boxes.find((each) => isWithin(each, canvas) && !taken.some((other) => overlaps(each, other)));
    if (!box) return undefined;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const ink = target.rank < 2 ? theme.inkOf(target.kind) : theme.ink;
    haloText(context, target.name, box[0], box[1] + NAME, ink, theme.card);
    return box;
};

const isWithin = ([left, top, right, bottom], {width, height}) =>
    left >= 2 && top >= 2 && right <= width - 2 && bottom <= height - 2;

const overlaps = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

const drawText = (context, text, x, y) => {
    context.font = `13px ${FONT}`;
    context.textAlign = "center";
    context.fillStyle = theme.faint;
    context.fillText(text, x, y);
};

const drawWearer = (context, pose, {x, y}, scale) => {
    const {horizontalAccuracy, orientationYawAccuracy} = pose.accuracy;
    context.fillStyle = context.strokeStyle = theme.accent;
    if (horizontalAccuracy !== undefined) drawCircle(context, x, y, horizontalAccuracy * scale);
    if (pose.heading !== undefined) drawHeading(context, x, y, pose.heading, orientationYawAccuracy);
    circle(context, x, y, 6);
    context.fill();
    context.strokeStyle = theme.card;
    context.lineWidth = 2.5;
    context.stroke();
};

const drawCircle = (context, x, y, radius) => {
    circle(context, x, y, radius);
    context.globalAlpha = 0.12;
    context.fill();
    context.globalAlpha = 0.6;
    context.lineWidth = 1;
    context.stroke();
    context.globalAlpha = 1;
};

/** The line of sight, and a wedge of the headings within the accuracy. */
const drawHeading = (context, x, y, heading, accuracy) => {
    const angle = (heading - 90) * RADIANS, half = Math.min(accuracy ?? 0, 180) * RADIANS;
    if (accuracy !== undefined) {
        context.globalAlpha = 0.28;
        context.beginPath();
        context.moveTo(x, y);
        context.arc(x, y, WEDGE, angle - half, angle + half);
        context.fill();
        context.globalAlpha = 1;
    }
    stroke(context, {color: theme.accent, width: 2}, () => {
        context.moveTo(x, y);
        context.lineTo(x + WEDGE * Math.cos(angle), y + WEDGE * Math.sin(angle));
    });
};
