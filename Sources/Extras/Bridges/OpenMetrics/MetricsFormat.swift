package enum MetricsFormat: Hashable, Sendable, CaseIterable {
    case openMetrics
    /// Prometheus' text format 0.0.4, which other readers also support.
    case prometheus

    package var contentType: String {
        switch self {
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        }
    }

    /// Chooses the format that the request header `Accept` asks for: OpenMetrics if the reader names it and does not
    /// prefer plain text.
    package init(accept: String) {
        var openMetrics = 0.0
        var plain = 0.0
        for range in accept.lowercased().split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let weight = parts.lazy.compactMap { $0.hasPrefix("q=") ? Double($0.dropFirst(2)) : nil }.first ?? 1
            let version = parts.first { $0.hasPrefix("version=") }
            switch parts.first {
            case "application/openmetrics-text" where version == nil || version == "version=1.0.0":
                openMetrics = max(openMetrics, weight)
            case "text/plain": plain = max(plain, weight)
            default: break
            }
        }
        self = openMetrics > 0 && openMetrics >= plain ? .openMetrics : .prometheus
    }
}
