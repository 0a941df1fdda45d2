import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Which of 100 regions of equal area of the sphere have been seen: 10 bands of equal height along y, by Archimedes of
/// equal area, each of 10 sectors. Frame: the board's axes.
public struct SphereCoverage: Hashable, Sendable {
    public static let bands = 10
    public static let sectors = 10
    public static let regions = bands * sectors

    /// Bit i: region i.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    public init() {}

    /// Band by band from −y up, in each by angle from +z towards +x.
    public static func region(of direction: Vector3) -> Int {
        let height = direction.y / max(direction.norm, .leastNormalMagnitude)
        let band = min(bands - 1, max(0, Int((height + 1) / 2 * Double(bands))))
        let turn = atan2(direction.x, direction.z) / (2 * .pi)
        let sector = min(sectors - 1, max(0, Int((turn < 0 ? turn + 1 : turn) * Double(sectors))))
        return band * sectors + sector
    }

    /// The middle of a region, of length 1.
    public static func centre(of region: Int) -> Vector3 {
        let height = (Double(region / sectors) + 0.5) / Double(bands) * 2 - 1
        let angle = (Double(region % sectors) + 0.5) / Double(sectors) * 2 * .pi
        let radius = (1 - height * height).squareRoot()
        return Vector3(radius * sin(angle), height, radius * cos(angle))
    }

    public mutating func see(_ direction: Vector3) { see(region: Self.region(of: direction)) }

    public mutating func see(region: Int) {
        if region < 64 { low |= 1 << UInt64(region) } else { high |= 1 << UInt64(region - 64) }
    }

    public func hasSeen(region: Int) -> Bool {
        (region < 64 ? low >> UInt64(region) : high >> UInt64(region - 64)) & 1 == 1
    }

    public var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    /// 0…1.
    public var fraction: Double { Double(count) / Double(Self.regions) }
}
