import CIIO
import Glibc

/// Chooses the trigger with which a device samples into its buffer.
struct DeviceTrigger {
    let device: IIODevice
    /// Name of the device's hrtimer trigger. It contains the name of the device's first sensor, which no other device
    /// delivers, so that each device has its own rate.
    let timerName: String

    /// Common prefix of the triggers that `systemd/waymark-hrtimer` creates.
    private static let timerPrefix = "waymark-"

    /// - Parameter kinds: sensors that the device delivers.
    init(_ device: IIODevice, kinds: [SensorKind]) {
        self.device = device
        timerName = Self.timerPrefix + (kinds.min() ?? .accelerometer).rawValue
    }

    enum State {
        /// The device supports no triggers because it fills the buffer by itself.
        case unsupported
        case none
        case set(IIODevice)
        /// The device has a trigger that was created after the context.
        case unknown
    }

    var state: State {
        var current: OpaquePointer?
        do throws(IIOError) {
            try device.context.ask("reading the trigger of \(device.identifier)") {
                Int(iio_device_get_trigger(device.pointer, &current))
            }
            return current.map { .set(IIODevice(context: device.context, pointer: $0)) } ?? .none
        } catch .call(_, EIO) {
            // An empty file, which libiio reports as a failed read, means no trigger.
            return .none
        } catch .call(_, ENXIO) {
            return .unknown
        } catch {
            return .unsupported
        }
    }

    /// Whether the device supports triggers, but has none, and none is available.
    var isMissing: Bool { if case .none = state { candidate == nil } else { false } }

    /// Trigger to use: the device's own trigger, otherwise the timer.
    var candidate: IIODevice? { own ?? trigger(named: timerName) }

    /// Trigger of the device's interrupt. Most drivers name it `NAME-devN`, some name it `NAME-trigger` (st_sensors) or
    /// `NAME-trig-N`, where N is the pin (bmi323).
    private var own: IIODevice? {
        guard let name = device.name else { return nil }
        let number = device.identifier.reversed().prefix { $0.isNumber }.reversed()
        return trigger(named: "\(name)-dev\(String(number))") ?? trigger(named: "\(name)-trigger")
            ?? triggers.first { $0.name?.hasPrefix("\(name)-trig-") == true }
    }

    private var triggers: [IIODevice] { device.context.devices.filter(\.isTrigger) }

    private func trigger(named name: String) -> IIODevice? { triggers.first { $0.name == name } }

    /// Sets the candidate as the device's trigger.
    ///
    /// - Throws: `.untriggered` if there is no candidate, `.call` or `.unanswered` if it cannot be set.
    func assign() throws(IIOError) {
        guard let candidate else {
            throw .untriggered(
                "\(Self.noOwn), and no hrtimer trigger \(timerName): sudo modprobe iio-trig-hrtimer && "
                    + "sudo systemctl restart waymark-hrtimer.service")
        }
        try set(candidate)
    }

    private static let noOwn = "no trigger of its own"

    /// Replaces the trigger with the device's own timer if there is one and the trigger is this service's timer for
    /// another sensor. An earlier version may have set such a timer. No buffer may be open.
    func replaceTimer() {
        guard case .set(let current) = state, isTimer(current), current.name != timerName,
            let timer = trigger(named: timerName)
        else { return }
        // If the driver refuses this, the device keeps its current trigger.
        try? set(timer)
    }

    private func set(_ trigger: IIODevice) throws(IIOError) {
        try device.context.ask("setting the trigger \(trigger.name ?? "") of \(device.identifier)") {
            Int(iio_device_set_trigger(device.pointer, trigger.pointer))
        }
    }

    /// Requests a rate from the device's timer trigger.
    ///
    /// - Returns: nil if the device's trigger has no rate. If another program made the trigger, its rate is not changed
    ///   and is returned as the sampling rate.
    func request(rate: Double) -> DeviceRate? {
        guard case .set(let trigger) = state, trigger.hasAttribute(DeviceRate.attribute) else { return nil }
        let read: () -> String? = { try? trigger.read(DeviceRate.attribute) }
        guard isTimer(trigger) else { return DeviceRate(granted: DeviceRate.plausible(read())) }
        return DeviceRate.write(
            OfferedRates(nil), rate,
            write: { text throws(IIOError) in try trigger.write(DeviceRate.attribute, text) }, read: read)
    }

    private func isTimer(_ trigger: IIODevice) -> Bool { trigger.name?.hasPrefix(Self.timerPrefix) == true }

    /// Sampling method of the device's buffer, as reported to the user.
    var report: DeviceReport.Sampling {
        guard case .set(let trigger) = state else {
            if case .unknown = state { return DeviceReport.Sampling(.otherTrigger) }
            return DeviceReport.Sampling(.device)
        }
        let name = trigger.name ?? trigger.identifier
        if isTimer(trigger) { return DeviceReport.Sampling(.timerTrigger, trigger: name, reason: Self.noOwn) }
        let isOwn = trigger.identifier == own?.identifier
        return DeviceReport.Sampling(isOwn ? .deviceTrigger : .otherTrigger, trigger: name)
    }
}
