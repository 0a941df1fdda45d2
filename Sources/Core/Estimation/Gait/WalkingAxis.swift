import Geometry
import Glibc
import Model

/// Determines the walking axis from the gait itself: the body oscillates forwards and backwards at the step frequency,
/// and sideways at half that frequency.
///
/// A Fourier sum over four steps under a Hann window extracts the horizontal acceleration at the step frequency; the
/// zeros of the window suppress the mean and the sideways swing. The result is an ellipse: its long axis is the walking
/// axis, and its shape indicates the uncertainty.
package struct WalkingAxis: Sendable, Codable {
    /// Smoothed horizontal accelerations on a regular grid, the newest at `head`. Frame: ENU. Unit: m/s².
    private var east = InlineArray<80, Float>(repeating: 0)
    private var north = InlineArray<80, Float>(repeating: 0)
    private var up = InlineArray<80, Float>(repeating: 0)
    private var head = 0
    private var count = 0
    /// Time since the newest value of the grid. Unit: seconds.
    private var passed = 0.0
    /// Previous acceleration. Frame: ENU. Unit: m/s².
    private var before = Vector3.zero
    /// Durations of the last steps. Unit: seconds.
    private var durations = InlineArray<4, Double>(repeating: 0)
    private var steps = 0
    /// Mean squared ratio of the ellipse's short axis to its long axis.
    private var squaredRatio: Double
    /// Sine of the phase by which the acceleration along the last axis leads the upward acceleration, from −1 to 1.
    ///
    /// A body is fastest at its lowest point, so its forward acceleration leads its upward acceleration by a quarter of
    /// a step. Therefore the sine is 1 if the axis points in the walking direction and the board moves with the trunk.
    package private(set) var lead = 0.0

    /// Largest number of points of the grid.
    private static let capacity = 80
    /// Spacing of the grid. Unit: seconds.
    private static let interval = 0.04
    /// Number of steps in the window.
    private static let window = 4
    /// Weight of a step in the mean ratio.
    private static let share = 0.15
    /// Initial ratio. It is so large that the axis is not used.
    private static let startRatio = 0.3
    /// Quotient of the axis's standard deviation and the ratio of the ellipse's axes. Unit: radians.
    ///
    /// Origin: recorded walks with a phone in the hand have ratios of 0.15 to 0.4 and errors of 0.4 to 0.9 rad.
    private static let standardDeviationPerRatio = 3.0
    /// Least standard deviation of the axis. Unit: radians.
    private static let minimumStandardDeviation = 0.03

    package init() { squaredRatio = Self.startRatio * Self.startRatio }

    /// Adds a sample to the grid.
    ///
    /// - Parameter acceleration: smoothed acceleration. Frame: ENU. Unit: m/s².
    mutating func add(_ acceleration: Vector3, over interval: Double) {
        defer { before = acceleration }
        // After a gap all data are discarded.
        guard interval < 1 else { return self = WalkingAxis() }
        passed += interval
        while passed >= Self.interval {
            passed -= Self.interval
            // The grid point lies `passed` seconds before this sample.
            let weight = interval > 0 ? min(1, passed / interval) : 0
            let value = acceleration + (before - acceleration) * weight
            head = head + 1 == Self.capacity ? 0 : head + 1
            east[head] = Float(value.x)
            north[head] = Float(value.y)
            up[head] = Float(value.z)
            count = min(Self.capacity, count + 1)
        }
    }

    /// Adds a regular step.
    ///
    /// - Parameter age: time since the end of the step. Unit: seconds.
    /// - Returns: a unit vector along the axis, in either direction, with its standard deviation (radians).
    mutating func add(step duration: Double, age: Double) -> Step.Axis? {
        durations = [durations[1], durations[2], durations[3], duration]
        steps = min(Self.window, steps + 1)
        guard steps == Self.window, let ellipse = ellipse(age: age) else { return nil }
        squaredRatio += Self.share * (ellipse.squaredRatio - squaredRatio)
        let spread = Self.standardDeviationPerRatio * squaredRatio.squareRoot()
        let standardDeviation = (spread * spread + Self.minimumStandardDeviation * Self.minimumStandardDeviation)
            .squareRoot()
        return Step.Axis(direction: ellipse.direction, standardDeviation: standardDeviation)
    }

    /// Computes the ellipse of the acceleration at the step frequency. The method is `mutating` so that the grid is
    /// read in place.
    private mutating func ellipse(age: Double) -> (direction: Vector3, squaredRatio: Double)? {
        let span = durations[0] + durations[1] + durations[2] + durations[3]
        var (sumEast, sumNorth, sumUp) = (Complex(), Complex(), Complex())
        var back = passed
        var index = head
        // `phase` makes one turn over the window: its real part gives the Hann window, and its fourth power is the wave
        // at the step frequency. Its angle decreases by the same amount from value to value, so that a multiplication
        // replaces the cosine.
        var phase = Complex(angle: (age - back) / span * 2 * .pi)
        let turn = Complex(angle: -Self.interval / span * 2 * .pi)
        for _ in 0..<count {
            if back - age > span { break }
            if back >= age {
                let twice = phase * phase
                let wave = (1 - phase.real) * (twice * twice)
                sumEast = sumEast + Double(east[index]) * wave
                sumNorth = sumNorth + Double(north[index]) * wave
                sumUp = sumUp + Double(up[index]) * wave
            }
            phase = phase * turn
            back += Self.interval
            index = index == 0 ? Self.capacity - 1 : index - 1
        }
        // The grid must cover the window.
        guard back - age >= span - Self.interval else { return nil }
        let a = sumEast.squaredLength
        let b = sumEast.real * sumNorth.real + sumEast.imaginary * sumNorth.imaginary
        let d = sumNorth.squaredLength
        let middle = (a + d) / 2
        let reach = ((a - d) * (a - d) / 4 + b * b).squareRoot()
        guard middle + reach > 1e-9 else { return nil }
        let angle = 0.5 * atan2(2 * b, a - d)
        let along = cos(angle) * sumEast + sin(angle) * sumNorth
        let size = along.length * sumUp.length
        lead = size > 0 ? (sumUp * along.conjugate).imaginary / size : 0
        return (Vector3(cos(angle), sin(angle), 0), max(0, middle - reach) / (middle + reach))
    }

    /// Starts a new series of steps after a dissimilar step or a pause.
    mutating func interrupt() { steps = 0 }

    /// Rotates all vectors when the ENU frame is rotated about up.
    mutating func turn(by turn: Rotation2) {
        before = turn * before
        for k in 0..<Self.capacity {
            let turned = turn * Vector3(Double(east[k]), Double(north[k]), 0)
            east[k] = Float(turned.x)
            north[k] = Float(turned.y)
        }
    }
}

/// A complex number, for the Fourier sum.
private struct Complex {
    var real = 0.0
    var imaginary = 0.0

    @inline(__always)
    init(_ real: Double = 0, _ imaginary: Double = 0) {
        self.real = real
        self.imaginary = imaginary
    }

    /// Makes the number of magnitude 1 at an angle. Unit: radians.
    @inline(__always)
    init(angle: Double) { self.init(cos(angle), sin(angle)) }

    var conjugate: Complex { Complex(real, -imaginary) }
    var squaredLength: Double { real * real + imaginary * imaginary }
    var length: Double { squaredLength.squareRoot() }

    @inline(__always)
    static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }

    @inline(__always)
    static func * (a: Double, b: Complex) -> Complex { Complex(a * b.real, a * b.imaginary) }

    @inline(__always)
    static func * (a: Complex, b: Complex) -> Complex {
        Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
    }
}

extension WalkingAxis: CheckedState {
    package mutating func settle() -> Bool {
        head < Self.capacity && count <= Self.capacity && steps <= Self.window && (0...1).contains(passed)
    }
}
