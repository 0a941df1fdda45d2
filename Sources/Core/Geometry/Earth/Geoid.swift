import CGeographic

/// The geoid EGM96: mean sea level, continued under the land.
///
/// Heights are interpolated in a grid of 30'. They differ from those of the published grid of 15' by 0.14 m (root mean
/// square over the earth), and by up to 3.9 m beside high mountains; EGM96 itself has an error of 0.5 to 1 m.
///
/// Source: Lemoine et al., "The Development of the Joint NASA GSFC and NIMA Geopotential Model EGM96", NASA, 1998.
public enum Geoid {
    /// Height of the geoid above the ellipsoid. The height of `position` is ignored. Unit: metres.
    public static func undulation(at position: GeodeticPosition) -> Double {
        let south = cell((position.latitudeDegrees + 90) / 180, of: Int(GEOGRAPHIC_EGM96_ROWS) - 1)
        let turns = (position.longitudeDegrees + 180) / 360
        let west = cell(turns - turns.rounded(.down), of: Int(GEOGRAPHIC_EGM96_COLUMNS))
        return between(parallel(south.index, west), parallel(south.index + 1, west), south.fraction)
    }

    /// Finds the cell of one of the grid's axes.
    ///
    /// - Parameters:
    ///   - part: position along the axis as a fraction of the grid's extent, 0 to 1.
    ///   - count: number of cells along the axis.
    /// - Returns: the index of the cell, and the position within the cell as a fraction of its width.
    private static func cell(_ part: Double, of count: Int) -> (index: Int, fraction: Double) {
        // With this order of the arguments, NaN becomes 0.
        let place = min(max(0, part), 1) * Double(count)
        let index = min(Int(place), count - 1)
        return (index, place - Double(index))
    }

    /// Interpolates the geoid's height along one parallel of the grid, which wraps around the earth. Unit: metres.
    private static func parallel(_ row: Int, _ west: (index: Int, fraction: Double)) -> Double {
        let east = (west.index + 1) % Int(GEOGRAPHIC_EGM96_COLUMNS)
        return between(
            geographic_egm96_node(Int32(row), Int32(west.index)), geographic_egm96_node(Int32(row), Int32(east)),
            west.fraction)
    }

    private static func between(_ first: Double, _ second: Double, _ fraction: Double) -> Double {
        first + (second - first) * fraction
    }
}
