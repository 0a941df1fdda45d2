import Linux

/// A look at the sensors of a context that disturbs nobody: descriptions and attributes are read, no buffer is opened and
/// nothing is written.
public enum DeviceSurvey {
    /// A device that measures something, as it describes itself.
    public struct Sensor: Hashable, Sendable {
        public var identifier: String
        public var name: String
        public var label: String?
        public var kinds: [SensorKind]
        /// Whether it delivers all of its kinds by a buffer.
        public var isBuffered: Bool
        /// Why the mount matrix of udev or of the driver is not applied.
        public var mountProblem: String?
    }

    /// - Throws: `.call` or `.unusable` when there is no such context.
    public static func read(context uri: String, timeoutMilliseconds: UInt32 = 2000) throws(IIOError) -> [Sensor] {
        let context = try IIOContext(uri: uri, timeoutMilliseconds: timeoutMilliseconds, stop: StopFlag())
        var settings = IIOSettings()
        settings.contextURI = uri
        return context.devices.prefix(mostDevices).filter { !$0.isTrigger }.compactMap { sensor($0, settings) }
    }

    /// A server may describe any number.
    private static let mostDevices = 256

    private static func sensor(_ device: IIODevice, _ settings: IIOSettings) -> Sensor? {
        let summary = DeviceSummary(device)
        let kinds = SensorKind.allCases.filter(summary.offers)
        guard !kinds.isEmpty else { return nil }
        let warnings = kinds.lazy.filter { $0 != .barometer }.compactMap { kind in
            DeviceMount.find(device, kind: kind, settings: settings).warning
        }
        return Sensor(
            identifier: device.identifier, name: device.name ?? device.identifier, label: device.label, kinds: kinds,
            isBuffered: kinds.allSatisfy(summary.streams), mountProblem: warnings.first)
    }
}
