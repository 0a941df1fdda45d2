/// What of an IIO board is wanted, and how.
public struct IIOSettings: Hashable, Sendable {
    /// libiio's name of the context: `local:`, `ip:HOST[:PORT]`, `usb:`, ….
    public var contextURI = "local:"
    /// The device to take for a kind, by its name, label or identifier; without an entry the best one is found.
    public var deviceNames: [SensorKind: String] = [:]
    /// Asked of accelerometer and gyroscope. Unit: Hz.
    public var inertialRate = 200.0
    /// Asked of the magnetometer. Unit: Hz.
    public var magneticRate = 50.0
    /// Asked of the barometer. Unit: Hz.
    public var pressureRate = 10.0
    /// In place of what udev and the device say of how a sensor is mounted.
    public var mountMatrices: [SensorKind: MountMatrix] = [:]
    /// How long a device may deliver nothing before it is called silent and its buffer is set up anew. Unit: s.
    public var silenceTimeoutSeconds = 1.0

    public init() {}

    /// The rate asked for a kind. Unit: Hz.
    public func rate(of kind: SensorKind) -> Double {
        switch kind {
        case .accelerometer, .gyroscope: inertialRate
        case .magnetometer: magneticRate
        case .barometer: pressureRate
        }
    }

    /// The silence time-out kept within what the kernel's timers take sensibly: 0.1 s to one minute.
    var silenceMilliseconds: UInt32 {
        guard silenceTimeoutSeconds.isFinite else { return 1000 }
        return UInt32(min(max(silenceTimeoutSeconds, 0.1), 60) * 1000)
    }
}

/// What a sensor measures; the order is that in which the parts of one scan are handed over.
public enum SensorKind: String, CaseIterable, Comparable, Hashable, Sendable {
    case accelerometer
    case gyroscope
    case magnetometer
    case barometer

    /// The kernel's channels, in body order.
    public var channelNames: [String] {
        switch self {
        case .accelerometer: ["accel_x", "accel_y", "accel_z"]
        case .gyroscope: ["anglvel_x", "anglvel_y", "anglvel_z"]
        case .magnetometer: ["magn_x", "magn_y", "magn_z"]
        case .barometer: ["pressure"]
        }
    }

    /// What the kernel's file names call it: `in_accel_scale`.
    var prefix: String {
        switch self {
        case .accelerometer: "accel"
        case .gyroscope: "anglvel"
        case .magnetometer: "magn"
        case .barometer: "pressure"
        }
    }

    /// From the kernel's unit to that of the measurement: gauss to microtesla, kilopascal to hectopascal.
    var unitFactor: Double {
        switch self {
        case .accelerometer, .gyroscope: 1
        case .magnetometer: 100
        case .barometer: 10
        }
    }

    /// Beyond this nothing that is worn measures: 100 g, 100 rad/s, a strong magnet's surface, the pressure of a deep dive.
    ///
    /// A wrong scale or a broken register shows here instead of in the filter.
    var largestMagnitude: Double {
        switch self {
        case .accelerometer: 981
        case .gyroscope: 100
        case .magnetometer: 1e6
        case .barometer: 11_000
        }
    }

    /// A barometer may be missing without a word.
    var isOptional: Bool { self == .barometer }

    private var order: Int {
        switch self {
        case .accelerometer: 0
        case .gyroscope: 1
        case .magnetometer: 2
        case .barometer: 3
        }
    }

    public static func < (a: SensorKind, b: SensorKind) -> Bool {
        a.order < b.order
    }
}
