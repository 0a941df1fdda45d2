import Geometry

/// Second-order Butterworth low-pass of vectors, at any sampling rate, also an uneven one.
///
/// A state-variable filter integrated by the trapezoidal rule: its cut-off does not depend on the sampling rate.
///
/// Source: Zavalishin, "The art of VA filter design", 2012, section 4.1.
package struct ForceSmoother: Sendable {
    private var band = Vector3.zero
    private var low = Vector3.zero
    private var hasBegun = false

    package init() {}

    /// Cut-off frequency: heel strikes and the shaking of a hand are above, steps below. Unit: Hz.
    private static let corner = 3.0
    /// Damping of a Butterworth low-pass: √2.
    private static let damping = 1.414_213_562_373_095_1
    /// Largest gain: a quarter of the sampling rate at 12 Hz, beyond which the tangent diverges.
    private static let largestGain = 1.0

    /// Filters the next value.
    ///
    /// - Parameter interval: time since the value before. Unit: seconds.
    /// - Returns: the smoothed value, in the frame and unit of the input.
    package mutating func add(_ value: Vector3, over interval: Double) -> Vector3 {
        guard hasBegun else {
            hasBegun = true
            low = value
            return value
        }
        let angle = min(1, .pi * Self.corner * interval)
        // The tangent to 0.3 % at 25 Hz and above; the function would cost more than all the rest.
        let gain = min(Self.largestGain, angle * (1 + angle * angle / 3))
        let change = (band + (value - low) * gain) / (1 + gain * (gain + Self.damping))
        let smoothed = low + change * gain
        band = change * 2 - band
        low = smoothed * 2 - low
        return smoothed
    }
}
