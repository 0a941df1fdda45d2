// Texts for states, reasons and quantities. Unknown values are "–", never 0.

import {UNKNOWN, figure, isNumber, modulo, octant} from "./figures.js";

const REASONS = {
    noInertialData: "no accelerometer or gyroscope data",
    noAccelerometerData: "the accelerometer is silent",
    noGyroscopeData: "the gyroscope is silent",
    noMagneticData: "no magnetometer data",
    noGNSSData: "no position fix",
    poorGNSS: "position fixes are inaccurate or contradict each other",
    magneticDisturbance: "magnetic disturbance (iron or a magnet nearby)",
    headingUncertain: "the heading is not accurate yet",
    headingUnconfirmed: "only the compass shows where north is",
    headingUnknown: "no source of heading yet",
    positionUncertain: "the position is not accurate yet",
    positionUnknown: "no position yet",
    gyroBiasUncertain: "the gyroscope's bias is not known yet",
    inertialGap: "inertial samples were missing",
    implausibleAccelerometer: "the accelerometer does not measure gravity, or is stuck",
    implausibleGyroscope: "the gyroscope reports rates faster than a person turns, or is stuck",
    implausibleMagnetometer: "the magnetometer does not measure the earth's field, or is stuck",
    clockStepped: "the clock was set back, and estimation was restarted",
    levelling: "the vertical is not known yet",
    settling: "the frame is still settling"};

const READINESS = {
    searching: "searching", ready: "ready", lost: "lost",
    stuck: "stuck: it waits for something that does not come by itself"};

const MODES = {rest: "at rest", foot: "on foot", vehicle: "in a vehicle"};
const NORTHS = {none: "no reference", magneticNorth: "magnetic north", trueNorth: "true north"};
const ARROWS = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];

/** Text for a reason; a reason newer than this page is shown by its name. */
export const reason = (name) => REASONS[name] ?? line(name);
export const readiness = (name) => READINESS[name] ?? UNKNOWN;
export const north = (name) => NORTHS[name] ?? UNKNOWN;
export const source = (name) => line(name).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().replace("gnss", "GNSS");
export const arrow = (degrees) => octant(degrees, ARROWS);

/** A half-width that contains the truth in 68 % of cases. */
export const accuracy = (value, unit) => `±${figure(value, 1, unit)}`;

/** A bearing of 0 to below 360 degrees. */
export const bearing = (degrees, decimals) => {
    if (!isNumber(degrees)) return UNKNOWN;
    const text = modulo(degrees, 360).toFixed(decimals);
    return (Number(text) === 360 ? (0).toFixed(decimals) : text) + "°";
};

export const distance = (metres) => {
    if (!isNumber(metres)) return UNKNOWN;
    if (metres < 99.95) return metres.toFixed(1) + " m";
    return metres < 9999.5 ? metres.toFixed(0) + " m" : (metres / 1000).toFixed(1) + " km";
};

export const duration = (time) => {
    if (!isNumber(time)) return UNKNOWN;
    const total = Math.floor(Math.max(0, time)), minutes = Math.floor(total / 60) % 60,
        hours = Math.floor(total / 3600) % 24;
    if (total >= 86400) return `${Math.floor(total / 86400)} d ${hours} h`;
    if (total >= 3600) return `${hours} h ${String(minutes).padStart(2, "0")} min`;
    return minutes > 0 ? `${minutes} min ${total % 60} s` : `${total} s`;
};

/** Time since a sample: milliseconds below a second. */
export const age = (time) => {
    if (!isNumber(time)) return UNKNOWN;
    if (time < 0.9995) return `${Math.round(time * 1000)} ms`;
    return time < 60 ? `${time.toFixed(1)} s` : duration(time);
};

export const bytes = (count) => {
    if (!isNumber(count)) return UNKNOWN;
    const units = ["B", "kB", "MB", "GB", "TB"];
    let power = 0;
    while (count >= 999.95 && power < units.length - 1) { count /= 1000; power += 1; }
    return `${count.toFixed(power ? 1 : 0)} ${units[power]}`;
};

export const motion = (value) => {
    if (!value) return UNKNOWN;
    const percent = Math.round(value.probability * 100);
    return `${MODES[value.mode] ?? line(value.mode)} (${percent === 100 ? ">99" : percent} %)`;
};

/** Maximum length of untrusted text. */
const LONGEST = 300;

/** Untrusted text on one line, without control characters and bidirectional controls. */
export const line = (text) => {
    const short = String(text ?? "").slice(0, LONGEST);
    return short.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ").trim();
};

/** Time of day of an instant. */
export const timeOfDay = (date) => date.toLocaleTimeString([], {hourCycle: "h23"});
