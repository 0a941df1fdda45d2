import Geometry
import Glibc

/// An artificial horizon: sky and ground as the wearer's line of sight crosses them, a ladder of elevations, and a
/// fixed mark for the wearer.
struct Horizon: Sendable {
    let attitude: SightAttitude
    let area: CellArea
    /// Whether the horizon is drawn without colours although the terminal has them, to mark it as outdated.
    let isFaded: Bool

    /// Elevation range of a row. Six to twenty rows show 60° in total. Fewer rows show less, to keep the numbers
    /// legible, and more rows show more. Unit: degrees.
    private let degreesPerRow: Double
    private let cosine: Double
    private let sine: Double

    init(_ attitude: SightAttitude, _ area: CellArea, isFaded: Bool) {
        (self.attitude, self.area, self.isFaded) = (attitude, area, isFaded)
        degreesPerRow = 60 / Double(max(6, min(20, area.rows)))
        cosine = cos(Angle.radians(degrees: attitude.roll))
        sine = sin(Angle.radians(degrees: attitude.roll))
    }

    /// Draws into the area, unless it has less than two rows or six columns.
    func draw(into grid: inout CellGrid) {
        guard area.rows >= 2, area.columns >= 6 else { return }
        if isColoured(grid.canvas) {
            for row in 0..<area.rows {
                for column in 0..<area.columns { fill(row, column, &grid) }
            }
            drawLadder(&grid)
        } else {
            drawPlain(&grid)
        }
        drawWearer(&grid)
    }

    private func isColoured(_ canvas: Canvas) -> Bool { canvas.colour && canvas.unicode && !isFaded }

    /// Elevation at a point, which is given in cells to the right of the centre and above it; a cell is twice as high
    /// as wide. Unit: degrees.
    private func elevation(_ right: Double, _ up: Double) -> Double {
        attitude.pitch + degreesPerRow * (cosine * up - sine * right / 2)
    }

    private func offset(_ row: Int, _ column: Int) -> (right: Double, up: Double) {
        (Double(column) - Double(area.columns - 1) / 2, Double(area.rows - 1) / 2 - Double(row))
    }

    // MARK: - In colours

    private static let lower: [Unicode.Scalar] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let left: [Unicode.Scalar] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

    /// Fills a cell with sky and ground, with a resolution of an eighth of the cell.
    private func fill(_ row: Int, _ column: Int, _ grid: inout CellGrid) {
        let (right, up) = offset(row, column)
        let elevation = elevation(right, up)
        let (vertical, horizontal) = (cosine * degreesPerRow, sine * degreesPerRow / 2)
        let isFlat = vertical.magnitude >= horizontal.magnitude
        // Share of sky in the cell, along the axis that the horizon crosses.
        let sky = min(1, max(0, 0.5 + elevation / max(0.001, isFlat ? vertical.magnitude : horizontal.magnitude)))
        let isSkyFirst = isFlat ? vertical < 0 : horizontal > 0
        let eighths = Int(((isSkyFirst ? sky : 1 - sky) * 8).rounded())
        let signs = isFlat ? Self.lower : Self.left
        let (low, high): (Ink, Ink) = isSkyFirst ? (.sky, .ground) : (.ground, .sky)
        let (sign, ink): (Unicode.Scalar, Ink) =
            switch eighths {
            case 0: (" ", high)
            case 8: (" ", low)
            default: (signs[eighths], isSkyFirst ? .skyBelowGround : .groundBelowSky)
            }
        grid.put(sign, row: area.row + row, column: area.column + column, ink)
    }

    /// Marks every ten degrees of elevation by a dashed line, and every twenty degrees by a longer one with a number.
    /// The number is omitted if the roll is too large for it to be read.
    private func drawLadder(_ grid: inout CellGrid) {
        let half = Double(min(area.columns / 5, area.rows / 2 + 2))
        for step in -8...8 where step != 0 {
            let up = (Double(step * 10) - attitude.pitch) / degreesPerRow
            guard up.magnitude < Double(area.rows + area.columns) else { continue }
            let length = step % 2 == 0 ? half : half / 2
            for index in -Int(length)...Int(length) { put("╌", Double(index), up, &grid) }
            guard step % 2 == 0, cosine > 0.8 else { continue }
            let number = "\(abs(step) * 10)"
            for (place, digit) in number.unicodeScalars.enumerated() { put(digit, half + 2 + Double(place), up, &grid) }
        }
    }

    /// Draws a sign of the ladder, which rolls with the horizon. Does not change a cell that contains both sky and
    /// ground.
    private func put(_ sign: Unicode.Scalar, _ along: Double, _ up: Double, _ grid: inout CellGrid) {
        // A line whose ends differ in height by less than a row is drawn horizontally, because a step of a whole row
        // would look steeper than the line is.
        let isLevel = (sine * Double(area.columns) / 4).magnitude < 1 && cosine > 0
        let x = isLevel ? along : cosine * along + 2 * sine * up
        let y = isLevel ? up : cosine * up - sine * along / 2
        let column = Int((x + Double(area.columns - 1) / 2).rounded())
        let row = Int((Double(area.rows - 1) / 2 - y).rounded())
        guard (0..<area.rows).contains(row), (0..<area.columns).contains(column) else { return }
        let ink = grid.ink(row: area.row + row, column: area.column + column)
        guard ink == .sky || ink == .ground else { return }
        grid.put(sign, row: area.row + row, column: area.column + column, ink)
    }

    // MARK: - Without colours

    /// Draws the horizon as a line, and the ground as a pattern of points.
    private func drawPlain(_ grid: inout CellGrid) {
        var dots = DotField(area)
        let (middleX, middleY) = (Double(dots.width - 1) / 2, Double(dots.height - 1) / 2)
        // Elevation of half a dot: points nearer to the horizon are drawn as part of its line.
        let line = degreesPerRow / 8 * max(cosine.magnitude, sine.magnitude)
        for y in 0..<dots.height {
            for x in 0..<dots.width {
                let elevation = elevation((Double(x) - middleX) / 2, (middleY - Double(y)) / 4)
                let isGrain = x % 2 == 0 && y % 2 == 0 && (x / 2 + y / 2) % 2 == 0
                if elevation.magnitude <= line || (elevation < 0 && isGrain) { dots.set(x, y, .plain) }
            }
        }
        dots.draw(into: &grid)
    }

    // MARK: - The wearer

    private func drawWearer(_ grid: inout CellGrid) {
        let wing = max(1, min(5, area.columns / 8))
        let (row, column) = (area.row + (area.rows - 1) / 2, area.column + (area.columns - 1) / 2)
        let (line, centre): (Unicode.Scalar, Unicode.Scalar) = grid.canvas.unicode ? ("━", "●") : ("=", "o")
        for offset in -(2 * wing)...(2 * wing) where offset == 0 || offset.magnitude > wing.magnitude {
            let (right, up) = self.offset(row - area.row, column + offset - area.column)
            let isSky = elevation(right, up) > 0
            let ink: Ink = isColoured(grid.canvas) ? (isSky ? .symbolBeforeSky : .symbolBeforeGround) : .strong
            grid.put(offset == 0 ? centre : line, row: row, column: column + offset, ink)
        }
    }
}
