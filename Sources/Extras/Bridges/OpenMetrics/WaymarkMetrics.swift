import WaymarkInterface

/// Metrics of a daemon and its data. docs/metrics.md lists all of them.
///
/// Angles are in radians and times in seconds, the base units. The wearer's position is not included: other programs
/// store metrics for months.
package enum WaymarkMetrics {
    typealias Status = StatusInterface.Status
    typealias Device = StatusInterface.Device
    typealias Label = MetricFamily.Label

    /// All metrics.
    ///
    /// - Parameters:
    ///   - status: answer of the daemon; nil if it does not answer, so that its metrics are omitted.
    ///   - age: age of the answer. Unit: s.
    package static func families(_ status: StatusInterface.Status?, age: Double?) -> [MetricFamily] {
        var up = MetricFamily("waymark_up", help: "Whether the daemon answers: 1 or 0.")
        up.add(status == nil ? 0 : 1)
        guard let status else { return [up] }
        var dataAge = MetricFamily(
            "waymark_status_age_seconds", unit: "seconds", help: "Time since the daemon answered with these values.")
        dataAge.add(age)
        let parts = [
            daemon(status), localization(status), headingMonitors(status), updates(status), service(status),
            power(status), recording(status), calibration(status), devices(status.devices),
        ]
        return [up, dataAge] + parts.joined()
    }

    // MARK: building blocks

    static func gauge(_ name: String, _ unit: String = "", _ help: String, _ value: Double?) -> MetricFamily {
        var family = MetricFamily(name, unit: unit, help: help)
        family.add(value)
        return family
    }

    static func counter(_ name: String, _ unit: String = "", _ help: String, _ value: Int?) -> MetricFamily {
        var family = MetricFamily(name, .counter, unit: unit, help: help)
        family.add(value)
        return family
    }

    static func states<Word: InterfaceWord>(
        _ name: String, _ help: String, _ word: Word?
    ) -> MetricFamily {
        states(name, help, word.map { WordSet([$0]) })
    }

    static func states<Word: InterfaceWord>(
        _ name: String, _ help: String, _ words: WordSet<Word>?
    ) -> MetricFamily {
        var family = MetricFamily(name, .stateSet, help: help)
        if let words { family.add(states: names(Word.self), applying: words.words) }
        return family
    }

    static func names<Word: InterfaceWord>(_: Word.Type) -> [String] { Word.allCases.map(\.description) }

    static func radians(_ degrees: Double?) -> Double? { degrees.map { $0 * .pi / 180 } }
}
