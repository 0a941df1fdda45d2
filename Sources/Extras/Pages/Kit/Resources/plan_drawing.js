// Floor plans on a map: walls heaviest, doors across them, the rest thin.

/** How lines of a floor plan are drawn: colour, width in pixels and opacity. */
const planInks = (theme) => ({
    floor: [theme.faint, 1, 0.5], room: [theme.ink, 1, 0.6], wall: [theme.ink, 1.5, 0.8], door: [theme.turn, 3, 0.9],
    stairs: [theme.cluster, 1, 0.8], path: [theme.faint, 1, 0.4], street: [theme.faint, 1, 0.4]});

/** Draws lines, each with a kind and points in metres. */
export const drawPlan = (context, lines, view, theme) => {
    const inks = planInks(theme);
    // Kinds of later versions are drawn as floors are.
    const kindOf = ({kind}) => kind in inks ? kind : "floor";
    for (const [kind, [color, width, opacity]] of Object.entries(inks)) {
        context.strokeStyle = color;
        context.lineWidth = width;
        context.globalAlpha = opacity;
        context.beginPath();
        for (const {points} of lines.filter((line) => kindOf(line) === kind)) tracePath(context, points, view);
        context.stroke();
    }
    context.globalAlpha = 1;
};

/** Adds a line to the path; a single point is a mark of four pixels. */
const tracePath = (context, points, view) => {
    points.forEach((point, index) => {
        const {x, y} = view.place(point.east, point.north);
        if (index) return context.lineTo(x, y);
        context.moveTo(points.length > 1 ? x : x - 2, y);
        if (points.length === 1) context.lineTo(x + 2, y);
    });
};
