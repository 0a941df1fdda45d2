import Geodesy

/// Where, when, how and with which sensors the simulated walk takes place.
public struct CityWalkSettings: Hashable, Sendable {
    /// Seed of everything that is drawn by lot. The same seed gives the same walk and the same errors.
    public var seed: UInt64
    /// On the ground, where the walk begins; heights count from here.
    public var origin: GeodeticPosition
    /// Time of the first sample, seconds since 1970-01-01 UTC.
    public var startUTCSeconds: Double
    public var motion = CityMotion.walk
    /// How the board is worn on a walk.
    public var wearing = Wearing()
    /// Standing still before the first step. Unit: seconds.
    public var openingSeconds: Double
    /// Accelerometer and gyroscope together. Unit: Hz.
    public var inertialRate: Int
    /// Unit: Hz; 0 is without.
    public var magneticRate: Int
    /// Unit: Hz; 0 is without.
    public var pressureRate: Int
    /// Unit: Hz; 0 is without.
    public var fixRate: Int
    /// Epoch of the first fix: a receiver needs its time. Unit: seconds.
    public var firstFixSeconds: Double
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
