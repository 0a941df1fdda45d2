import Geometry
import Glibc
import Simulation

/// Arguments that are the same everywhere.
struct Draws: RandomNumberGenerator {
    private var source: RandomSource

    init(state: UInt64) { source = RandomSource(seed: state) }

    mutating func next() -> UInt64 { source.next() }

    mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

    mutating func vector(_ size: Double) -> Vector3 {
        Vector3(number(-size...size), number(-size...size), number(-size...size))
    }

    /// Evenly over the sphere.
    mutating func direction() -> Vector3 {
        while true {
            let candidate = vector(1)
            if candidate.norm <= 1, let unit = candidate.normalized { return unit }
        }
    }

    mutating func rotation() -> Rotation3 { Rotation3.about(direction(), by: number(-3.1...3.1)) }
}

/// Angle between two vectors. Unit: radians.
func angle(_ a: Vector3, _ b: Vector3) -> Double { atan2(a.cross(b).norm, a.dot(b)) }

/// An attitude by heading (clockwise), pitch (up) and roll (to the right shoulder). Unit: degrees.
func attitude(heading: Double, pitch: Double = 0, roll: Double = 0) -> Rotation3 {
    Rotation3.about(Vector3(0, 1, 0), by: -Angle.radians(degrees: heading))
        * Rotation3.about(Vector3(1, 0, 0), by: Angle.radians(degrees: pitch))
        * Rotation3.about(Vector3(0, 0, 1), by: -Angle.radians(degrees: roll))
}
