import Glibc

/// A vector in the plane, in most places the horizontal plane with x east and y north; a variable's name states the
/// frame and the unit.
@frozen
public struct Vector2: Hashable, Sendable, Codable {
    /// First component.
    public var x: Double
    /// Second component, a quarter turn counter-clockwise from the first.
    public var y: Double

    /// Makes a vector from its components, by default the zero vector.
    @inlinable
    public init(_ x: Double = 0, _ y: Double = 0) {
        self.x = x
        self.y = y
    }

    /// Horizontal part of a vector whose z axis is up.
    @inlinable
    public init(_ vector: Vector3) { self.init(vector.x, vector.y) }

    /// Unit vector at an angle from the x axis. Unit: radians, counter-clockwise.
    @inlinable
    public init(angle: Double) { self.init(cos(angle), sin(angle)) }

    /// Angle from the x axis, in [−π, π]; 0 for the zero vector. Unit: radians, counter-clockwise.
    @inlinable public var angle: Double { atan2(y, x) }
    /// Squared Euclidean norm.
    @inlinable public var squaredNorm: Double { x * x + y * y }
    /// Euclidean norm.
    @inlinable public var norm: Double { squaredNorm.squareRoot() }

    /// Scalar product.
    @inlinable
    public func dot(_ other: Vector2) -> Double { x * other.x + y * other.y }

    /// Third component of the cross product: positive where `other` lies counter-clockwise of this vector.
    @inlinable
    public func cross(_ other: Vector2) -> Double { x * other.y - y * other.x }

    /// Sum, component by component.
    @inlinable
    public static func + (a: Vector2, b: Vector2) -> Vector2 { Vector2(a.x + b.x, a.y + b.y) }

    /// Difference, component by component.
    @inlinable
    public static func - (a: Vector2, b: Vector2) -> Vector2 { Vector2(a.x - b.x, a.y - b.y) }

    /// Multiple of a vector.
    @inlinable
    public static func * (factor: Double, a: Vector2) -> Vector2 { Vector2(factor * a.x, factor * a.y) }
}
