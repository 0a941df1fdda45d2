import Bridges
import Testing

@Suite struct MetricsTextTests {
    private let families: [MetricFamily] = {
        var gauge = MetricFamily("x_seconds", unit: "seconds", help: "Say \"a\\b\"\nand more.")
        gauge.add(0.25, [.init("label", "quo\"te \\ line\nend")])
        gauge.add(nil as Double?, [.init("label", "unknown")])
        var counter = MetricFamily("x_poses", .counter, help: "Poses.")
        counter.add(12)
        var states = MetricFamily("x_state", .stateSet, help: "State.")
        states.add(states: ["good", "bad"], applying: ["bad", "new"])
        var info = MetricFamily("x_build", .info, help: "Build.")
        info.add(1, [.init("version", "1.0")])
        var histogram = MetricFamily("x_latency_seconds", .histogram, unit: "seconds", help: "Latency.")
        histogram.add(bounds: [0.001, 1], counts: [2, 3], count: 4, sum: 1.5)
        return [gauge, counter, MetricFamily("x_empty", help: "Nothing."), states, info, histogram]
    }()

    @Test("OpenMetrics has type, unit and help of each family that has samples, and ends with EOF")
    func openMetrics() {
        #expect(
            MetricsText.write(families, .openMetrics) == #"""
                # TYPE x_seconds gauge
                # UNIT x_seconds seconds
                # HELP x_seconds Say \"a\\b\"\nand more.
                x_seconds{label="quo\"te \\ line\nend"} 0.25
                # TYPE x_poses counter
                # HELP x_poses Poses.
                x_poses_total 12
                # TYPE x_state stateset
                # HELP x_state State.
                x_state{x_state="good"} 0
                x_state{x_state="bad"} 1
                x_state{x_state="new"} 1
                # TYPE x_build info
                # HELP x_build Build.
                x_build_info{version="1.0"} 1
                # TYPE x_latency_seconds histogram
                # UNIT x_latency_seconds seconds
                # HELP x_latency_seconds Latency.
                x_latency_seconds_bucket{le="0.001"} 2
                x_latency_seconds_bucket{le="1.0"} 3
                x_latency_seconds_bucket{le="+Inf"} 4
                x_latency_seconds_count 4
                x_latency_seconds_sum 1.5
                # EOF

                """#)
    }

    @Test("Prometheus' format knows neither units, state sets nor EOF, and describes samples by their own names")
    func prometheus() {
        let text = MetricsText.write(families, .prometheus)
        #expect(text.hasPrefix("# TYPE x_seconds gauge\n# HELP x_seconds Say \"a\\\\b\"\\nand more.\n"))
        #expect(text.contains("# TYPE x_poses_total counter\n# HELP x_poses_total Poses.\nx_poses_total 12\n"))
        #expect(text.contains("# TYPE x_state gauge\n"))
        #expect(text.contains("# TYPE x_build_info gauge\n"))
        #expect(text.contains("# TYPE x_latency_seconds histogram\n"))
        #expect(!text.contains("# UNIT") && !text.contains("# EOF"))
    }

    @Test("of samples with the same labels only the first is written, for readers refuse the text otherwise")
    func duplicates() {
        var family = MetricFamily("x", help: "X.")
        for value in [1.0, 2] { family.add(value, [.init("device", "a")]) }
        #expect(MetricsText.write([family], .prometheus).hasSuffix("x{device=\"a\"} 1\n"))
    }

    @Test("numbers that are not finite have their own words, and large ones are exact")
    func numbers() {
        var family = MetricFamily("x", help: "X.")
        for (label, value) in [("a", Double.nan), ("b", .infinity), ("c", -.infinity), ("d", 1e300), ("e", 0.1)] {
            family.add(value, [.init("l", label)])
        }
        family.add(9_007_199_254_740_992, [.init("l", "f")])
        let values = MetricsText.write([family], .prometheus).split(separator: "\n").dropFirst(2).map {
            $0.split(separator: " ")[1]
        }
        #expect(values == ["NaN", "+Inf", "-Inf", "1e+300", "0.1", "9007199254740992"])
    }

    @Test(
        "the format is OpenMetrics if the reader names it and prefers no plain text",
        arguments: [
            ("", MetricsFormat.prometheus), ("*/*", .prometheus), ("text/html, */*;q=0.8", .prometheus),
            ("application/openmetrics-text", .openMetrics),
            ("Application/OpenMetrics-Text; Version=1.0.0; charset=utf-8", .openMetrics),
            ("application/openmetrics-text;version=0.0.1", .prometheus),
            ("application/openmetrics-text;version=1.0.0;q=0", .prometheus),
            ("application/openmetrics-text;version=1.0.0;q=0.2,text/plain;version=0.0.4;q=0.9", .prometheus),
            // What Prometheus 2.42 sends.
            (
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                    + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", .openMetrics
            ),
            (";;,q=,=;q=x,application/openmetrics-text;q=nan", .prometheus),
        ])
    func negotiation(accept: String, format: MetricsFormat) {
        #expect(MetricsFormat(accept: accept) == format)
    }
}
