import WaymarkInterface

package enum AidText {
    /// Makes a table with a row for each kind of measurement of each source, followed by a line for each source with
    /// refused offers.
    package static func lines(_ sources: [AidInterface.AidSource]) -> [String] {
        guard !sources.isEmpty else { return ["No source is open."] }
        let titles: [(title: String, alignment: Table.Alignment)] = [
            ("source", .left), ("kind", .left), ("rate", .right), ("age", .right), ("claimed", .right),
            ("learned", .right), ("refused", .right), ("trust", .left), ("why", .left),
        ]
        let rows = sources.flatMap { source in
            source.trust.isEmpty
                ? [row(source)] : source.trust.enumerated().map { row(source, $1, isFirst: $0 == 0) }
        }
        return Table(titles, rows).lines + sources.compactMap(flawed)
    }

    /// Makes the row of a source whose measurements the estimator does not check, such as a source that only offers
    /// samples.
    private static func row(_ source: AidInterface.AidSource) -> [String] {
        let kinds = source.kinds.known.map { Words.line(OpenWord($0)) }.joined(separator: ", ")
        return start(source, kind: kinds) + Array(repeating: Words.unknown, count: 3)
            + [Words.line(source.state), ""]
    }

    /// Makes the first cells of a source's first row.
    private static func start(_ source: AidInterface.AidSource, kind: String) -> [String] {
        [
            Words.line(source.source), kind, "\(source.rate.fixed(1)) Hz",
            source.age.map { "\($0.fixed(1)) s" } ?? Words.unknown,
        ]
    }

    private static func row(
        _ source: AidInterface.AidSource, _ trust: AidInterface.AidTrust, isFirst: Bool
    ) -> [String] {
        let (applied, refused) = (Double(trust.applied), Double(trust.refused))
        let share = applied + refused > 0 ? "\((100 * refused / (applied + refused)).fixed(0)) %" : Words.unknown
        let kind = Words.line(trust.kind)
        return (isFirst ? start(source, kind: kind) : ["", kind, "", ""]) + [
            trust.accuracy.map { accuracy($0, trust.kind) } ?? Words.unknown, learned(trust), share,
            Words.line(trust.state), trust.cause.map(reason) ?? "",
        ]
    }

    /// Text of the learned accuracy. For odometry, which claims no accuracy, the text is the ratio of the learned to
    /// the assumed accuracy.
    private static func learned(_ trust: AidInterface.AidTrust) -> String {
        guard let scale = trust.accuracyScale else { return Words.unknown }
        return trust.accuracy.map { accuracy($0 * scale, trust.kind) } ?? "×\(scale.fixed(1))"
    }

    private static func accuracy(_ value: Double, _ kind: OpenWord<AidInterface.AidKind>) -> String {
        switch kind {
        case .known(.sighting), .known(.heading): "\(value.fixed(1))°"
        default: Words.distance(value)
        }
    }

    /// Line with the number of offers, for each error, that did not reach the estimator; nil if there are none.
    private static func flawed(_ source: AidInterface.AidSource) -> String? {
        guard !source.refused.isEmpty else { return nil }
        let causes = source.refused.map { offers in
            "\(Words.line(offers.error.split(separator: ".").last.map(String.init) ?? "")) \(offers.number)"
        }
        return "\(Words.line(source.source)): not taken: \(causes.joined(separator: ", "))"
    }

    /// Describes in one line how the estimator uses a kind of measurement.
    package static func line(_ trust: AidInterface.AidTrust) -> String {
        let cause = trust.cause.map { " (\(reason($0)))" } ?? ""
        return "\(Words.line(trust.kind)) \(Words.line(trust.state))\(cause): \(trust.applied) used, "
            + "\(trust.refused) refused by the estimator"
    }

    /// Explains why a source is not trusted.
    static func reason(_ cause: OpenWord<AidInterface.AidDoubt>) -> String {
        guard let known = cause.known else { return Words.line(cause) }
        return reason(known)
    }

    /// Explains why a source is not trusted.
    package static func reason(_ cause: AidInterface.AidDoubt) -> String {
        switch cause {
        case .new: "too few offers were compared"
        case .headingUnknown: "the heading is not known yet"
        case .positionUnknown: "the position is not known yet"
        case .otherCamera: "another camera is used"
        case .contradictsEstimate: "contradicts the other measurements"
        case .contradictsMotion: "contradicts the motion by the other sensors"
        case .jumps: "jumps without a new reset number"
        case .turnsAway: "its yaw runs away"
        case .repeatsPose: "repeats its pose while the wearer moves"
        }
    }

    /// Line about a source that the estimator refuses, with the reason.
    package static func line(_ refused: StatusInterface.RefusedAid) -> String {
        "\(Words.line(refused.kind)) of \(Words.line(refused.source)) refused: \(reason(refused.cause))"
    }
}
