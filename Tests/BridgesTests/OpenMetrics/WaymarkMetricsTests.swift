import Bridges
import Foundation
import JSON
import Testing
import WaymarkInterface

@Suite struct WaymarkMetricsTests {
    @Test("without a daemon there is nothing but that")
    func down() {
        let text = MetricsText.write(WaymarkMetrics.families(nil, age: 3), .openMetrics)
        #expect(text.hasSuffix("\nwaymark_up 0\n# EOF\n"))
        #expect(text.split(separator: "\n").count == 4)
    }

    @Test("values have base units, and states, reasons and devices their labels")
    func values() throws {
        let text = try Self.text()
        for line in [
            "waymark_up 1", "waymark_status_age_seconds 0.5", "waymark_uptime_seconds 12.5",
            #"waymark_build_info{version="1.2.3",source="sensors",demonstration="false"} 1"#,
            #"waymark_state{waymark_state="localized"} 0"#, #"waymark_state{waymark_state="limited"} 1"#,
            #"waymark_reason{waymark_reason="noGNSSData"} 1"#, #"waymark_reason{waymark_reason="poorGNSS"} 0"#,
            #"waymark_reason{waymark_reason="laterReason"} 1"#, "waymark_horizontal_accuracy_meters 3.5",
            "waymark_yaw_accuracy_radians 3.141592653589793", "waymark_poses_total 1000",
            #"waymark_heading_monitor_correction_radians{monitor="satellites"} -1.5707963267948966"#,
            #"waymark_device_samples_total{device="imu",identifier="a\"b"} 100"#,
            #"waymark_device_state{device="imu",identifier="a\"b",waymark_device_state="streaming"} 1"#,
            #"waymark_device_temperature_celsius{device="imu",identifier="a\"b"} 31.5"#,
            #"waymark_power_mode{waymark_power_mode="idle"} 1"#, "waymark_recording 1",
            "waymark_recording_bytes_total 4096", #"waymark_updates_refused_total{measurement="gnssPosition"} 2"#,
            #"waymark_innovation_ratio{measurement="gnssPosition"} 1.25"#,
            #"waymark_pose_latency_seconds_bucket{le="0.01"} 5"#,
            #"waymark_pose_latency_seconds_bucket{le="+Inf"} 6"#, "waymark_pose_latency_seconds_count 6",
            #"waymark_warm_start_dropped{part="place",reason="tooOld"} 1"#,
            #"waymark_calibration_age_seconds{sensor="gyroscope",device="imu"} 60"#, "waymark_damaged_plans 1",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line)")
        }
        #expect(!text.contains("47.5"), "the wearer's position is not to be stored")
    }

    @Test("a thousand devices are cut to those that a board may have")
    func manyDevices() throws {
        var status = try Self.status()
        let device = status.devices[0]
        status.devices = (0..<1000).map { index in
            var copy = device
            copy.identifier = "\(index)"
            return copy
        }
        let text = MetricsText.write(WaymarkMetrics.families(status, age: 0), .prometheus)
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("waymark_device_samples_total{") }.count == 64)
    }

    /// With WAYMARK_RECORD=1 the page is written anew, and the run fails so that it is not taken for a check.
    @Test("docs/metrics.md is what the metrics say of themselves")
    func documentation() throws {
        let place = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/metrics.md")
        let page = try Self.page()
        if ProcessInfo.processInfo.environment["WAYMARK_RECORD"] == "1" {
            try page.write(to: place, atomically: true, encoding: .utf8)
            Issue.record("\(place.path) was written anew")
        }
        #expect(try String(contentsOf: place, encoding: .utf8) == page)
    }

    private static func page() throws -> String {
        let labels = try labels()
        let rows = WaymarkMetrics.families(try status(), age: 0).map { family in
            let unit = family.unit.isEmpty ? "–" : family.unit
            let own = labels[family.name, default: []].map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(family.name)` | \(family.kind.rawValue) | \(unit) | \(own) | \(family.help) |"
        }
        return """
            # Metrics

            Written by `WAYMARK_RECORD=1 make test TESTS=Bridges` from the descriptions in `Sources/Extras/Bridges/OpenMetrics`;
            [bridges.md](bridges.md#openmetrics) says how they are read.

            | Metric | Type | Unit | Labels | Meaning |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }

    /// Names of the labels of each metric, without those of the format: the state of a set, the limit of a bucket.
    private static func labels() throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for line in try text().split(separator: "\n") {
            guard let sample = line.wholeMatch(of: /(waymark_\w+?)(_total|_info|_bucket)?\{(.*)\} .*/) else { continue }
            let name = String(sample.1)
            found[name] = sample.3.matches(of: /(\w+)="(?:[^"\\]|\\.)*"/).map { String($0.1) }.filter {
                $0 != name && $0 != "le"
            }
        }
        return found
    }

    private static func text() throws -> String {
        MetricsText.write(WaymarkMetrics.families(try status(), age: 0.5), .openMetrics)
    }

    private static func status() throws -> StatusInterface.Status {
        try StatusInterface.Status(JSONReader.read(Array(document.utf8)))
    }

    private static let document = #"""
        {"version":"1.2.3","uptime":12.5,"source":"sensors","state":"limited","reasons":["noGNSSData","laterReason"],
        "advice":[],"sources":["inertial"],"horizontalAccuracy":3.5,"verticalAccuracy":4,"orientationYawAccuracy":180,
        "bestEstimate":{"latitude":47.5,"longitude":8,"horizontalAccuracy":9,"travel":1,"age":2},
        "headingReference":"trueNorth","motion":{"mode":"foot","probability":0.75},
        "headingMonitor":{"correction":-90,"deviation":2,"pairs":5,"age":1},
        "readiness":"lost","readinessReasons":["noGNSSData"],"generation":2,"slewAngle":0,"slewDistance":0.5,
        "poses":1000,"poseRate":100,"clients":2,"subscriptions":1,"poseRing":{"clients":1},
        "power":{"mode":"idle","age":3,"wakes":4},
        "warmStart":{"used":["gyroBias"],"dropped":[{"part":"place","reason":"tooOld"}],"age":86400},
        "calibration":{"sensors":[{"sensor":"gyroscope","device":"imu","inForce":true,"age":60,"origin":"calibrate",
        "predictedHeadingError":1,"predictedTiltError":1}],"residuals":[]},
        "devices":[{"name":"imu","identifier":"a\"b","state":"streaming","channels":[],"requestedRate":100,
        "grantedRate":104,"samples":100,"gaps":1,"dropped":0,"age":0.01,"temperature":31.5,"clock":"boottime",
        "sampling":"device"}],
        "recording":{"path":"/x","messages":10,"bytes":4096,"dropped":0},
        "updates":[{"kind":"gnssPosition","applied":8,"downWeighted":1,"refused":2,"innovationRatio":1.25}],
        "poseLatency":{"bounds":[0.001,0.01],"counts":[1,5],"count":6,"sum":0.05},"missedMessages":7,
        "droppedClients":1,"damagedPlans":["/x"]}
        """#
}
