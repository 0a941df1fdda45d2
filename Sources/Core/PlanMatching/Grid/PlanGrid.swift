import Geometry

/// One level of a plan, drawn as cells. Stores the area of each cell and how closed its surroundings are.
///
/// Frame: east and north of the center, in metres. The tangent plane is inaccurate farther than a few kilometres from
/// the center.
public final class PlanGrid: Sendable {
    package let plan: String
    package let level: String
    /// Number of the level above the ground floor's 0; nil if unknown.
    let number: Double?
    package let center: GeodeticPosition
    /// Side length of a cell. Unit: metres.
    public let cell: Double
    package let columns: Int
    package let rows: Int

    /// Half the extent to the east and the north. Unit: metres.
    let half: Vector2
    /// Number by which a saved state identifies the same drawing of the same plan.
    let checksum: UInt32

    /// Area of each cell, row by row from the south-west.
    private let areas: [PlanArea]
    /// Share of the directions in which a border is near, in units of 1/255. Each block of `blockCells`² cells has one
    /// value, averaged over its surroundings.
    private let closedness: [UInt8]
    private let blockColumns: Int
    private let inverseCell: Float
    private let corner: SIMD2<Float>

    /// Draws a level. Returns nil if it has no extent, an extent of more than `Self.maximumExtent`, or areas that cover
    /// each other many times over.
    public init?(_ level: PlanLevel, of plan: FloorPlan) {
        guard let drawing = PlanDrawing(level) else { return nil }
        var raster = PlanRaster(half: drawing.half)
        drawing.draw(on: &raster)
        guard !raster.isOverdrawn else { return nil }
        self.plan = plan.id
        (self.level, number) = (level.name, level.number)
        center = drawing.center
        (half, cell, columns, rows, areas) = (raster.half, raster.cell, raster.columns, raster.rows, raster.areas)
        checksum = Self.checksum(of: raster, plan: plan.id, level: level.name, center: drawing.center)
        inverseCell = Float(1 / cell)
        corner = SIMD2(Float(-raster.half.x), Float(-raster.half.y))
        blockColumns = (columns + Self.blockCells - 1) / Self.blockCells
        let single = Self.closedness(of: raster, blockColumns: blockColumns)
        let reach = Int((Self.surroundings / (Double(Self.blockCells) * raster.cell)).rounded())
        closedness = SurroundingMean(of: single, columns: blockColumns).values(reach: reach)
    }

    /// Makes a placeholder, without any content, for a level that is not in the library.
    init(missing checksum: UInt32) {
        (plan, level, number, center, cell, columns, rows) = ("", "", nil, Self.nowhere, 1, 0, 0)
        self.checksum = checksum
        (half, areas, closedness, blockColumns) = (Vector2(), [], [], 0)
        (inverseCell, corner) = (1, SIMD2())
    }

    /// Whether this is a placeholder for a level that is not in the library.
    var isMissing: Bool { areas.isEmpty }

    private static let nowhere = GeodeticPosition(PlanPoint(latitudeDegrees: 0, longitudeDegrees: 0))

    /// Extends the hash of the cells by the position and the names. Source: FNV-1a, Fowler, Noll and Vo.
    private static func checksum(
        of raster: PlanRaster, plan: String, level: String, center: GeodeticPosition
    ) -> UInt32 {
        var hash = raster.checksum
        func add(_ byte: UInt8) { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        for number in [center.latitudeDegrees, center.longitudeDegrees, raster.cell] {
            withUnsafeBytes(of: number.bitPattern.littleEndian) { $0.forEach(add) }
        }
        (plan + "\0" + level).utf8.forEach(add)
        return hash
    }

    /// Largest extent of a level. Unit: metres.
    public static let maximumExtent = 5000.0
    /// Side length of a block that has one value of closedness, in cells.
    private static let blockCells = 2
    /// Number of directions that are examined for closedness.
    private static let directions = 16
    /// Distance up to which a border counts as near. Unit: metres.
    private static let nearness = 1.0
    /// Distance to the east, west, north and south over which closedness is averaged. It is about the width of a
    /// corridor. Close to a wall, half of the directions are closed. Without averaging, a particle that stays close to
    /// walls would therefore gain weight at each step, although wearers keep away from walls. Unit: metres.
    private static let surroundings = 2.0

    /// Returns the area at a point; `outside` beyond the drawing. Frame: east and north of the center. Unit: metres.
    @inline(__always)
    package func area(at point: SIMD2<Float>) -> PlanArea {
        guard let (column, row) = cell(at: point) else { return .outside }
        return areas[row * columns + column]
    }

    /// Returns the share of the directions in which a border is near, from 0 to 1, averaged over the surroundings of a
    /// point.
    @inline(__always)
    package func closedness(at point: SIMD2<Float>) -> Float {
        guard let (column, row) = cell(at: point) else { return 0 }
        let block = row / Self.blockCells * blockColumns + column / Self.blockCells
        return Float(closedness[block]) * (1 / 255)
    }

    @inline(__always)
    private func cell(at point: SIMD2<Float>) -> (column: Int, row: Int)? {
        let place = (point - corner) * inverseCell
        guard place.x >= 0, place.y >= 0, place.x < Float(columns), place.y < Float(rows) else { return nil }
        return (Int(place.x), Int(place.y))
    }

    /// Returns the most serious border on the straight line between two points.
    @inline(__always)
    package func border(from start: SIMD2<Float>, to end: SIMD2<Float>) -> PlanBorder {
        let displacement = end - start
        let length = (displacement * displacement).sum().squareRoot()
        let count = max(1, Int((length * inverseCell).rounded(.up)))
        let part = displacement / Float(count)
        var point = start
        var area = area(at: start)
        var worst = PlanBorder.none
        for _ in 0..<count {
            point += part
            let next = self.area(at: point)
            if next != area { worst = max(worst, PlanBorder(from: area, to: next)) }
            area = next
        }
        return worst
    }

    private static func closedness(of raster: PlanRaster, blockColumns: Int) -> [UInt8] {
        let blockRows = (raster.rows + blockCells - 1) / blockCells
        let reach = nearness / raster.cell
        let steps = max(1, Int(reach.rounded()))
        let rays = (0..<directions).map { Vector2(angle: 2 * .pi * Double($0) / Double(directions)) }
        return [UInt8](unsafeUninitializedCapacity: blockRows * blockColumns) { shares, count in
            for row in 0..<blockRows {
                for column in 0..<blockColumns {
                    let (x, y) = (column * blockCells, row * blockCells)
                    let closed = rays.count { raster.isClosed(from: (x, y), along: $0, reach: reach, steps: steps) }
                    shares[row * blockColumns + column] = UInt8(closed * 255 / directions)
                }
            }
            count = blockRows * blockColumns
        }
    }
}
