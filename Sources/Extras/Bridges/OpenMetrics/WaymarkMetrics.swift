import WaymarkInterface

/// Metrics of a daemon and its data. docs/metrics.md lists all of them.
///
/// Angles are in radians and times in seconds, the base units. The wearer's position is not included, because other
/// programs store metrics for months.
package enum WaymarkMetrics {
    typealias Status = StatusInterface.Status
    typealias Label = MetricFamily.Label
    /// Items that have a sample each, with the labels of their samples.
    typealias Labelled<Item> = [(item: Item, labels: [Label])]

    /// Returns all metrics.
    ///
    /// - Parameters:
    ///   - status: answer of the daemon; nil if it does not answer, so that its metrics are omitted.
    ///   - age: age of the answer. Unit: s.
    package static func families(_ status: StatusInterface.Status?, age: Double?) -> [MetricFamily] {
        let up = gauge("waymark_up", "Whether the daemon answers: 1 or 0.", status == nil ? 0 : 1)
        guard let status else { return [up] }
        let parts = [
            [up, gauge("waymark_status_age_seconds", "Time since the daemon answered with these values.", age)],
            daemon(status), localization(status), headingMonitors(status), updates(status), service(status),
            power(status), recording(status), calibration(status), devices(status.devices),
        ]
        return Array(parts.joined())
    }

    // MARK: building blocks

    /// Units with which the names of metrics end.
    private static let units = ["seconds", "meters", "radians", "hertz", "celsius", "ratio", "bytes"]

    static func family<Item>(
        _ name: String, _ kind: MetricFamily.Kind, _ help: String, _ items: Labelled<Item>, _ value: (Item) -> Double?
    ) -> MetricFamily {
        var family = MetricFamily(name, kind, unit: units.first { name.hasSuffix("_" + $0) } ?? "", help: help)
        for (item, labels) in items { family.add(value(item), labels) }
        return family
    }

    static func gauge<Item>(
        _ name: String, _ help: String, _ items: Labelled<Item>, _ value: (Item) -> Double?
    ) -> MetricFamily {
        family(name, .gauge, help, items, value)
    }

    static func counter<Item>(
        _ name: String, _ help: String, _ items: Labelled<Item>, _ value: (Item) -> Int?
    ) -> MetricFamily {
        family(name, .counter, help, items) { value($0).map(Double.init) }
    }

    static func gauge(_ name: String, _ help: String, _ value: Double?) -> MetricFamily {
        gauge(name, help, [(value, [])]) { $0 }
    }

    static func counter(_ name: String, _ help: String, _ value: Int?) -> MetricFamily {
        counter(name, help, [(value, [])]) { $0 }
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
