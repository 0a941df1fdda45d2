// Pictures of marks: one for each kind and sign, made once and cached, since there are few.

import {PAPER, colorOf} from "./colors.js";

/** Width in pixels: a power of two, so that it can be scaled down smoothly. */
const SIZE = 128;

const textures = new Map();

const draw = (context, color, sign) => {
    const middle = SIZE / 2;
    context.beginPath();
    context.arc(middle, middle, middle - 1, 0, 2 * Math.PI);
    context.fillStyle = PAPER;
    context.fill();
    context.beginPath();
    context.arc(middle, middle, middle - 8, 0, 2 * Math.PI);
    context.fillStyle = color;
    context.fill();
    if (!sign) return;
    context.fillStyle = PAPER;
    context.font = `bold ${SIZE * 0.5}px system-ui, sans-serif`;
    const box = context.measureText(sign);
    const right = (box.actualBoundingBoxRight - box.actualBoundingBoxLeft) / 2;
    const down = (box.actualBoundingBoxAscent - box.actualBoundingBoxDescent) / 2;
    context.globalAlpha = 0.8;
    context.fillText(sign, middle - right, middle + down);
};

/** Disc for a kind of placement, with or without a sign. */
export const markTexture = (kind, sign) => {
    const color = colorOf(kind), key = color + sign;
    if (!textures.has(key)) {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = SIZE;
        draw(canvas.getContext("2d"), color, sign);
        textures.set(key, new THREE.CanvasTexture(canvas));
    }
    return textures.get(key);
};
