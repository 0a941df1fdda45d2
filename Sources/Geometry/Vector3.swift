/// A vector in three dimensions; the name of a variable says its frame and unit.
@frozen
public struct Vector3: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double

    @inlinable
    public init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    @inlinable
    public static var zero: Vector3 { Vector3(0, 0, 0) }

    @inlinable
    public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

    @inlinable
    public var squaredNorm: Double { x * x + y * y + z * z }

    @inlinable
    public var norm: Double { squaredNorm.squareRoot() }

    /// The vector of length 1 in this direction.
    ///
    /// Returns nil for a vector too short to have a direction.
    @inlinable
    public var normalized: Vector3? {
        let length = norm
        // The square of a shorter one has lost digits.
        return length > 1e-150 && length.isFinite ? self / length : nil
    }

    @inlinable
    public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

    @inlinable
    public func cross(_ other: Vector3) -> Vector3 {
        Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    @inlinable
    public static func + (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x + b.x, a.y + b.y, a.z + b.z) }

    @inlinable
    public static func - (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x - b.x, a.y - b.y, a.z - b.z) }

    @inlinable
    public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }

    @inlinable
    public static func * (a: Vector3, factor: Double) -> Vector3 { Vector3(a.x * factor, a.y * factor, a.z * factor) }

    @inlinable
    public static func * (factor: Double, a: Vector3) -> Vector3 { a * factor }

    @inlinable
    public static func / (a: Vector3, divisor: Double) -> Vector3 {
        Vector3(a.x / divisor, a.y / divisor, a.z / divisor)
    }

    @inlinable
    public static func += (a: inout Vector3, b: Vector3) { a = a + b }

    @inlinable
    public static func -= (a: inout Vector3, b: Vector3) { a = a - b }
}
