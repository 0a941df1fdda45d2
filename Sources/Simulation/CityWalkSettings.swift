import Geodesy

/// Settings of a simulated walk: site, time, motion, sensor rates and errors.
public struct CityWalkSettings: Hashable, Sendable {
    /// Seed of all random numbers. The same seed gives the same walk and the same errors.
    public var seed: UInt64
    /// Start of the walk on the ground, the origin of its ENU frame.
    public var origin: GeodeticPosition
    /// Time of the first sample. Unit: seconds since 1970-01-01 UTC.
    public var startUTCSeconds: Double
    /// Motion of the wearer.
    public var motion = CityMotion.walk
    /// Carriage and orientation of the board during a walk.
    public var wearing = Wearing()
    /// Duration of the rest before the first step. Unit: seconds.
    public var openingSeconds: Double
    /// Sampling rate of accelerometer and gyroscope. Unit: Hz.
    public var inertialRate: Int
    /// Sampling rate of the magnetometer; 0 is without. Unit: Hz.
    public var magneticRate: Int
    /// Sampling rate of the barometer; 0 is without. Unit: Hz.
    public var pressureRate: Int
    /// Rate of the fixes; 0 is without. Unit: Hz.
    public var fixRate: Int
    /// Epoch of the first fix since the start, the receiver's acquisition time. Unit: seconds.
    public var firstFixSeconds: Double
    /// Errors of all sensors.
    public var errors: SensorErrors

    /// A walk through Zurich in June 2026 with typical sensors.
    public init(seed: UInt64 = 1, errors: SensorErrors = .typical) {
        guard
            let origin = GeodeticPosition(latitudeDegrees: 47.3769, longitudeDegrees: 8.5417, ellipsoidalHeight: 455)
        else { preconditionFailure("Zurich is on the earth") }
        self.seed = seed
        self.origin = origin
        startUTCSeconds = 1_782_000_000
        openingSeconds = 18
        inertialRate = 200
        magneticRate = 50
        pressureRate = 10
        fixRate = 1
        firstFixSeconds = 2
        self.errors = errors
    }
}
