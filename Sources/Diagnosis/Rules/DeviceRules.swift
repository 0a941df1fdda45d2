/// The sensors: which are there, and which of them deliver.
enum DeviceRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let devices = facts.devices, facts.configuration?.readsSensors ?? true else { return [] }
        if let problem = devices.problem { return [unreachable(devices, problem)] }
        // Without the IIO core all of them are missing, which has been said.
        guard facts.kernel?.hasIIO ?? true else { return [] }
        return SensorFacts.Kind.allCases.flatMap { of($0, devices, facts) } + devices.sensors.flatMap(conflicts)
    }

    private static func of(_ kind: SensorFacts.Kind, _ devices: DevicesFacts, _ facts: BoardFacts) -> [Finding] {
        let able = devices.sensors.filter { $0.kinds.contains(kind) }
        if let name = facts.configuration?.deviceNames[kind], !able.contains(where: { $0.isCalled(name) }) {
            return [notCalled(name, kind, able, facts)]
        }
        guard !able.isEmpty else { return [missing(kind, devices)] }
        guard let stream = facts.streams.first(where: { $0.kind == kind }) else {
            return [.ok(.deviceFound, able[0].name, "serves as \(kind.rawValue)")]
        }
        return [of(stream)]
    }

    private static func of(_ stream: StreamFacts) -> Finding {
        let detail = stream.detail.map { ": \($0)" } ?? ""
        let subject = "\(stream.device), \(stream.kind.rawValue)"
        switch stream.state {
        case "streaming", "polling": return .ok(.deviceFound, subject, "it is \(stream.state)")
        case "silent":
            return .failure(
                .deviceSilent, subject, "it delivers nothing\(detail)",
                meaning: "its interrupt or trigger does not fire, or another program took its buffer away",
                remedy: "cat /proc/interrupts; sudo dmesg | tail -n 20")
        default:
            return .failure(
                .deviceFailed, subject, "it cannot be used\(detail)",
                meaning: "the daemon tries again every second, without it there is no \(loss(of: stream.kind))",
                remedy: "sudo dmesg | tail -n 20")
        }
    }

    private static func loss(of kind: SensorFacts.Kind) -> String {
        switch kind {
        case .accelerometer, .gyroscope: "pose"
        case .magnetometer: "heading while standing"
        }
    }

    private static func names(_ sensors: [SensorFacts]) -> String {
        sensors.isEmpty ? "none" : Amount.list(sensors.map(\.name))
    }

    private static func missing(_ kind: SensorFacts.Kind, _ devices: DevicesFacts) -> Finding {
        let look =
            devices.isLocal
            ? "sudo dmesg | grep -i iio; ls /sys/bus/iio/devices" : "iio_info -u \(devices.context.shellQuoted)"
        let finding = Finding.failure(
            .deviceMissing, kind.rawValue,
            "no device serves as \(kind.rawValue); devices there: \(names(devices.sensors))",
            meaning: kind == .magnetometer
                ? "north is learned from satellites alone, once one has walked some 50 m"
                : "there are no poses without it",
            remedy: look)
        return kind == .magnetometer ? finding.at(.warning) : finding
    }

    private static func notCalled(
        _ name: String, _ kind: SensorFacts.Kind, _ able: [SensorFacts], _ facts: BoardFacts
    ) -> Finding {
        .failure(
            .deviceNotCalled, "iio.\(kind.rawValue)",
            "no \(kind.rawValue) is called '\(name)'; there are: \(names(able))",
            meaning: "the daemon waits for a device of that name and takes no other",
            remedy: Remedy.edit(facts, "iio.\(kind.rawValue)"))
    }

    private static func unreachable(_ devices: DevicesFacts, _ problem: String) -> Finding {
        .failure(
            .devicesUnreachable, devices.context, problem, meaning: "there is no sensor to read",
            remedy: "iio_info -u \(devices.context.shellQuoted)")
    }

    private static func conflicts(_ sensor: SensorFacts) -> [Finding] {
        if !sensor.holders.isEmpty {
            return [taken(sensor, "\(Amount.list(sensor.holders)) has it open", remedy(sensor))]
        }
        guard sensor.isTaken else { return [] }
        return [taken(sensor, "its buffer is on, and no daemon runs", remedy(sensor))]
    }

    /// As the kernel has the name of the desktops' reader of sensors, which it cuts after 15 bytes.
    private static let proxy = "iio-sensor-prox"

    /// Of others nobody knows the unit: they are shown whole. D-Bus would start the proxy anew if it were only disabled.
    private static func remedy(_ sensor: SensorFacts) -> String {
        if sensor.holders.contains(where: { $0.hasPrefix(proxy) }) {
            return "sudo systemctl mask --now iio-sensor-proxy"
        }
        return "sudo fuser -v \("/dev/\(sensor.identifier)".shellQuoted)"
    }

    private static func taken(_ sensor: SensorFacts, _ what: String, _ remedy: String) -> Finding {
        .failure(
            .deviceTaken, sensor.name, what, meaning: "a sensor serves one program: each that opens it stops the other",
            remedy: remedy)
    }
}
