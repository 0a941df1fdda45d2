import Geometry
import Model

/// Level of a plan, with the position of its center on a tangent plane. Unit: metres.
struct PlacedGrid: Sendable {
    let grid: PlanGrid
    var center: Vector2

    /// Whether a position is on the drawing, or within `margin` of it. Unit: metres.
    func holds(_ position: Vector2, margin: Double) -> Bool {
        let (away, half) = (position - center, grid.half)
        return away.x.magnitude < half.x + margin && away.y.magnitude < half.y + margin
    }
}

/// A saved state stores only the checksum of the level. The reader uses it to find the level in its own library.
extension PlacedGrid: WordCoded {
    /// Largest distance of a center that a saved state may contain. Unit: metres.
    private static let maximumDistance = 1e7

    init(reading reader: StateReader) throws {
        let checksum: UInt32 = try reader.read("checksum")
        center = try reader.read("center")
        guard center.norm <= Self.maximumDistance else { throw StateFlaw.impossible }
        let library = try PlanLibrary(from: reader)
        grid = library.grids.first { $0.checksum == checksum } ?? PlanGrid(missing: checksum)
    }

    func write(to writer: StateWriter) throws {
        try writer.write(grid.checksum)
        try writer.write(center)
    }
}
