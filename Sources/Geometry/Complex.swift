#if canImport(Glibc)
    import Glibc
#endif

/// A vector of the horizontal plane as a complex number: multiplication by one of length 1 turns it counter-clockwise.
@frozen
public struct Complex: Hashable, Sendable {
    public var real: Double
    public var imaginary: Double

    @inlinable
    public init(_ real: Double = 0, _ imaginary: Double = 0) {
        self.real = real
        self.imaginary = imaginary
    }

    /// The horizontal part of a vector whose z axis is up.
    @inlinable
    public init(_ vector: Vector3) { self.init(vector.x, vector.y) }

    /// A number of length 1. Unit: radians, counter-clockwise.
    @inlinable
    public init(angle: Double) { self.init(cos(angle), sin(angle)) }

    /// Unit: radians, counter-clockwise, in [−π, π].
    @inlinable public var angle: Double { atan2(imaginary, real) }
    @inlinable public var conjugate: Complex { Complex(real, -imaginary) }
    @inlinable public var squaredLength: Double { real * real + imaginary * imaginary }
    @inlinable public var length: Double { squaredLength.squareRoot() }

    @inlinable
    public static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }

    @inlinable
    public static func - (a: Complex, b: Complex) -> Complex { Complex(a.real - b.real, a.imaginary - b.imaginary) }

    @inlinable
    public static func * (a: Double, b: Complex) -> Complex { Complex(a * b.real, a * b.imaginary) }

    @inlinable
    public static func * (a: Complex, b: Complex) -> Complex {
        Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
    }
}
