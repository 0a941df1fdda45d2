/// The sensors: presence and data.
enum DeviceRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let devices = facts.devices, facts.configuration?.readsSensors ?? true else { return [] }
        if let problem = devices.problem { return [unreachable(devices, problem)] }
        // Without the IIO core all sensors are missing; that has its own finding.
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
            return [.ok(.deviceFound, able[0].name, "used as \(kind.rawValue)")]
        }
        return [of(stream)]
    }

    private static func of(_ stream: StreamFacts) -> Finding {
        let detail = stream.detail.map { ": \($0)" } ?? ""
        let subject = "\(stream.device), \(stream.kind.rawValue)"
        switch stream.state {
        case "streaming", "polling": return .ok(.deviceFound, subject, stream.state)
        case "silent":
            return .failure(
                .deviceSilent, subject, "no samples\(detail)",
                meaning: "its interrupt or trigger does not fire, or another program has taken over its buffer",
                remedy: "cat /proc/interrupts; sudo dmesg | tail -n 20")
        default:
            return .failure(
                .deviceFailed, subject, "cannot be used\(detail)",
                meaning: "the daemon retries every second; without this sensor there is no \(loss(of: stream.kind))",
                remedy: "sudo dmesg | tail -n 20")
        }
    }

    private static func loss(of kind: SensorFacts.Kind) -> String {
        switch kind {
        case .accelerometer, .gyroscope: "pose"
        case .magnetometer: "heading at rest"
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
            "no usable \(kind.rawValue); devices present: \(names(devices.sensors))",
            meaning: kind == .magnetometer
                ? "the heading is found from GNSS alone, after about 50 m of walking"
                : "without it there are no poses",
            remedy: look)
        return kind == .magnetometer ? finding.at(.warning) : finding
    }

    private static func notCalled(
        _ name: String, _ kind: SensorFacts.Kind, _ able: [SensorFacts], _ facts: BoardFacts
    ) -> Finding {
        .failure(
            .deviceNotCalled, "iio.\(kind.rawValue)",
            "no \(kind.rawValue) is named '\(name)'; available: \(names(able))",
            meaning: "the daemon waits for a device of this name and uses no other",
            remedy: Remedy.edit(facts, "iio.\(kind.rawValue)"))
    }

    private static func unreachable(_ devices: DevicesFacts, _ problem: String) -> Finding {
        .failure(
            .devicesUnreachable, devices.context, problem, meaning: "no sensor can be read",
            remedy: "iio_info -u \(devices.context.shellQuoted)")
    }

    private static func conflicts(_ sensor: SensorFacts) -> [Finding] {
        if !sensor.holders.isEmpty {
            return [taken(sensor, "in use by \(Amount.list(sensor.holders))", remedy(sensor))]
        }
        guard sensor.isTaken else { return [] }
        return [taken(sensor, "the IIO buffer is enabled although no daemon is running", remedy(sensor))]
    }

    /// Process name of iio-sensor-proxy, truncated by the kernel to 15 bytes.
    private static let proxy = "iio-sensor-prox"

    /// Units of other programs are unknown, so they are listed. D-Bus would restart the proxy if it were only disabled.
    private static func remedy(_ sensor: SensorFacts) -> String {
        if sensor.holders.contains(where: { $0.hasPrefix(proxy) }) {
            return "sudo systemctl mask --now iio-sensor-proxy"
        }
        return "sudo fuser -v \("/dev/\(sensor.identifier)".shellQuoted)"
    }

    private static func taken(_ sensor: SensorFacts, _ what: String, _ remedy: String) -> Finding {
        .failure(
            .deviceTaken, sensor.name, what,
            meaning: "an IIO buffer serves one program at a time: the programs interrupt each other",
            remedy: remedy)
    }
}
