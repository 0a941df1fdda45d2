// The picture of a label: the name, and the distance in the colour of its kind.

import {PAPER, TEXT, colorOf} from "./colors.js";
import {line, nameOf} from "./words.js";

/** Relative to the height: corner radius, text size, and minimum text size before a name is cut. */
const CORNER = 0.28, FONT = 0.56, LEAST_FONT = 0.46;

/** Draws the label of a placement over all of a canvas. */
export const drawLabel = (canvas, placement) => {
    const context = canvas.getContext("2d"), {width, height} = canvas, color = colorOf(placement.kind);
    context.clearRect(0, 0, width, height);
    drawCard(context, width, height, color);
    const way = line(placement.alongRouteText ?? placement.distanceText), name = nameOf(placement);
    const gap = name && way ? height * 0.3 : 0, room = width - height * 0.7;
    let size = height * FONT;
    const measure = (text, weight) => {
        context.font = `${weight} ${size}px system-ui, sans-serif`;
        return context.measureText(text).width;
    };
    while (size > height * LEAST_FONT && measure(name, 600) + gap + measure(way, 400) > room) size *= 0.95;
    const wayWidth = measure(way, 400), shown = cut(name, (text) => measure(text, 600) + gap + wayWidth <= room);
    const nameWidth = measure(shown, 600), start = (width - nameWidth - gap - wayWidth) / 2;
    context.textBaseline = "middle";
    context.fillStyle = TEXT;
    context.fillText(shown, start, height * 0.53);
    context.font = `400 ${size}px system-ui, sans-serif`;
    context.fillStyle = color;
    context.fillText(way, start + nameWidth + gap, height * 0.53);
};

const drawCard = (context, width, height, color) => {
    const edge = Math.max(1, height / 24);
    context.beginPath();
    context.roundRect(edge / 2, edge / 2, width - edge, height - edge, height * CORNER);
    context.globalAlpha = 0.86;
    context.fillStyle = PAPER;
    context.fill();
    context.globalAlpha = 0.75;
    context.lineWidth = edge;
    context.strokeStyle = color;
    context.stroke();
    context.globalAlpha = 1;
};

/** The longest beginning of a text that fits, with an ellipsis if it is cut. */
const cut = (text, fits) => {
    if (fits(text)) return text;
    const letters = [...text];
    let least = 0, most = letters.length;
    while (least < most) {
        const middle = Math.ceil((least + most) / 2);
        if (fits(letters.slice(0, middle).join("").trimEnd() + "…")) least = middle;
        else most = middle - 1;
    }
    return least > 0 ? letters.slice(0, least).join("").trimEnd() + "…" : "";
};
