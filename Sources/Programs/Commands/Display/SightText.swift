package struct SightOutcome: Equatable, Sendable {
    /// What the estimator has done with the sighting.
    package enum Verdict: Equatable, Sendable {
        /// The sighting corrected the heading, or set it.
        case used
        /// The sighting contradicts the heading.
        case refused
        /// The sighting could not be compared with the estimate.
        case notCompared
    }

    /// Heading of a pose. Unit: degrees.
    package struct Heading: Equatable, Sendable {
        let degrees: Double?
        let accuracy: Double?

        /// Heading, clockwise from north, with its 68 % half-width; nil if unknown.
        package init(degrees: Double?, accuracy: Double?) {
            (self.degrees, self.accuracy) = (degrees, accuracy)
        }
    }

    let verdict: Verdict
    let isSun: Bool
    let before: Heading?
    let after: Heading?

    package var isUsed: Bool { verdict == .used }

    package init(verdict: Verdict, isSun: Bool, before: Heading?, after: Heading?) {
        (self.verdict, self.isSun, self.before, self.after) = (verdict, isSun, before, after)
    }
}

package enum SightText {
    package static func line(_ outcome: SightOutcome) -> String {
        switch outcome.verdict {
        case .used: "used: heading \(heading(outcome.before)), now \(heading(outcome.after))"
        case .refused:
            "refused: contradicts the heading \(heading(outcome.after)); look at it straight ahead, and check that it "
                + "is the right place"
        case .notCompared where outcome.isSun:
            "not used: position or date are not known yet, the sun is too high, or the last one was just before; see "
                + "'waymark status'"
        case .notCompared:
            "not used: the position is not known yet, or not well enough for so near a place, or the last one was just "
                + "before; see 'waymark status'"
        }
    }

    private static func heading(_ heading: SightOutcome.Heading?) -> String {
        guard let degrees = heading?.degrees else { return "unknown" }
        return "\(Words.bearing(degrees, digits: 1)) \(Words.accuracy(heading?.accuracy, "°"))"
    }
}
