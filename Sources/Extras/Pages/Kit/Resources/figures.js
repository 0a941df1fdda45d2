// Numbers and angles, their texts, and round steps between them. What is not known is "–", never 0.

export const UNKNOWN = "–";

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** A number with a fixed count of decimals and a unit. */
export const figure = (value, decimals, unit = "") => isNumber(value) ? value.toFixed(decimals) + unit : UNKNOWN;

/** The nearest to a number of those from `least` to `most`. */
export const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

/** The remainder of a division, of 0 to below `base`. */
export const modulo = (value, base) => (value % base + base) % base;

/** Angle wrapped into -180 to 180 degrees. */
export const wrapped = (degrees) => degrees - 360 * Math.round(degrees / 360);

const POINTS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/** That of eight names, the first ahead and the others clockwise, which is nearest to a direction. */
export const octant = (degrees, names) => names[modulo(Math.round(degrees / 45), 8)];
export const compassPoint = (degrees) => octant(degrees, POINTS);

/** 1, 2, 5 and 10 times the power of ten that is not greater than a number. */
const roundSteps = (value) => [1, 2, 5, 10].map((factor) => factor * 10 ** Math.floor(Math.log10(value)));

/** The largest of …, 0.1, 0.2, 0.5, 1, 2, 5, … that is not greater than `largest`. */
export const stepUpTo = (largest) => roundSteps(largest).findLast((step) => step <= largest) ?? roundSteps(largest)[0];

/** The smallest of them that is not less than `least`, but for rounding. */
export const stepFrom = (least) => roundSteps(Math.max(least, 1e-9)).find((step) => step >= least * 0.999999);

/** Multiples of a step from `low` to `high`. */
export const ticks = function* (low, high, step) {
    for (let count = Math.ceil(low / step); count * step <= high + 1e-9; count += 1) yield count * step;
};
