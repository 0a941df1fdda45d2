/// Whether a calibration may be used, and why.
public struct CalibrationVerdict: Hashable, Sendable {
    /// Why one is refused; the words are those of the wire.
    public enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// No sample of the sensor at all.
        case noSamples
        case tooFewSamples
        /// The board moved where it had to be still.
        case moved
        case tooFewPoses
        /// The poses lie so that some parameter stays undetermined.
        case posesTooAlike
        /// Too few directions were seen.
        case coverageTooSmall
        /// A magnet or iron passed by.
        case disturbed
        /// A channel stands at its end.
        case saturated
        /// A channel never changes.
        case constantChannel
        /// Numbers that are none.
        case notFinite
        /// The sensor fell silent half-way.
        case silent
        /// No straight walk was seen.
        case noStraightWalk
        /// The fit does not explain the samples.
        case poorFit
        /// What it would leave in heading or tilt is too large.
        case predictedErrorTooLarge
        /// What is in force is better.
        case worseThanPresent
    }

    /// Nil is accepted.
    public var refusal: Refusal?
    /// One sentence for the one who calibrates: what was found, and what to do.
    public var reason: String

    public var isAccepted: Bool { refusal == nil }

    public static func accepted(_ reason: String) -> CalibrationVerdict {
        CalibrationVerdict(refusal: nil, reason: reason)
    }

    public static func refused(_ refusal: Refusal, _ reason: String) -> CalibrationVerdict {
        CalibrationVerdict(refusal: refusal, reason: reason)
    }
}
