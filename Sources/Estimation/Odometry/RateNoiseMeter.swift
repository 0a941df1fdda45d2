import Geometry

/// How much the gyroscope rattles from sample to sample, found while the body moves.
///
/// The third difference of the rates leaves of a body's motion next to nothing and of white noise twenty times its
/// variance. The quietest block of samples lately tells the noise; motion and knocks only make a block louder.
package struct RateNoiseMeter: Sendable {
    private var last = (Vector3.zero, Vector3.zero, Vector3.zero)
    private var known = 0
    private var sum = 0.0
    private var count = 0
    private var quietest: Double?

    /// Samples of a block: the mean of as many differences is good to a tenth.
    private static let block = 128
    /// 1² + 3² + 3² + 1².
    private static let gain = 20.0
    /// The least of some thirty such means lies a fifth below them, in variance.
    private static let selection = 1.25
    /// By how much a block older by one counts for less quiet: a sensor that turns noisier is believed within minutes.
    private static let forgetting = 1.02

    package init() {}

    /// Per axis. Unit: rad/s. Nil until a block is full.
    package var deviation: Double? { quietest.map { ($0 * Self.selection).squareRoot() } }

    /// - Parameter rate: the next of a stream of equal intervals. Unit: rad/s.
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

    /// After a gap the samples before it tell nothing.
    package mutating func interrupt() {
        known = 0
        sum = 0
        count = 0
    }
}
