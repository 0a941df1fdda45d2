import Glibc

/// One of eight sectors of the compass, each 45° wide. When positions are reduced to a grid, only the sector of a
/// heading is published, because over time exact headings would reveal along which streets within a grid cell the
/// wearer walks.
package enum HeadingSector {
    /// Width of a sector. Unit: degrees.
    private static let width = 45.0

    /// Returns the middle of a heading's sector, in [0, 360). Both angles are clockwise from north. Unit: degrees.
    package static func middle(of heading: Double) -> Double {
        let middle = (heading / width).rounded() * width
        let turn = middle.truncatingRemainder(dividingBy: 360)
        return turn < 0 ? turn + 360 : turn
    }

    /// Returns the 68 % half-width around the middle of a sector, for a heading that may be anywhere in the sector and
    /// has the given accuracy. Of uniformly distributed headings, 68 % are within 0.34 sector widths of the middle.
    /// Unit: degrees.
    package static func accuracy(_ accuracy: Double) -> Double { hypot(accuracy, 0.34 * width) }
}
