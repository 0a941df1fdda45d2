/// Acceptance or refusal of a calibration, with the reason.
public struct CalibrationVerdict: Hashable, Sendable {
    /// Ground of a refusal; the raw values are those of the wire.
    public enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// The sensor delivered no sample.
        case noSamples
        /// Too few samples, or too short a time.
        case tooFewSamples
        /// The board moved while it had to be at rest.
        case moved
        /// Fewer distinct poses than the fit needs.
        case tooFewPoses
        /// The poses leave a parameter undetermined.
        case posesTooAlike
        /// Too few directions were covered.
        case coverageTooSmall
        /// A magnet or iron disturbed the field.
        case disturbed
        /// A channel is clipped at the end of its range.
        case saturated
        /// A channel never changes.
        case constantChannel
        /// Samples are not finite numbers.
        case notFinite
        /// The sensor stopped delivering samples.
        case silent
        /// No straight walk was detected.
        case noStraightWalk
        /// The fit does not explain the samples.
        case poorFit
        /// The predicted error of heading or tilt is too large.
        case predictedErrorTooLarge
        /// The calibration in force is better.
        case worseThanPresent
    }

    /// Ground of the refusal; nil if accepted.
    public var refusal: Refusal?
    /// One sentence for the user: the finding and the action to take.
    public var reason: String

    /// Whether the calibration may be used.
    public var isAccepted: Bool { refusal == nil }

    /// A verdict that accepts.
    public static func accepted(_ reason: String) -> CalibrationVerdict {
        CalibrationVerdict(refusal: nil, reason: reason)
    }

    /// A verdict that refuses.
    public static func refused(_ refusal: Refusal, _ reason: String) -> CalibrationVerdict {
        CalibrationVerdict(refusal: refusal, reason: reason)
    }
}
