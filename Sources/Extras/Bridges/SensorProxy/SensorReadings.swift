import Geometry
import Messages
import WaymarkInterface

/// Properties of the sensor service that change, with the bits of the C target `CSensorProxy`.
package struct SensorProperties: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let hasAccelerometer = SensorProperties(rawValue: 1)
    package static let orientation = SensorProperties(rawValue: 2)
    package static let tilt = SensorProperties(rawValue: 4)
    package static let hasCompass = SensorProperties(rawValue: 8)
    package static let heading = SensorProperties(rawValue: 16)
}

/// Keeps the values of the properties, and detects their changes.
package struct SensorReadings: Sendable {
    /// Whether there are poses, and thus an accelerometer and a compass.
    package private(set) var isPresent = false
    /// Edge that points upwards, and inclination of the face.
    package private(set) var device = DeviceOrientation()
    /// Heading, whole degrees from magnetic north, 0 to 359; `unknownHeading` while unknown.
    package private(set) var heading = Self.unknownHeading

    private var compass = CompassHeading()
    private var lastHeadingChange: Int64?

    /// Value of the property `CompassHeading` while the heading is unknown, as the interface's documentation specifies.
    package static let unknownHeading = -1.0
    /// Minimum interval between two changes of the heading. Five per second rotate a map smoothly without waking its
    /// program too often. Unit: ns.
    static let headingInterval: Int64 = 200_000_000
    /// Minimum difference from the published heading that counts as a change. It is above half a degree, so that a
    /// heading between two whole degrees does not alternate. Unit: degrees.
    static let headingStep = 0.75

    package init() {}

    /// Updates the values from the newest pose.
    ///
    /// - Parameters:
    ///   - pose: newest pose; nil while there is none.
    ///   - now: monotonic time. Unit: ns.
    /// - Returns: properties that have changed.
    package mutating func update(_ pose: PoseInterface.Pose?, at now: Int64) -> SensorProperties {
        let before = self
        isPresent = pose != nil
        if let pose {
            updateDevice(pose)
            updateHeading(compass.update(pose), at: now)
        } else {
            device = DeviceOrientation()
            compass = CompassHeading()
            updateHeading(nil, at: now)
        }
        return changes(since: before)
    }

    /// Updates the presence of a daemon with poses while no client needs poses. As in iio-sensor-proxy, the last
    /// readings are kept until there are no sensors.
    ///
    /// - Returns: properties that have changed.
    package mutating func update(isPresent: Bool) -> SensorProperties {
        guard isPresent else { return update(nil, at: 0) }
        let before = self
        self.isPresent = true
        return changes(since: before)
    }

    private mutating func updateDevice(_ pose: PoseInterface.Pose) {
        guard pose.tracking.orientation != .invalid, let rotationSceneFromBody = Rotation3(pose.orientation) else {
            device = DeviceOrientation()
            return
        }
        // Up is +Y of the scene.
        device.update(upInBody: rotationSceneFromBody.inverse * Vector3(0, 1, 0))
    }

    private mutating func updateHeading(_ measured: Double?, at now: Int64) {
        guard let measured else {
            heading = Self.unknownHeading
            return
        }
        if heading != Self.unknownHeading {
            let difference = (measured - heading).remainder(dividingBy: 360).magnitude
            guard difference >= Self.headingStep, now - (lastHeadingChange ?? .min / 2) >= Self.headingInterval else {
                return
            }
        }
        let rounded = measured.rounded()
        heading = rounded < 360 ? rounded : 0
        lastHeadingChange = now
    }

    private func changes(since before: SensorReadings) -> SensorProperties {
        var changes: SensorProperties = []
        if isPresent != before.isPresent { changes.formUnion([.hasAccelerometer, .hasCompass]) }
        if device.orientation != before.device.orientation { changes.insert(.orientation) }
        if device.tilt != before.device.tilt { changes.insert(.tilt) }
        if heading != before.heading { changes.insert(.heading) }
        return changes
    }
}
