import Geometry

extension TerrainTile.Cell {
    /// Cell that contains a position; for a position on an edge, the northern or eastern cell.
    public init(containing position: GeodeticPosition) {
        let row = ((position.latitudeDegrees + 90) * 10).rounded(.down)
        let column = ((position.longitudeDegrees + 180) * 10).rounded(.down)
        // The last row includes the pole, and columns wrap around the earth.
        self.init(row: min(1799, max(0, Int(row))), column: Int(column))!
    }
}

extension TerrainTile {
    /// Height at a position of the cell, in metres above the reference level of the elevation model; nil if unknown.
    public func height(at position: GeodeticPosition) -> Double? {
        let second = Double(Self.seconds)
        let turns = 3600 * second
        var east = ((position.longitudeDegrees + 180) * 3600 - Double(cell.column) * second)
            .truncatingRemainder(dividingBy: turns)
        if east < -turns / 2 { east += turns }
        if east > turns / 2 { east -= turns }
        let north = (position.latitudeDegrees + 90) * 3600 - Double(cell.row) * second
        // A position on an edge may be outside because of rounding.
        let edge = -1e-6...second + 1e-6
        guard edge.contains(north), edge.contains(east) else { return nil }
        return height(north: max(0, min(second, north)), east: max(0, min(second, east)))
    }
}
