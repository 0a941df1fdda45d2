/// Sensors that clients of `net.hadess.SensorProxy` claim.
package struct ProxySensors: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Orientation and tilt.
    package static let accelerometer = ProxySensors(rawValue: 1)
    /// Light sensor, which Waymark does not have. A claim is accepted and has no effect.
    package static let light = ProxySensors(rawValue: 2)
    /// Proximity sensor, which Waymark does not have.
    package static let proximity = ProxySensors(rawValue: 4)
    package static let compass = ProxySensors(rawValue: 8)

    /// Sensors that need poses.
    package static let ofPoses: ProxySensors = [.accelerometer, .compass]
}

/// Method call by which a client claims or releases a sensor.
package struct SensorCall: Equatable, Sendable {
    package let sensor: ProxySensors
    package let isClaim: Bool

    /// Makes the call of a method, such as `ClaimCompass`; nil for any other name.
    package init?(method: some StringProtocol) {
        let isClaim = method.hasPrefix("Claim")
        guard isClaim || method.hasPrefix("Release") else { return nil }
        switch method.dropFirst(isClaim ? 5 : 7) {
        case "Accelerometer": sensor = .accelerometer
        case "Light": sensor = .light
        case "Proximity": sensor = .proximity
        case "Compass": sensor = .compass
        default: return nil
        }
        self.isClaim = isClaim
    }
}

/// Claims of sensors by clients. Repeated claims of a client count once.
package struct SensorClaims: Sendable {
    private var sensors: [String: ProxySensors] = [:]

    /// Maximum number of clients. It is more than the 256 connections that the bus permits per user, so that one user
    /// cannot take all of them.
    package static let maximumClients = 300

    package init() {}

    package var claimed: ProxySensors { sensors.values.reduce(into: []) { $0.formUnion($1) } }

    package var clientCount: Int { sensors.count }

    /// Adds a claim; returns false if there are too many clients.
    ///
    /// - Parameter client: unique name on the bus.
    package mutating func claim(_ sensor: ProxySensors, by client: String) -> Bool {
        guard sensors[client] != nil || sensors.count < Self.maximumClients else { return false }
        sensors[client, default: []].formUnion(sensor)
        return true
    }

    /// Removes a claim; does nothing if there is none.
    package mutating func release(_ sensor: ProxySensors, by client: String) {
        guard var rest = sensors[client] else { return }
        rest.subtract(sensor)
        sensors[client] = rest.isEmpty ? nil : rest
    }

    /// Removes all claims of a client that has left the bus.
    package mutating func remove(_ client: String) { sensors[client] = nil }

    /// Removes all claims, for example when the bus is lost.
    package mutating func removeAll() { sensors = [:] }

    package func clients(of sensor: ProxySensors) -> [String] {
        sensors.filter { $0.value.contains(sensor) }.map(\.key)
    }
}
