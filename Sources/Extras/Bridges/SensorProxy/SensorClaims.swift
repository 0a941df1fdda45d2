/// Sensors that clients of `net.hadess.SensorProxy` claim.
public struct ProxySensors: OptionSet, Sendable {
    /// Bits of the options.
    public let rawValue: UInt8
    /// Combines options from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Orientation and tilt.
    public static let accelerometer = ProxySensors(rawValue: 1)
    /// Light sensor, which Waymark does not have: a claim is accepted and has no effect.
    public static let light = ProxySensors(rawValue: 2)
    /// Proximity sensor, which Waymark does not have.
    public static let proximity = ProxySensors(rawValue: 4)
    /// Heading.
    public static let compass = ProxySensors(rawValue: 8)

    /// Sensors that need poses.
    public static let ofPoses: ProxySensors = [.accelerometer, .compass]
}

/// Call of a method by which a client claims or releases a sensor.
public struct SensorCall: Equatable, Sendable {
    /// Sensor of the call.
    public let sensor: ProxySensors
    /// Whether the sensor is claimed; otherwise it is released.
    public let isClaim: Bool

    /// Makes the call of a method, such as `ClaimCompass`; nil for any other name.
    public init?(method: some StringProtocol) {
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
public struct SensorClaims: Sendable {
    private var sensors: [String: ProxySensors] = [:]

    /// Maximum number of clients: more than the 256 connections that the bus permits per user, so that one user cannot
    /// take all of them.
    public static let maximumClients = 300

    /// Starts without claims.
    public init() {}

    /// Sensors that any client has claimed.
    public var claimed: ProxySensors { sensors.values.reduce(into: []) { $0.formUnion($1) } }

    /// Number of clients with a claim.
    public var clientCount: Int { sensors.count }

    /// Adds a claim; false if there are too many clients.
    ///
    /// - Parameter client: unique name on the bus.
    public mutating func claim(_ sensor: ProxySensors, by client: String) -> Bool {
        guard sensors[client] != nil || sensors.count < Self.maximumClients else { return false }
        sensors[client, default: []].formUnion(sensor)
        return true
    }

    /// Removes a claim; does nothing if there is none.
    public mutating func release(_ sensor: ProxySensors, by client: String) {
        guard var rest = sensors[client] else { return }
        rest.subtract(sensor)
        sensors[client] = rest.isEmpty ? nil : rest
    }

    /// Removes all claims of a client that has left the bus.
    public mutating func remove(_ client: String) { sensors[client] = nil }

    /// Removes all claims, as when the bus is lost.
    public mutating func removeAll() { sensors = [:] }

    /// Clients that have claimed a sensor.
    public func clients(of sensor: ProxySensors) -> [String] {
        sensors.filter { $0.value.contains(sensor) }.map(\.key)
    }
}
