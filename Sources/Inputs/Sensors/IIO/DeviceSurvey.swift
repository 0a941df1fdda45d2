import Linux

/// Passive survey of the sensors of a context, which reads descriptions and attributes, opens no buffer and writes
/// nothing.
package enum DeviceSurvey {
    /// Description of a device with at least one sensor.
    package struct Sensor: Hashable, Sendable {
        /// The kernel's identifier, such as `iio:device0`.
        package var identifier: String
        /// The device's name, else its identifier.
        package var name: String
        /// Label from the board's device tree or firmware; nil if there is none.
        package var label: String?
        /// Sensor kinds that the device delivers.
        package var kinds: [SensorKind]
        /// Whether all of its kinds are available in the buffer.
        package var isBuffered: Bool
        /// Reason why the mount matrix from udev or the driver was rejected; nil if none was.
        package var mountProblem: String?
    }

    /// Surveys the context `uri`.
    ///
    /// - Throws: `.call` or `.unusable` if there is no such context, `.unanswered` if its server falls silent.
    package static func read(context uri: String, timeoutMilliseconds: UInt32 = 2000) throws(IIOError) -> [Sensor] {
        let context = try IIOContext(uri: uri, timeoutMilliseconds: timeoutMilliseconds, stop: StopFlag())
        var settings = IIOSettings()
        settings.contextURI = uri
        let sensors = context.devices.filter { !$0.isTrigger }.compactMap {
            sensor($0, settings)
        }
        try context.requireAnswers()
        return sensors
    }

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
