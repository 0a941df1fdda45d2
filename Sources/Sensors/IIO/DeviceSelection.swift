/// What discovery needs to know of a device.
public struct DeviceSummary: Hashable, Sendable {
    /// Such as `iio:device0`; changes from boot to boot.
    public var identifier: String
    public var name: String?
    public var label: String?
    /// By name.
    public var channels: [String: Channel]

    public init(identifier: String, name: String?, label: String?, channels: [String: Channel]) {
        self.identifier = identifier
        self.name = name
        self.label = label
        self.channels = channels
    }

    /// How a channel can be read.
    public struct Channel: Hashable, Sendable {
        public var isScanElement: Bool
        /// Has an attribute with its value.
        public var isReadable: Bool

        public init(isScanElement: Bool, isReadable: Bool) {
            self.isScanElement = isScanElement
            self.isReadable = isReadable
        }
    }

    func isCalled(_ text: String) -> Bool { text == name || text == label || text == identifier }

    /// Whether all axes of a kind are there, by buffer or by attribute.
    func offers(_ kind: SensorKind) -> Bool {
        streams(kind) || kind.channelNames.allSatisfy { channels[$0]?.isReadable == true }
    }

    func streams(_ kind: SensorKind) -> Bool {
        kind.channelNames.allSatisfy { channels[$0]?.isScanElement == true }
    }

    var hasTimestamp: Bool { channels["timestamp"]?.isScanElement == true }
}

/// Which device serves which kinds.
public struct DevicePlan: Hashable, Sendable {
    public var identifier: String
    public var name: String
    /// In the order of hand-over.
    public var kinds: [SensorKind]
    /// Whether it also tells its temperature.
    public var hasThermometer: Bool

    public init(identifier: String, name: String, kinds: [SensorKind], hasThermometer: Bool = false) {
        self.identifier = identifier
        self.name = name
        self.kinds = kinds
        self.hasThermometer = hasThermometer
    }
}

/// Chooses devices for kinds by their channels.
public enum DeviceSelection {
    /// A device with a buffer is worth more than one that serves accelerometer and gyroscope at once, that more than
    /// stamps of its own; among equals the first wins.
    ///
    /// - Parameters:
    ///   - wanted: the kinds that no running device serves.
    ///   - names: the only device allowed for a kind.
    public static func plans(
        for wanted: [SensorKind], among devices: [DeviceSummary], names: [SensorKind: String]
    ) -> [DevicePlan] {
        var chosen: [String: DevicePlan] = [:]
        var order: [String] = []
        for kind in wanted.sorted() {
            guard let device = best(for: kind, among: devices, name: names[kind]) else { continue }
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

    private static func best(for kind: SensorKind, among devices: [DeviceSummary], name: String?) -> DeviceSummary? {
        var best: (device: DeviceSummary, worth: Int)?
        for device in devices where device.offers(kind) && (name.map(device.isCalled) ?? true) {
            let worth = worth(of: device, for: kind)
            if worth > best?.worth ?? -1 { best = (device, worth) }
        }
        return best?.device
    }

    private static func worth(of device: DeviceSummary, for kind: SensorKind) -> Int {
        let isInertial = kind == .accelerometer || kind == .gyroscope
        let isCombined = isInertial && device.offers(.accelerometer) && device.offers(.gyroscope)
        return (device.streams(kind) ? 4 : 0) + (isCombined ? 2 : 0) + (device.hasTimestamp ? 1 : 0)
    }
}
