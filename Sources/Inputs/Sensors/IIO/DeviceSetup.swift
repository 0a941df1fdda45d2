import Linux

/// A configured device, with its decoders, sampling rates and timestamp clock, and with the description that is
/// reported.
struct DeviceSetup {
    let device: IIODevice
    let plan: DevicePlan
    let trigger: DeviceTrigger
    private let isBuffered: Bool
    let decoders: [SensorDecoder]
    /// Sampling rate that was requested from the driver. Unit: Hz.
    private(set) var requestedRate: Double
    /// Sampling rate that the driver reports; nil if it does not. Unit: Hz.
    private(set) var grantedRate: Double?
    /// Driver's refusal of the rate; nil if there was none.
    private(set) var rateProblem: String?
    let clock: StampClock
    /// Problems that are reported to the user but do not prevent operation.
    let warnings: [String]

    /// Reads and configures a device.
    ///
    /// - Throws: if the device cannot be used by the requested method.
    init(
        _ device: IIODevice, plan: DevicePlan, settings: IIOSettings, pace: SamplingPace, isBuffered: Bool,
        status: DeviceStatus
    ) throws(IIOError) {
        var warnings: [String] = []
        var decoders: [SensorDecoder] = []
        var mounts: [DeviceMount] = []
        for kind in plan.kinds {
            let mount = DeviceMount.find(device, kind: kind, settings: settings)
            for text in [mount.warning, mount.note].compactMap({ $0 }) where !warnings.contains(text) {
                warnings.append(text)
            }
            mounts.append(mount)
            decoders.append(try SensorDecoder(device, kind: kind, mount: mount, isBuffered: isBuffered))
        }
        self.device = device
        self.plan = plan
        self.isBuffered = isBuffered
        trigger = DeviceTrigger(device, kinds: plan.kinds)
        self.decoders = decoders
        self.warnings = warnings
        requestedRate = settings.inertialRate
        clock = isBuffered ? Self.chooseClock(device) : .host
        if isBuffered { trigger.replaceTimer() }
        setRate(settings, pace)
        // Reading optional attributes ignored errors, so an unanswered request is detected only here.
        try device.context.requireAnswers()
        report(to: status, mounts: mounts)
    }

    /// Requests the rates of a pace. No buffer may be running, because many drivers then refuse to change the rate.
    mutating func setRate(_ settings: IIOSettings, _ pace: SamplingPace) {
        requestedRate = plan.kinds.map { settings.rate(of: $0, at: pace) }.max() ?? settings.inertialRate
        let own = DeviceRate.request(device, kinds: plan.kinds) { settings.rate(of: $0, among: plan.kinds, at: pace) }
        // A timer faster than the chip would read the same values repeatedly.
        let maximumRate = own.isComplete ? own.granted : nil
        let timer = isBuffered ? trigger.request(rate: min(requestedRate, maximumRate ?? requestedRate)) : nil
        grantedRate = timer?.granted ?? own.granted
        rateProblem = own.problem ?? timer?.problem
    }

    /// Requests the rates of a pace and reports them.
    mutating func follow(_ pace: SamplingPace, settings: IIOSettings, status: DeviceStatus) {
        setRate(settings, pace)
        status.update {
            $0.requestedRate = requestedRate
            $0.grantedRate = grantedRate
            $0.rateProblem = rateProblem
        }
    }

    /// Granted rate, otherwise the requested rate. Unit: Hz.
    var rate: Double { grantedRate ?? requestedRate }

    var detail: String? {
        let parts = warnings + [CoarseScale.warning(decoders), rateProblem].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Sets the clock of the timestamps and returns it: boot time if the driver supports it, or else a monotonic clock,
    /// or else the driver's current clock. Scans without timestamps get the host's arrival time. Has to be called
    /// before the buffer is enabled.
    private static func chooseClock(_ device: IIODevice) -> StampClock {
        guard let stamp = device.channel("timestamp"), stamp.isScanElement, (try? stamp.format())?.byteCount == 8
        else { return .host }
        let attribute = "current_timestamp_clock"
        // Drivers without the attribute use the kernel's default.
        guard device.hasAttribute(attribute) else { return .realtime }
        for clock in [StampClock.boottime, .monotonic, .realtime] {
            if let now = try? device.read(attribute), trimmed(now) == clock.rawValue { return clock }
            if (try? device.write(attribute, clock.rawValue)) != nil { return clock }
        }
        return .host
    }

    /// Location that some drivers report, such as `base` or `lid`.
    private var location: String? {
        guard device.hasAttribute("location"), let text = try? device.read("location") else { return nil }
        let word = trimmed(text).prefix(64)
        return word.isEmpty ? nil : String(word)
    }

    private func report(to status: DeviceStatus, mounts: [DeviceMount]) {
        status.update { report in
            report.channels = decoders.flatMap { decoder in
                zip(decoder.kind.channelNames, decoder.axes).map { name, axis in
                    DeviceReport.Channel(
                        name: name, format: axis.format?.description, scale: axis.scale, offset: axis.offset)
                }
            }
            report.requestedRate = requestedRate
            report.grantedRate = grantedRate
            report.rateProblem = rateProblem
            // A barometer has no axes, and thus no mount matrix.
            let mount = zip(plan.kinds, mounts).first { $0.0 != .barometer }?.1
            report.mountMatrix = mount?.matrix.elements
            report.mountMatrixOrigin = mount?.origin
            report.mountMatrices = [:]
            for (kind, mount) in zip(plan.kinds, mounts) { report.mountMatrices[kind] = mount.matrix.elements }
            report.axes = zip(plan.kinds, mounts).filter { $0.0 != .barometer }.map { kind, mount in
                DeviceReport.Axes(
                    kind: kind, mountMatrix: mount.matrix.elements, origin: mount.origin, sign: mount.sign,
                    isMirrored: mount.isMirrored)
            }
            report.label = device.label
            report.serial = device.context.serial
            report.location = location
            report.clock = clock.rawValue
        }
    }
}
