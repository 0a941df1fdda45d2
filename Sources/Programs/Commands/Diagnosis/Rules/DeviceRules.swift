/// The kernel: IIO core and drivers for the chips of the board.
enum KernelRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        // Of another computer only the devices are known.
        let polled = (facts.devices?.sensors ?? []).filter { !$0.isBuffered }.map(unbuffered)
        guard let kernel = facts.kernel else { return polled }
        let findings = (kernel.hasIIO ? [] : [bare(kernel)]) + kernel.unboundChips.map(chip) + polled
        return findings.isEmpty
            ? [.ok(.kernelReady, "kernel", "the IIO core and the sensor drivers are loaded")] : findings
    }

    private static func bare(_ kernel: KernelFacts) -> Finding {
        .failure(
            .kernelNoIIO, "kernel", "no IIO core: no sensor driver is loaded",
            meaning: "no accelerometer, gyroscope or magnetometer is available",
            remedy: kernel.unboundChips.first.map { "sudo modprobe \($0.module.shellQuoted)" }
                ?? "sudo modprobe industrialio; sudo dmesg | grep -iE 'iio|imu|accel|magn'")
    }

    private static func chip(_ chip: KernelFacts.UnboundChip) -> Finding {
        .failure(
            .kernelNoDriver, chip.name, "the board has this sensor, but no driver is bound to it",
            meaning: "the driver is not loaded, not built for this kernel, or failed to probe the chip",
            remedy: "sudo modprobe \(chip.module.shellQuoted); sudo dmesg | tail -n 20")
    }

    private static func unbuffered(_ sensor: SensorFacts) -> Finding {
        .warning(
            .kernelNoBuffers, sensor.name, "no IIO buffer: the sensor is polled",
            meaning: "samples are timestamped when read, with delay and jitter",
            remedy: "sudo modprobe industrialio-triggered-buffer  # and wire the chip's interrupt in the device tree")
    }
}

/// Permissions that libiio needs: device nodes in /dev, and files in /sys that configure buffers.
enum AccessRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        rights(facts) + (facts.skippedChecks.isEmpty ? [] : [limited(facts)])
    }

    private static func limited(_ facts: BoardFacts) -> Finding {
        .warning(
            .accessLimited, "waymark doctor", "no permission to inspect \(Amount.list(facts.skippedChecks))",
            meaning: "these checks were skipped", remedy: Remedy.asRoot(facts))
    }

    private static func rights(_ facts: BoardFacts) -> [Finding] {
        guard facts.devices?.isLocal ?? false, let account = facts.account else { return [] }
        guard account.user != nil else { return [noAccount(account)] }
        let sensors = facts.devices?.sensors ?? []
        var findings = sensors.flatMap { of($0, account, facts) }
        if facts.kernel?.hasRules == false, account.user != 0 || !sensors.isEmpty { findings.append(noRules) }
        guard findings.isEmpty, !sensors.isEmpty else { return findings }
        return [.ok(.accessGranted, account.name, "has access to the device nodes and buffers of all sensors")]
    }

    private static func of(_ sensor: SensorFacts, _ account: AccountFacts, _ facts: BoardFacts) -> [Finding] {
        var findings: [Finding] = []
        if let node = sensor.node {
            if let permission = node.permission {
                if !permission.allows(6, to: account) { findings.append(denied(node.path, sensor, account)) }
            } else if sensor.isBuffered {
                findings.append(noNode(node.path, sensor))
            }
        }
        let closed = sensor.attributes.filter { !$0.permission.allows(2, to: account) }.map(\.name)
        if !closed.isEmpty { findings.append(closedAttributes(closed, sensor, account)) }
        return findings
    }

    /// Applies the udev rules to the present devices.
    static let trigger = "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=iio"

    private static func who(_ account: AccountFacts) -> String { account.isCaller ? "you" : account.name }

    private static func denied(_ path: String, _ sensor: SensorFacts, _ account: AccountFacts) -> Finding {
        .failure(
            .accessNode, path,
            "permission denied: \(who(account)) cannot read and write the device node of \(sensor.name)",
            meaning: "its samples cannot be streamed", remedy: trigger)
    }

    private static func closedAttributes(
        _ names: [String], _ sensor: SensorFacts, _ account: AccountFacts
    ) -> Finding {
        .failure(
            .accessAttributes, sensor.name,
            "permission denied: \(who(account)) cannot write \(Amount.list(names)) in /sys",
            meaning: "libiio sets channels, rate and buffer through these files, so the sensor cannot be started",
            remedy: trigger)
    }

    private static func noNode(_ path: String, _ sensor: SensorFacts) -> Finding {
        .failure(
            .accessNoNode, path, "the device node of \(sensor.name) does not exist",
            meaning: "the kernel has the sensor but /dev does not: a container or sandbox may hide it",
            remedy: "sudo udevadm trigger --action=add --subsystem-match=iio; ls -l /dev/iio:*")
    }

    private static let noRules = Finding.failure(
        .accessNoRules, "60-waymark-iio.rules", "the udev rules are not installed",
        meaning: "after each boot or replug the daemon has no permission to use the sensors",
        remedy: Remedy.install + " && " + trigger + Remedy.orFromSources)

    private static func noAccount(_ account: AccountFacts) -> Finding {
        .failure(
            .accessNoAccount, account.name, "this user does not exist",
            meaning: "systemd cannot start the daemon, and the udev rules have no group to assign the sensors to",
            remedy: "sudo systemd-sysusers")
    }
}

