import CIIO
import Glibc
import Linux

/// A configured device: decoders, sampling rates and timestamp clock, and the description that is reported.
struct DeviceSetup {
    let device: IIODevice
    let plan: DevicePlan
    let decoders: [SensorDecoder]
    /// Sampling rate requested of the driver. Unit: Hz.
    private(set) var requestedRate: Double
    /// Sampling rate that the driver reports; nil if it does not. Unit: Hz.
    private(set) var grantedRate: Double?
    let clock: StampClock
    /// Problems to report to the user that do not prevent operation.
    let warnings: [String]

    /// Reads and configures a device.
    ///
    /// - Throws: if the device cannot be used in this way.
    init(
        _ device: IIODevice, plan: DevicePlan, settings: IIOSettings, pace: SamplingPace, isBuffered: Bool,
        status: DeviceStatus
    ) throws(IIOError) {
        var warnings: [String] = []
        var decoders: [SensorDecoder] = []
        var mounts: [DeviceMount] = []
        for kind in plan.kinds {
            let mount = DeviceMount.find(device, kind: kind, settings: settings)
            if let warning = mount.warning, !warnings.contains(warning) { warnings.append(warning) }
            mounts.append(mount)
            decoders.append(try SensorDecoder(device, kind: kind, mount: mount.matrix, isBuffered: isBuffered))
        }
        self.device = device
        self.plan = plan
        self.decoders = decoders
        self.warnings = warnings
        requestedRate = settings.inertialRate
        clock = isBuffered ? Self.chooseClock(device) : .host
        setRate(settings, pace)
        report(to: status, mounts: mounts)
    }

    /// Requests the rates of a pace. No buffer may be running: many drivers then refuse.
    mutating func setRate(_ settings: IIOSettings, _ pace: SamplingPace) {
        requestedRate = plan.kinds.map { settings.rate(of: $0, at: pace) }.max() ?? settings.inertialRate
        grantedRate = DeviceRate.set(device, kinds: plan.kinds) { settings.rate(of: $0, at: pace) }
    }

    /// Requests the rates of a pace and reports them.
    mutating func follow(_ pace: SamplingPace, settings: IIOSettings, status: DeviceStatus) {
        setRate(settings, pace)
        status.update {
            $0.requestedRate = requestedRate
            $0.grantedRate = grantedRate
        }
    }

    /// Granted rate, else the requested one. Unit: Hz.
    var rate: Double { grantedRate ?? requestedRate }

    var detail: String? { warnings.isEmpty ? nil : warnings.joined(separator: "; ") }

    /// Sets and returns the clock of the timestamps: boot time if the driver supports it, else a monotonic clock, else
    /// its present one; the host's arrival time for scans without timestamps. To be called before the buffer is
    /// enabled.
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
            // A barometer has no axes, and thus no mount matrix.
            let mount = zip(plan.kinds, mounts).first { $0.0 != .barometer }?.1
            report.mountMatrix = mount?.matrix.elements
            report.mountMatrixOrigin = mount?.origin
            report.mountMatrices = [:]
            for (kind, mount) in zip(plan.kinds, mounts) { report.mountMatrices[kind] = mount.matrix.elements }
            report.label = device.label
            report.serial = device.context.serial
            report.location = location
            report.clock = clock.rawValue
        }
    }
}

/// Sampling rates of a device. Drivers round the requested rate; some accept only the rates that they list.
package enum DeviceRate {
    /// Requests the rate of each kind in ascending order, so that the highest applies if they share one attribute.
    ///
    /// - Returns: highest rate that the driver then reports, in Hz; nil if it reports none.
    static func set(_ device: IIODevice, kinds: [SensorKind], requested: (SensorKind) -> Double) -> Double? {
        var granted: Double?
        for kind in kinds.sorted(by: { requested($0) < requested($1) }) {
            guard let channel = device.channel(kind.channelNames[0]) else { continue }
            let rate = set(device, channel, requested(kind))
            granted = [granted, rate].compactMap { $0 }.max()
        }
        return granted
    }

    /// Rate to write for a requested one: the smallest listed rate that is not below it, else the largest; the
    /// requested rate itself if nothing is listed. Unit: Hz.
    package static func choice(for requested: Double, listed text: String?) -> Double {
        guard let text else { return requested }
        // A list is separated by blanks; a range is "[first step last]", within which the driver rounds.
        if text.contains("[") { return requested }
        let rates = text.split(whereSeparator: \.isWhitespace).prefix(256).compactMap { decimal(String($0)) }
            .filter { $0 > 0 }.sorted()
        return rates.first { $0 >= requested * (1 - 1e-6) } ?? rates.last ?? requested
    }

    private static let attribute = "sampling_frequency"

    private static func set(_ device: IIODevice, _ channel: IIOChannel, _ requested: Double) -> Double? {
        let listed =
            try?
            (channel.hasAttribute("\(attribute)_available")
            ? channel.read("\(attribute)_available") : device.read("\(attribute)_available"))
        let text = "\(choice(for: requested, listed: listed))"
        if channel.hasAttribute(attribute) {
            // If the write fails, the driver's own rate remains, which the read returns.
            write(text) { text throws(IIOError) in try channel.write(attribute, text) }
            return plausible(try? channel.read(attribute))
        }
        guard device.hasAttribute(attribute) else { return nil }
        write(text) { text throws(IIOError) in try device.write(attribute, text) }
        return plausible(try? device.read(attribute))
    }

    /// Retries while the device is busy: a server may still hold a buffer that was just closed, and many drivers do not
    /// change the rate while one is running.
    private static func write(_ text: String, _ write: (String) throws(IIOError) -> Void) {
        for _ in 0..<busyAttempts {
            do throws(IIOError) {
                return try write(text)
            } catch {
                guard error.isBusy else { return }
                usleep(busyPause)
            }
        }
    }

    /// Number of attempts, half a second in all: a server notices a closed connection only when the batch that it waits
    /// for is full.
    private static let busyAttempts = 125
    /// Pause between two attempts. Unit: µs.
    private static let busyPause: UInt32 = 4000

    /// Rate from one sample per quarter of an hour to more than any bus transfers, in Hz; nil for any other value that
    /// a driver or a server reports.
    private static func plausible(_ text: String?) -> Double? {
        text.flatMap(decimal).flatMap { (0.001...1e6).contains($0) ? $0 : nil }
    }
}

/// Trigger by which a device samples into its buffer.
enum DeviceTrigger {
    /// Assigns the device's own trigger, named `NAME-devN` by the kernel's convention, if it has none.
    ///
    /// - Returns: whether a trigger was assigned.
    static func setOwn(_ device: IIODevice) -> Bool {
        var current: OpaquePointer?
        if iio_device_get_trigger(device.pointer, &current) == 0, current != nil { return false }
        guard let name = device.name else { return false }
        let number = device.identifier.reversed().prefix { $0.isNumber }.reversed()
        let triggers = device.context.devices.filter(\.isTrigger)
        let own =
            triggers.first { $0.name == "\(name)-dev\(String(number))" }
            ?? triggers.first { $0.name?.hasPrefix("\(name)-") == true }
        guard let own else { return false }
        return iio_device_set_trigger(device.pointer, own.pointer) == 0
    }
}
