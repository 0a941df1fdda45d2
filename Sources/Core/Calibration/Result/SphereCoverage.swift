import Geometry

import Glibc

/// Covered part of the sphere of directions, in 100 regions of equal area. Frame: the board's axes.
///
/// The sphere is cut along y into 10 bands of equal height. By Archimedes' theorem they have equal area. Each band has
/// 10 sectors.
package struct SphereCoverage: Hashable, Sendable {
    /// Number of bands along y.
    package static let bands = 10
    /// Number of sectors of a band.
    package static let sectors = 10
    package static let regions = bands * sectors

    /// Bit set of the regions 0 to 63.
    private var low: UInt64 = 0
    /// Bit set of the regions 64 to 99.
    private var high: UInt64 = 0

    package init() {}

    /// Index of the region that contains a direction. Indices count band by band upwards from −y, and within each band
    /// from +z towards +x.
    package static func region(of direction: Vector3) -> Int {
        let height = direction.y / max(direction.norm, .leastNormalMagnitude)
        let band = min(bands - 1, max(0, Int((height + 1) / 2 * Double(bands))))
        let turn = atan2(direction.x, direction.z) / (2 * .pi)
        let sector = min(sectors - 1, max(0, Int((turn < 0 ? turn + 1 : turn) * Double(sectors))))
        return band * sectors + sector
    }

    /// Unit vector to the centre of a region.
    package static func centre(of region: Int) -> Vector3 {
        let height = (Double(region / sectors) + 0.5) / Double(bands) * 2 - 1
        let angle = (Double(region % sectors) + 0.5) / Double(sectors) * 2 * .pi
        let radius = (1 - height * height).squareRoot()
        return Vector3(radius * sin(angle), height, radius * cos(angle))
    }

    /// Centres of all regions.
    static let centres = (0..<regions).map(centre(of:))

    /// Marks the region of a direction as covered. The direction may have any length.
    package mutating func insert(_ direction: Vector3) { insert(region: Self.region(of: direction)) }

    package mutating func insert(region: Int) {
        if region < 64 { low |= 1 << UInt64(region) } else { high |= 1 << UInt64(region - 64) }
    }

    package func contains(region: Int) -> Bool {
        (region < 64 ? low >> UInt64(region) : high >> UInt64(region - 64)) & 1 == 1
    }

    package var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    /// Covered share of the sphere, from 0 to 1.
    package var fraction: Double { Double(count) / Double(Self.regions) }
}
