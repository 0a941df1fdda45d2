import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Covered part of the sphere of directions, in 100 regions of equal area. Frame: the board's axes.
///
/// The sphere is cut along y into 10 bands of equal height, which have equal area by Archimedes' theorem; each band has
/// 10 sectors.
public struct SphereCoverage: Hashable, Sendable {
    /// Number of bands along y.
    public static let bands = 10
    /// Number of sectors of a band.
    public static let sectors = 10
    /// Number of regions.
    public static let regions = bands * sectors

    /// Bit set of the regions 0 to 63.
    private var low: UInt64 = 0
    /// Bit set of the regions 64 to 99.
    private var high: UInt64 = 0

    /// Makes an empty coverage.
    public init() {}

    /// Index of the region that contains a direction: band by band upwards from −y, and within each band by the angle
    /// from +z towards +x.
    public static func region(of direction: Vector3) -> Int {
        let height = direction.y / max(direction.norm, .leastNormalMagnitude)
        let band = min(bands - 1, max(0, Int((height + 1) / 2 * Double(bands))))
        let turn = atan2(direction.x, direction.z) / (2 * .pi)
        let sector = min(sectors - 1, max(0, Int((turn < 0 ? turn + 1 : turn) * Double(sectors))))
        return band * sectors + sector
    }

    /// Unit vector to the centre of a region.
    public static func centre(of region: Int) -> Vector3 {
        let height = (Double(region / sectors) + 0.5) / Double(bands) * 2 - 1
        let angle = (Double(region % sectors) + 0.5) / Double(sectors) * 2 * .pi
        let radius = (1 - height * height).squareRoot()
        return Vector3(radius * sin(angle), height, radius * cos(angle))
    }

    /// Marks the region of a direction, of any length, as covered.
    public mutating func insert(_ direction: Vector3) { insert(region: Self.region(of: direction)) }

    /// Marks a region as covered.
    public mutating func insert(region: Int) {
        if region < 64 { low |= 1 << UInt64(region) } else { high |= 1 << UInt64(region - 64) }
    }

    /// Whether a region is covered.
    public func contains(region: Int) -> Bool {
        (region < 64 ? low >> UInt64(region) : high >> UInt64(region - 64)) & 1 == 1
    }

    /// Number of covered regions.
    public var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    /// Covered share of the sphere, from 0 to 1.
    public var fraction: Double { Double(count) / Double(Self.regions) }
}
