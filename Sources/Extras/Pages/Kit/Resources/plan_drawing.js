// Floor plans on a map: walls heaviest, doors across them, the rest thin.

import {stroke, trace} from "./canvas.js";

/** How lines of a floor plan are drawn: colour, width in pixels and opacity. */
const planInks = (theme) => ({
    floor: [theme.faint, 1, 0.5], room: [theme.ink, 1, 0.6], wall: [theme.ink, 1.5, 0.8], door: [theme.turn, 3, 0.9],
    stairs: [theme.cluster, 1, 0.8], path: [theme.faint, 1, 0.4], street: [theme.faint, 1, 0.4]});

/** Width of a line of a single point. Unit: pixels. */
const MARK = 4;

/** Draws lines, each with a kind and points in metres. */
export const drawPlan = (context, lines, view, theme) => {
    const inks = planInks(theme);
    // Kinds of later versions are drawn as floors are.
    const kindOf = ({kind}) => kind in inks ? kind : "floor";
    for (const [kind, [color, width, opacity]] of Object.entries(inks)) {
        stroke(context, {color, width, opacity}, () => {
            for (const {points} of lines.filter((line) => kindOf(line) === kind)) {
                const pixel = (index) => view.place(points[index].east, points[index].north);
                trace(context, 0, points.length, pixel, {mark: MARK});
            }
        });
    }
};
