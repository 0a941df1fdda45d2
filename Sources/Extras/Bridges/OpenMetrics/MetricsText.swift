package struct MetricsText {
    private let format: MetricsFormat
    private var text = ""

    private init(_ format: MetricsFormat) { self.format = format }

    /// Returns the text of families. Families without samples are omitted.
    package static func write(_ families: [MetricFamily], _ format: MetricsFormat) -> String {
        var writer = MetricsText(format)
        for family in families where !family.samples.isEmpty { writer.append(family) }
        if format == .openMetrics { writer.text += "# EOF\n" }
        return writer.text
    }

    private mutating func append(_ family: MetricFamily) {
        // In Prometheus' format, the name in the description includes the suffix of the samples.
        let name = format == .openMetrics ? family.name : family.name + family.kind.suffix
        text += "# TYPE \(name) \(format == .openMetrics ? family.kind.rawValue : prometheusKind(family.kind))\n"
        if format == .openMetrics, !family.unit.isEmpty { text += "# UNIT \(name) \(family.unit)\n" }
        text += "# HELP \(name) \(escaped(family.help, quotes: format == .openMetrics))\n"
        // Readers refuse a text in which two samples have the same labels.
        var written = Set<[String]>()
        for sample in family.samples {
            let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
            guard written.insert([sample.suffix] + labels).inserted else { continue }
            let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            text += "\(family.name)\(sample.suffix)\(list) \(Self.number(sample.value))\n"
        }
    }

    private func prometheusKind(_ kind: MetricFamily.Kind) -> String {
        switch kind {
        case .counter, .histogram: kind.rawValue
        case .gauge, .stateSet, .info: MetricFamily.Kind.gauge.rawValue
        }
    }

    private func escaped(_ value: String, quotes: Bool) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns the shortest decimal text that yields the same value. Whole numbers have no point.
    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    /// Returns the bound of a bucket, always with a decimal point, because bounds are labels, which are compared as
    /// text.
    static func bound(_ value: Double) -> String { "\(value)" }
}
