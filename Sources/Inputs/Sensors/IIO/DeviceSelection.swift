/// What discovery has to know about a device.
package struct DeviceSummary: Hashable, Sendable {
    /// The kernel's identifier, such as `iio:device0`; may change from boot to boot.
    package var identifier: String
    /// Name that the driver gives its chip; nil if there is none.
    package var name: String?
    /// Label from the board's device tree or firmware; nil if there is none.
    package var label: String?
    /// Input channels by the kernel's name, such as `accel_x`.
    package var channels: [String: Channel]

    package init(identifier: String, name: String?, label: String?, channels: [String: Channel]) {
        self.identifier = identifier
        self.name = name
        self.label = label
        self.channels = channels
    }

    package struct Channel: Hashable, Sendable {
        /// Whether the channel can be part of a buffer's scan.
        package var isScanElement: Bool
        /// Whether an attribute (`raw` or `input`) holds the channel's value.
        package var isReadable: Bool

        package init(isScanElement: Bool, isReadable: Bool) {
            self.isScanElement = isScanElement
            self.isReadable = isReadable
        }
    }

    /// Whether the device has this name or identifier, and this label; nil stands for any name or label.
    func isCalled(_ text: String?, label wanted: String?) -> Bool {
        (text == nil || text == name || text == identifier) && (wanted == nil || wanted == label)
    }

    /// Whether all axes of a kind are available, in the buffer or as attributes.
    func offers(_ kind: SensorKind) -> Bool {
        streams(kind) || kind.channelNames.allSatisfy { channels[$0]?.isReadable == true }
    }

    /// Whether all axes of a kind are available in the buffer.
    func streams(_ kind: SensorKind) -> Bool {
        kind.channelNames.allSatisfy { channels[$0]?.isScanElement == true }
    }

    var hasTimestamp: Bool { channels["timestamp"]?.isScanElement == true }
}

/// Device and the sensor kinds that it is to deliver.
package struct DevicePlan: Hashable, Sendable {
    /// The kernel's identifier, such as `iio:device0`.
    package var identifier: String
    /// The device's name, else its identifier.
    package var name: String
    /// Kinds in the order in which they are delivered.
    package var kinds: [SensorKind]
    /// Whether the device also has a temperature channel.
    package var hasThermometer: Bool

    package init(identifier: String, name: String, kinds: [SensorKind], hasThermometer: Bool = false) {
        self.identifier = identifier
        self.name = name
        self.kinds = kinds
        self.hasThermometer = hasThermometer
    }
}

/// Chooses devices for sensor kinds by their channels.
package enum DeviceSelection {
    /// Chooses the best device for each kind. A device with a buffer is best, then a device with both accelerometer and
    /// gyroscope, then a device with timestamps. Among equals the first device is chosen.
    ///
    /// - Parameters:
    ///   - wanted: kinds that no running device delivers.
    ///   - names: configured name or identifier of the only device permitted for a kind.
    ///   - labels: configured label of the only device permitted for a kind.
    package static func plans(
        for wanted: [SensorKind], among devices: [DeviceSummary], names: [SensorKind: String],
        labels: [SensorKind: String] = [:]
    ) -> [DevicePlan] {
        var chosen: [String: DevicePlan] = [:]
        var order: [String] = []
        for kind in wanted.sorted() {
            guard let device = best(for: kind, among: devices.filter { $0.isCalled(names[kind], label: labels[kind]) })
            else { continue }
            if chosen[device.identifier] == nil {
                order.append(device.identifier)
                chosen[device.identifier] = DevicePlan(
                    identifier: device.identifier, name: device.name ?? device.identifier, kinds: [],
                    hasThermometer: Thermometer.channels.contains { device.channels[$0]?.isReadable == true })
            }
            chosen[device.identifier]?.kinds.append(kind)
        }
        return order.compactMap { chosen[$0] }
    }

    private static func best(for kind: SensorKind, among devices: [DeviceSummary]) -> DeviceSummary? {
        var best: (device: DeviceSummary, score: Int)?
        for device in devices where device.offers(kind) {
            let score = score(of: device, for: kind)
            if score > best?.score ?? -1 { best = (device, score) }
        }
        return best?.device
    }

    private static func score(of device: DeviceSummary, for kind: SensorKind) -> Int {
        let isInertial = kind == .accelerometer || kind == .gyroscope
        let isCombined = isInertial && device.offers(.accelerometer) && device.offers(.gyroscope)
        return (device.streams(kind) ? 4 : 0) + (isCombined ? 2 : 0) + (device.hasTimestamp ? 1 : 0)
    }
}

extension DeviceSummary {
    /// Summarizes a device from its description in the context, without reading an attribute.
    init(_ device: IIODevice) {
        self.init(identifier: device.identifier, name: device.name, label: device.label, channels: [:])
        for channel in device.channels where !channel.isOutput {
            channels[channel.identifier] = Channel(
                isScanElement: channel.isScanElement && channel.index >= 0,
                isReadable: channel.hasAttribute("raw") || channel.hasAttribute("input"))
        }
    }
}

extension IIOContext {
    /// Summaries of all devices except triggers.
    var summaries: [DeviceSummary] { devices.filter { !$0.isTrigger }.map { DeviceSummary($0) } }

    /// Finds the device of a plan by identifier and name, because the identifier may belong to another device after
    /// replugging.
    func device(of plan: DevicePlan) -> IIODevice? {
        devices.first { $0.identifier == plan.identifier && ($0.name ?? $0.identifier) == plan.name }
    }
}
