/// Samples of one quantity, with their description.
package struct MetricFamily: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// A value that may increase and decrease.
        case gauge
        /// A number that grows until its source restarts; its samples get the suffix `_total`.
        case counter
        /// Several states, any number of which may apply. Each state has a sample: 1 if the state applies, otherwise 0.
        case stateSet = "stateset"
        /// Facts, as the labels of one sample with the value 1; the sample gets the suffix `_info`.
        case info
        /// Number of observations up to each of several bounds.
        case histogram

        /// Suffix of the samples.
        var suffix: String {
            switch self {
            case .counter: "_total"
            case .info: "_info"
            case .gauge, .stateSet, .histogram: ""
            }
        }
    }

    package struct Label: Hashable, Sendable {
        /// Name: letters, digits and underscores.
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A value with the labels that distinguish it from other values of its family.
    struct Sample: Hashable, Sendable {
        var suffix = ""
        var labels: [Label]
        var value: Double
    }

    /// Name without the suffixes of its samples; it ends with the unit, if there is one.
    package let name: String
    package let kind: Kind
    /// Base unit, such as `seconds`; empty for a dimensionless number.
    package let unit: String
    package let help: String
    private(set) var samples: [Sample] = []

    package init(_ name: String, _ kind: Kind = .gauge, unit: String = "", help: String) {
        precondition(unit.isEmpty || name.hasSuffix("_" + unit), "the name of a metric ends with its unit")
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
    }

    /// Adds a value, unless it is nil.
    package mutating func add(_ value: Double?, _ labels: [Label] = []) {
        guard let value else { return }
        samples.append(Sample(suffix: kind.suffix, labels: labels, value: value))
    }

    /// Adds a sample for each state. A state in `applying` that is missing in `all` gets a sample too.
    package mutating func add(states all: [String], applying: [String], _ labels: [Label] = []) {
        precondition(kind == .stateSet, "only a state set has states")
        for state in all + applying.filter({ !all.contains($0) }) {
            add(applying.contains(state) ? 1 : 0, labels + [Label(name, state)])
        }
    }

    /// Adds the counts of a histogram.
    ///
    /// - Parameters:
    ///   - bounds: upper bounds of the buckets, increasing.
    ///   - counts: cumulative number of observations up to each bound; if the count of a bound is missing, the
    ///     histogram is not added.
    package mutating func add(bounds: [Double], counts: [Int], count: Int, sum: Double, _ labels: [Label] = []) {
        precondition(kind == .histogram, "only a histogram has buckets")
        guard bounds.count == counts.count else { return }
        for (bound, count) in zip(bounds, counts) { addBucket(MetricsText.bound(bound), count, labels) }
        addBucket("+Inf", count, labels)
        samples.append(Sample(suffix: "_count", labels: labels, value: Double(count)))
        samples.append(Sample(suffix: "_sum", labels: labels, value: sum))
    }

    private mutating func addBucket(_ bound: String, _ count: Int, _ labels: [Label]) {
        samples.append(Sample(suffix: "_bucket", labels: labels + [Label("le", bound)], value: Double(count)))
    }
}
