import Commands
import Geometry

/// Boards to be looked at.
enum Boards {
    /// One with nothing wrong, as it is worn, at rest.
    static var good: BoardFacts {
        var facts = BoardFacts(version: "1.2.3")
        facts.configuration = ConfigurationFacts(file: "/etc/waymark/waymark.toml")
        facts.configuration?.files = ["/etc/waymark/waymark.toml"]
        facts.unit = UnitFacts(name: "waymarkd.service", load: "loaded", active: "active")
        facts.socket = SocketFacts(path: "/run/waymark/waymark.sock", outcome: .answered)
        facts.daemon = DaemonFacts(version: "1.2.3", state: "localized", poses: 300)
        facts.kernel = KernelFacts(hasIIO: true)
        facts.account = AccountFacts(name: "waymark", user: 990, groups: [990])
        facts.changes = ChangeFacts(group: "waymark-change")
        facts.devices = devices
        facts.streams = [
            stream(.accelerometer, mean: Vector3(0, 9.81, 0)), stream(.gyroscope, mean: Vector3(0.001, 0, 0)),
            stream(.magnetometer, device: "mag", rate: 50, mean: Vector3(0, -43, -20)),
        ]
        facts.receiver = receiver
        facts.clock = ClockFacts(now: 1_782_000_000, isSynchronised: true)
        var folder = StorageFacts.Folder(path: "/var/lib/waymark", exists: true)
        folder.permission = Permission(owner: 990, group: 990, mode: 0o700)
        folder.free = 1 << 30
        facts.storage = StorageFacts(state: folder, recordings: folder, recordingMinimum: 256 << 20)
        facts.calibrations = CalibrationFacts(
            entries: ["accelerometer", "gyroscope", "magnetometer", "mount"].map {
                CalibrationFacts.Entry(
                    sensor: $0, device: $0 == "magnetometer" ? "mag" : "imu", age: 86_400, isInForce: true,
                    isOfOtherMount: false)
            }, isApplied: true)
        facts.routing = RoutingFacts(service: "osrm+http://127.0.0.1:5000", profile: "foot", outcome: .answered)
        return facts
    }

    static var devices: DevicesFacts {
        var devices = DevicesFacts(context: "local:")
        devices.sensors = [
            sensor("imu", "iio:device0", [.accelerometer, .gyroscope]), sensor("mag", "iio:device1", [.magnetometer]),
        ]
        return devices
    }

    static func sensor(_ name: String, _ identifier: String, _ kinds: [SensorFacts.Kind]) -> SensorFacts {
        let forService = Permission(owner: 990, group: 0, mode: 0o600)
        let forServiceToWrite = Permission(owner: 990, group: 0, mode: 0o644)
        var sensor = SensorFacts(name: name, identifier: identifier, kinds: kinds)
        sensor.node = ("/dev/\(identifier)", forService)
        sensor.attributes = [
            ("buffer/enable", forServiceToWrite), ("scan_elements/in_accel_x_en", forServiceToWrite),
        ]
        return sensor
    }

    static func stream(
        _ kind: SensorFacts.Kind, device: String = "imu", rate: Double = 200, mean: Vector3
    ) -> StreamFacts {
        var stream = StreamFacts(kind: kind, device: device, state: "streaming")
        stream.requestedRate = rate
        stream.grantedRate = rate
        stream.clock = "boottime"
        stream.mountOrigin = "udev"
        stream.summary = summary(rate: rate, mean: mean)
        return stream
    }

    /// Three seconds with a little noise.
    static func summary(rate: Double, mean: Vector3, noise: Double = 0.01, count: Int? = nil) -> SampleSummary {
        let count = count ?? Int(rate * 3)
        let stamps = (0..<count).map { Int64(Double($0) * 1e9 / rate) }
        let values = (0..<count).map { mean + Vector3(1, 1, 1) * ($0 % 2 == 0 ? noise : -noise) }
        return SampleSummary(nanoseconds: stamps, values: values)!
    }

    static var receiver: ReceiverFacts {
        var receiver = ReceiverFacts(address: "localhost:2947")
        receiver.receivers = 1
        receiver.device = "/dev/ttyACM0"
        receiver.reports = 3
        receiver.fixes = 3
        receiver.position = GeodeticPosition(latitudeDegrees: 48.1, longitudeDegrees: 11.5, ellipsoidalHeight: 566)
        receiver.time = 1_782_000_000
        receiver.age = 0.2
        return receiver
    }

    static func findings(_ change: (inout BoardFacts) -> Void) -> [Finding] {
        var facts = good
        change(&facts)
        return Diagnosis(of: facts).findings
    }

    /// What is not well, and how grave it is.
    static func troubles(_ change: (inout BoardFacts) -> Void) -> [FindingCode: Finding.Level] {
        let bad = findings(change).filter { $0.level != .ok }
        return Dictionary(bad.map { ($0.code, $0.level) }, uniquingKeysWith: max)
    }
}
