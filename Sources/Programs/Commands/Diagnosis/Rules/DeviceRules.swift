/// The kernel and the sensors: presence and data.
extension BoardFacts {
    @Rules var kernelRules: [Finding] {
        let chips = kernel?.unboundChips ?? []
        let polled = sensors.filter { !$0.isBuffered }
        let load = chips.first.map { "sudo modprobe \($0.module.shellQuoted)" }
        failure(.kernelNoIIO, if: kernel?.hasIIO == false, "kernel", "no IIO core: no sensor driver is loaded")
            .meaning("no accelerometer, gyroscope or magnetometer is available")
            .fix(load ?? "sudo modprobe industrialio; sudo dmesg | grep -iE 'iio|imu|accel|magn'")
        for chip in chips {
            failure(.kernelNoDriver, chip.name, "the board has this sensor, but no driver is bound to it")
                .meaning("the driver is not loaded, not built for this kernel, or failed to probe the chip")
                .fix("sudo modprobe \(chip.module.shellQuoted); \(Remedy.kernelLog)")
        }
        for sensor in polled {
            warning(.kernelNoBuffers, sensor.name, "no IIO buffer: the sensor is polled")
                .meaning("samples are timestamped when read, with delay and jitter")
                .fix("sudo modprobe industrialio-triggered-buffer  # and wire the chip's interrupt in the device tree")
        }
        // The kernel of another computer is not known.
        let isReady = kernel?.hasIIO == true && chips.isEmpty && polled.isEmpty
        ok(.kernelReady, if: isReady, "kernel", "the IIO core and the sensor drivers are loaded")
    }

    @Rules var deviceRules: [Finding] {
        if let devices, configuration?.readsSensors ?? true {
            failure(.devicesUnreachable, devices.context, devices.problem)
                .meaning("no sensor can be read").fix("iio_info -u \(devices.context.shellQuoted)")
            // If the IIO core is missing, so are all sensors; the core has its own finding.
            if devices.problem == nil, kernel?.hasIIO ?? true {
                for kind in SensorFacts.Kind.allCases { presence(of: kind, devices) }
                for sensor in sensors { conflict(over: sensor) }
            }
        } else {
            for stream in streams where stream.isOffered { offered(stream) }
        }
    }

    @Rules private func presence(of kind: SensorFacts.Kind, _ devices: DevicesFacts) -> Finding? {
        let able = sensors.filter { $0.kinds.contains(kind) }
        let (name, label) = (configuration?.deviceNames[kind], configuration?.deviceLabels[kind])
        let isCalled = able.contains { $0.isCalled(name, label: label) }
        let wanted = [name.map { "named '\($0)'" }, label.map { "labelled '\($0)'" }].compactMap { $0 }
        let noted = able.map { sensor in sensor.name + (sensor.label.map { " ('\($0)')" } ?? "") }
        let other = "no \(kind) is \(wanted.joined(separator: " and ")); available: \(Amount.list(noted))"
        failure(.deviceNotCalled, if: !wanted.isEmpty && !isCalled, "iio.\(kind)", other)
            .meaning("the daemon waits for this device and uses no other")
            .fix(edit("[iio.\(kind)] \(name == nil ? "label" : "device")"))
        let none = "no usable \(kind); devices present: \(Amount.list(sensors.map(\.name)))"
        let isMagnetometer = kind == .magnetometer
        let alternative = "the heading is found from GNSS alone, after about 50 m of walking"
        let remote = "iio_info -u \(devices.context.shellQuoted)"
        rule(isMagnetometer ? .warning : .failure, .deviceMissing, if: able.isEmpty, "\(kind)", none)
            .meaning(isMagnetometer ? alternative : "without it there are no poses")
            .fix(devices.isLocal ? "sudo dmesg | grep -i iio; ls /sys/bus/iio/devices" : remote)
        stream(of: kind).flatMap(state)
        ok(.deviceFound, able.first?.name ?? "", "used as \(kind)")
    }

    @Rules private func state(of stream: StreamFacts) -> Finding? {
        let isDelivering = stream.state == "streaming" || stream.state == "polling"
        let sampling = stream.sampling.map { ", \($0)" } ?? ""
        ok(.deviceFound, if: isDelivering, stream.subject, stream.state + sampling)
        failure(.deviceSilent, if: stream.state == "silent", stream.subject, "no samples" + stream.reason)
            .meaning("its interrupt or trigger does not fire, or another program has taken over its buffer")
            .fix("cat /proc/interrupts; \(Remedy.kernelLog)")
        failure(.deviceFailed, stream.subject, "cannot be used" + stream.reason)
            .meaning("the daemon retries every second; without this sensor there is no \(stream.loss)")
            .fix(Remedy.kernelLog)
    }

    /// Finding about a sensor whose samples another program offers.
    @Rules private func offered(_ stream: StreamFacts) -> Finding? {
        if stream.state == "streaming" { state(of: stream) }
        let cause = "the program that offers them is not running, or has lost its sensor"
        let isMagnetometer = stream.kind == .magnetometer
        rule(isMagnetometer ? .warning : .failure, .deviceSilent, stream.subject, "no samples" + stream.reason)
            .meaning("\(cause); without them there is no \(stream.loss)")
            .fix("waymark aids  # whether it has opened its source, and what it offers; then start it")
    }

    @Rules private func conflict(over sensor: SensorFacts) -> Finding? {
        // The kernel truncates process names to 15 bytes. The proxy is masked, because D-Bus would restart one that is
        // only disabled.
        let isProxy = sensor.holders.contains { $0.hasPrefix("iio-sensor-prox") }
        let users = "sudo fuser -v \("/dev/\(sensor.identifier)".shellQuoted)"
        let enabled = "the IIO buffer is enabled although no daemon is running"
        let what = sensor.holders.isEmpty ? enabled : "in use by \(Amount.list(sensor.holders))"
        failure(.deviceTaken, if: sensor.isTaken || !sensor.holders.isEmpty, sensor.name, what)
            .meaning("an IIO buffer serves one program at a time: the programs interrupt each other")
            .fix(isProxy ? "sudo systemctl mask --now iio-sensor-proxy" : users)
    }
}

extension StreamFacts {
    var subject: String { "\(device), \(kind)" }

    fileprivate var reason: String { detail.map { ": \($0)" } ?? "" }

    fileprivate var loss: String { kind == .magnetometer ? "heading at rest" : "pose" }
}
