import Geometry

/// A low-pass of second order (Butterworth) for vectors at any rate, even or not.
///
/// A state-variable filter integrated by the trapezoidal rule: its corner does not move with the sampling rate.
///
/// Source: Zavalishin, "The art of VA filter design", 2012, section 4.1.
package struct ForceSmoother: Sendable {
    private var band = Vector3.zero
    private var low = Vector3.zero
    private var hasBegun = false

    package init() {}

    /// The impact of the heel and the shaking of a hand lie above, the steps below. Unit: Hz.
    private static let corner = 3.0
    /// Of a Butterworth low-pass: √2.
    private static let damping = 1.414_213_562_373_095_1
    /// A quarter of the sampling rate at 12 Hz: beyond, the tangent runs away.
    private static let largestGain = 1.0

    /// - Parameter interval: since the value before. Unit: seconds.
    /// - Returns: the smoothed value, in the frame and unit of the input.
    package mutating func add(_ value: Vector3, over interval: Double) -> Vector3 {
        guard hasBegun else {
            hasBegun = true
            low = value
            return value
        }
        let angle = min(1, .pi * Self.corner * interval)
        // The tangent to 0.3 % at 25 Hz and above; it would cost more than all the rest.
        let gain = min(Self.largestGain, angle * (1 + angle * angle / 3))
        let change = (band + (value - low) * gain) / (1 + gain * (gain + Self.damping))
        let smoothed = low + change * gain
        band = change * 2 - band
        low = smoothed * 2 - low
        return smoothed
    }
}