/// The sensors: presence and data.
enum DeviceRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let devices = facts.devices, facts.configuration?.readsSensors ?? true else {
            return facts.streams.filter(\.isOffered).map(offered)
        }
        if let problem = devices.problem { return [unreachable(devices, problem)] }
        // Without the IIO core all sensors are missing; that has its own finding.
        guard facts.kernel?.hasIIO ?? true else { return [] }
        return SensorFacts.Kind.allCases.flatMap { of($0, devices, facts) } + devices.sensors.flatMap(conflicts)
    }

    private static func of(_ kind: SensorFacts.Kind, _ devices: DevicesFacts, _ facts: BoardFacts) -> [Finding] {
        let able = devices.sensors.filter { $0.kinds.contains(kind) }
        let (name, label) = (facts.configuration?.deviceNames[kind], facts.configuration?.deviceLabels[kind])
        if name != nil || label != nil, !able.contains(where: { $0.isCalled(name, label: label) }) {
            return [notCalled(name, label, kind, able, facts)]
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
        case "streaming", "polling":
            return .ok(.deviceFound, subject, stream.state + (stream.sampling.map { ", \($0)" } ?? ""))
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

    /// A sensor whose samples a program offers.
    private static func offered(_ stream: StreamFacts) -> Finding {
        let subject = "\(stream.device), \(stream.kind.rawValue)"
        guard stream.state != "streaming" else { return of(stream) }
        let finding = Finding.failure(
            .deviceSilent, subject, "no samples" + (stream.detail.map { ": \($0)" } ?? ""),
            meaning: "the program that offers them is not running, or has lost its sensor; without them there is no "
                + loss(of: stream.kind),
            remedy: "waymark aids  # whether it has opened its source, and what it offers; then start it")
        return stream.kind == .magnetometer ? finding.at(.warning) : finding
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
        _ name: String?, _ label: String?, _ kind: SensorFacts.Kind, _ able: [SensorFacts], _ facts: BoardFacts
    ) -> Finding {
        let wanted = [name.map { "named '\($0)'" }, label.map { "labelled '\($0)'" }].compactMap { $0 }
        let labels = able.map { sensor in sensor.name + (sensor.label.map { " ('\($0)')" } ?? "") }
        return .failure(
            .deviceNotCalled, "iio.\(kind.rawValue)",
            "no \(kind.rawValue) is \(wanted.joined(separator: " and ")); available: "
                + (labels.isEmpty ? "none" : Amount.list(labels)),
            meaning: "the daemon waits for this device and uses no other",
            remedy: Remedy.edit(facts, "[iio.\(kind.rawValue)] \(name == nil ? "label" : "device")"))
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
