/// Acceptance or refusal of a calibration, with the reason.
package struct CalibrationVerdict: Hashable, Sendable {
    /// Reason for a refusal. The raw values are the words on the wire.
    package enum Refusal: String, Hashable, Sendable, CaseIterable {
        case noSamples
        /// Too few samples, or too short a time.
        case tooFewSamples
        /// The board moved while it had to be at rest.
        case moved
        /// Fewer distinct poses than the fit needs.
        case tooFewPoses
        /// The poses leave a parameter undetermined.
        case posesTooAlike
        case coverageTooSmall
        /// A magnet or iron disturbed the field.
        case disturbed
        /// A channel is clipped at the end of its range.
        case saturated
        case constantChannel
        case notFinite
        /// The sensor stopped delivering samples.
        case silent
        case noStraightWalk
        /// The fit does not explain the samples.
        case poorFit
        case predictedErrorTooLarge
        case worseThanPresent
    }

    /// Reason for the refusal; nil if the calibration is accepted.
    package var refusal: Refusal?
    /// One sentence for the user, which says what was found and what to do.
    package var reason: String

    package var isAccepted: Bool { refusal == nil }

    package static func accepted(_ reason: String) -> CalibrationVerdict {
        CalibrationVerdict(refusal: nil, reason: reason)
    }

    package static func refused(_ refusal: Refusal, _ reason: String) -> CalibrationVerdict {
        CalibrationVerdict(refusal: refusal, reason: reason)
    }
}

extension Double {
    /// Text with three significant digits, for use in sentences: `0.00123`, `9.81`, `32767`, `1.2e-07`.
    var figure: String { figure(digits: 3) }

    /// Text of an angle in radians as degrees, with two significant digits.
    var degreeFigure: String { (self * 180 / .pi).figure(digits: 2) }

    /// Text with a number of significant digits.
    ///
    /// - Parameter digits: number of significant digits, 1 to 9. Whole numbers keep all their digits.
    func figure(digits: Int) -> String {
        guard isFinite, self != 0 else { return isFinite ? "0" : "-" }
        if let whole = Int64(exactly: self), whole.magnitude < 1_000_000 { return "\(whole)" }
        var exponent = 0
        var mantissa = magnitude
        while mantissa >= 10 {
            mantissa /= 10
            exponent += 1
        }
        while mantissa < 1 {
            mantissa *= 10
            exponent -= 1
        }
        let sign = self < 0 ? "-" : ""
        guard (-4..<6).contains(exponent) else { return sign + Self.decimal(mantissa, digits - 1) + "e\(exponent)" }
        return sign + Self.decimal(magnitude, Swift.max(0, digits - 1 - exponent))
    }

    /// Text of a number from 0 to a billion, without trailing zeros.
    private static func decimal(_ value: Double, _ decimals: Int) -> String {
        var power: Int64 = 1
        for _ in 0..<decimals { power *= 10 }
        let units = Int64((value * Double(power)).rounded())
        guard decimals > 0 else { return "\(units)" }
        let fraction = "\(units % power)"
        var text = "\(units / power)." + String(repeating: "0", count: decimals - fraction.count) + fraction
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }
}
