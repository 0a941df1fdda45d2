/// A vector in three dimensions; a variable's name states its frame and unit.
@frozen
public struct Vector3: Hashable, Sendable, Codable {
    /// First component.
    public var x: Double
    /// Second component.
    public var y: Double
    /// Third component, upwards in ENU.
    public var z: Double

    /// Makes a vector from its components.
    @inlinable
    public init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Zero vector.
    @inlinable
    public static var zero: Vector3 { Vector3(0, 0, 0) }

    /// Whether no component is infinite or NaN.
    @inlinable
    public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

    /// Squared Euclidean norm.
    @inlinable
    public var squaredNorm: Double { x * x + y * y + z * z }

    /// Euclidean norm.
    @inlinable
    public var norm: Double { squaredNorm.squareRoot() }

    /// Norm of the x and y components: the horizontal norm if z is up.
    @inlinable
    public var horizontalNorm: Double { (x * x + y * y).squareRoot() }

    /// Unit vector of the same direction; nil for a vector that is too short or not finite.
    @inlinable
    public var normalized: Vector3? {
        let length = norm
        // The squared norm of a shorter vector would underflow and lose digits.
        return length > 1e-150 && length.isFinite ? self / length : nil
    }

    /// Scalar product.
    @inlinable
    public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

    /// Cross product, right-handed.
    @inlinable
    public func cross(_ other: Vector3) -> Vector3 {
        Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// Product, component by component.
    @inlinable
    public func scaled(by factors: Vector3) -> Vector3 { Vector3(x * factors.x, y * factors.y, z * factors.z) }

    /// Sum, component by component.
    @inlinable
    public static func + (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x + b.x, a.y + b.y, a.z + b.z) }

    /// Difference, component by component.
    @inlinable
    public static func - (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x - b.x, a.y - b.y, a.z - b.z) }

    /// Opposite vector.
    @inlinable
    public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }

    /// Multiple of a vector.
    @inlinable
    public static func * (a: Vector3, factor: Double) -> Vector3 { Vector3(a.x * factor, a.y * factor, a.z * factor) }

    /// Multiple of a vector.
    @inlinable
    public static func * (factor: Double, a: Vector3) -> Vector3 { a * factor }

    /// Vector divided by a scalar.
    @inlinable
    public static func / (a: Vector3, divisor: Double) -> Vector3 {
        Vector3(a.x / divisor, a.y / divisor, a.z / divisor)
    }

    /// Adds a vector in place.
    @inlinable
    public static func += (a: inout Vector3, b: Vector3) { a = a + b }

    /// Subtracts a vector in place.
    @inlinable
    public static func -= (a: inout Vector3, b: Vector3) { a = a - b }
}
