import Glibc

/// One of eight sectors of the compass, each 45° wide. When positions are reduced to a grid, only the sector of a
/// heading is published: over time, exact headings would reveal the streets within a grid cell along which the wearer
/// walks.
package enum HeadingSector {
    /// Width of a sector. Unit: degrees.
    private static let width = 45.0

    /// Middle of a heading's sector, in [0, 360). Both angles are clockwise from north. Unit: degrees.
    package static func middle(of heading: Double) -> Double {
        let middle = (heading / width).rounded() * width
        let turn = middle.truncatingRemainder(dividingBy: 360)
        return turn < 0 ? turn + 360 : turn
    }

    /// 68 % half-width around the middle of a sector, for a heading that may be anywhere in the sector and has the
    /// given accuracy. Of uniformly distributed headings, 68 % are within 0.34 sector widths of the middle. Unit:
    /// degrees.
    package static func accuracy(_ accuracy: Double) -> Double { hypot(accuracy, 0.34 * width) }
}
