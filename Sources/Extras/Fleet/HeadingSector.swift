import Glibc

/// One of eight sectors of the compass, each 45° wide: of a heading only its sector is published beside a cell of the
/// grid. An exact heading, over time, would reveal the streets that the wearer walks along within a cell.
package enum HeadingSector {
    /// Unit: degrees.
    private static let width = 45.0

    /// Middle of the sector of a heading. Both clockwise from north, the middle from 0 to less than 360. Unit: degrees.
    package static func middle(of heading: Double) -> Double {
        let middle = (heading / width).rounded() * width
        let turn = middle.truncatingRemainder(dividingBy: 360)
        return turn < 0 ? turn + 360 : turn
    }

    /// Half-width around the middle that contains the heading in 68 % of cases, for one that may be anywhere in the
    /// sector, with an accuracy of its own. Of an even distribution 68 % lie within 0.34 widths. Unit: degrees.
    package static func accuracy(_ accuracy: Double) -> Double { hypot(accuracy, 0.34 * width) }
}
