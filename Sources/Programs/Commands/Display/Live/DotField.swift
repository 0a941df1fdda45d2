import Glibc

/// Dots, finer than characters, that cover an area of cells. Each cell has two columns and four rows of Braille dots,
/// which are equally spaced if a cell is twice as high as wide.
///
/// On ASCII-only terminals a cell with dots is drawn as a point, or as a colon if it has more than three dots.
struct DotField: Sendable {
    let area: CellArea
    private var dots: [UInt8]
    private var inks: [Ink]

    /// Number of dots per row.
    var width: Int { area.columns * 2 }
    /// Number of rows of dots.
    var height: Int { area.rows * 4 }

    /// Bits of a Braille character, by column and row of the dot in its cell (Unicode Standard, chapter 21.1).
    private static let bits: [UInt8] = [0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80]

    init(_ area: CellArea) {
        self.area = area
        dots = Array(repeating: 0, count: area.rows * area.columns)
        inks = Array(repeating: .plain, count: area.rows * area.columns)
    }

    /// Sets a dot, counted from the upper left corner; ignored outside of the area.
    mutating func set(_ x: Int, _ y: Int, _ ink: Ink) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return }
        let index = y / 4 * area.columns + x / 2
        dots[index] |= Self.bits[x % 2 * 4 + y % 4]
        inks[index] = ink
    }

    /// Sets the dot nearest to a point. Unit: spacing of the dots.
    mutating func set(_ x: Double, _ y: Double, _ ink: Ink) {
        // Excludes values beyond any terminal, and NaN.
        guard x.magnitude < 1e6, y.magnitude < 1e6 else { return }
        set(Int(x.rounded()), Int(y.rounded()), ink)
    }

    /// Draws a line between two points; dots outside of the area are ignored, and so are lines that are far too long.
    ///
    /// - Parameter gap: spacing of the line's dots.
    mutating func line(
        from: (x: Double, y: Double), to: (x: Double, y: Double), gap: Double = 1, _ ink: Ink
    ) {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let length = (dx * dx + dy * dy).squareRoot()
        guard length.isFinite, length < 1e5 else { return }
        let steps = max(1, Int((length / gap).rounded(.up)))
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            set(from.x + share * dx, from.y + share * dy, ink)
        }
    }

    /// Draws a circle.
    ///
    /// - Parameter gap: spacing of the circle's dots.
    mutating func circle(around centre: (x: Double, y: Double), radius: Double, gap: Double, _ ink: Ink) {
        guard radius >= 1, radius < 1e5 else { return }
        let count = max(8, Int((2 * .pi * radius / gap).rounded()))
        for index in 0..<count {
            let angle = 2 * .pi * Double(index) / Double(count)
            set(centre.x + radius * sin(angle), centre.y - radius * cos(angle), ink)
        }
    }

    func draw(into grid: inout CellGrid) {
        for row in 0..<area.rows {
            for column in 0..<area.columns {
                let index = row * area.columns + column
                guard dots[index] != 0, let sign = sign(dots[index], grid.canvas.unicode) else { continue }
                grid.put(sign, row: area.row + row, column: area.column + column, inks[index])
            }
        }
    }

    private func sign(_ dots: UInt8, _ unicode: Bool) -> Unicode.Scalar? {
        unicode ? Unicode.Scalar(0x2800 + UInt32(dots)) : dots.nonzeroBitCount > 3 ? ":" : "."
    }
}
