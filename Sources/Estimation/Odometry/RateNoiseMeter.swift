import Geometry

/// Meter of the gyroscope's noise from sample to sample, while the body moves.
///
/// The third difference of the rates suppresses the motion of a body, and has twenty times the variance of white noise.
/// The quietest recent block of samples shows the noise; motion and shocks only make a block louder.
package struct RateNoiseMeter: Sendable {
    private var last = (Vector3.zero, Vector3.zero, Vector3.zero)
    private var known = 0
    private var sum = 0.0
    private var count = 0
    private var quietest: Double?

    /// Number of samples of a block: the mean of as many differences is good to a tenth.
    private static let block = 128
    /// Variance of the third difference of unit white noise: 1² + 3² + 3² + 1².
    private static let gain = 20.0
    /// Bias of the least of some thirty such means, which is a fifth below them, in variance.
    private static let selection = 1.25
    /// Factor of the variance of an old block per block: a sensor that becomes noisier is noticed within minutes.
    private static let forgetting = 1.02

    package init() {}

    /// Standard deviation of one sample, per axis; nil until a block is full. Unit: rad/s.
    package var deviation: Double? { quietest.map { ($0 * Self.selection).squareRoot() } }

    /// Adds the next rate.
    ///
    /// - Parameter rate: angular rate, in a stream of equal intervals. Unit: rad/s.
    package mutating func add(_ rate: Vector3) {
        let difference = rate - last.0 * 3 + last.1 * 3 - last.2
        last = (rate, last.0, last.1)
        known = min(known + 1, 4)
        guard known == 4 else { return }
        sum += difference.squaredNorm
        count += 1
        guard count == Self.block else { return }
        let variance = sum / (3 * Self.gain * Double(Self.block))
        quietest = min(variance, quietest.map { $0 * Self.forgetting } ?? variance)
        sum = 0
        count = 0
    }

    /// Begins again after a gap.
    package mutating func interrupt() {
        known = 0
        sum = 0
        count = 0
    }
}
