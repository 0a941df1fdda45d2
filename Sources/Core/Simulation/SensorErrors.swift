/// Errors of the simulated sensors. All values are standard deviations per axis unless stated otherwise.
public struct SensorErrors: Hashable, Sendable {
    package var gyroscope: Inertial
    package var accelerometer: Inertial
    /// Errors of the magnetometer and the field.
    public var magnetometer: Magnetic
    package var barometer: Pressure
    package var gnss: GNSS

    /// A phone-grade board and receiver in a city.
    public static let typical = SensorErrors(
        gyroscope: .typicalGyroscope, accelerometer: .typicalAccelerometer, magnetometer: .typical,
        barometer: .typical, gnss: .typical)

    /// Error-free sensors; only fixes are delayed.
    public static let none = SensorErrors(
        gyroscope: .none, accelerometer: .none, magnetometer: .none, barometer: .none, gnss: .none)

    /// Errors of an inertial sensor; the unit U is rad/s or m/s².
    public struct Inertial: Hashable, Sendable {
        /// Density of the white noise. Unit: U/√Hz.
        public var noiseDensity: Double
        /// Turn-on bias, drawn once at the start. Unit: U.
        public var turnOnBias: Double
        /// Magnitude of an additional bias. It is the same in each walk, and oblique to all axes. Unit: U.
        public var constantBias = 0.0
        /// Standard deviation of a Gauss–Markov bias. Unit: U.
        public var biasDrift: Double
        /// Time constant of the Gauss–Markov bias. Unit: seconds.
        public var biasTimeConstant: Double
        /// Relative scale error, drawn once at the start.
        public var scale: Double

        /// Noise 0.007 °/s/√Hz, turn-on bias 0.15 °/s, drift 0.004 °/s over 300 s, and scale error 0.2 %.
        public static let typicalGyroscope = Inertial(
            noiseDensity: 0.007 * .pi / 180, turnOnBias: 0.15 * .pi / 180, biasDrift: 0.004 * .pi / 180,
            biasTimeConstant: 300, scale: 2e-3)

        /// Noise 1.2 mm/s²/√Hz, turn-on bias 0.03 m/s², drift 2 mm/s² over 300 s, scale error 0.1 %.
        public static let typicalAccelerometer = Inertial(
            noiseDensity: 1.2e-3, turnOnBias: 0.03, biasDrift: 2e-3, biasTimeConstant: 300, scale: 1e-3)

        package static let none = Inertial(
            noiseDensity: 0, turnOnBias: 0, biasDrift: 0, biasTimeConstant: 300, scale: 0)
    }

    /// Errors of the barometer. Unit: hectopascal.
    public struct Pressure: Hashable, Sendable {
        /// Standard deviation of the white noise of each sample.
        public var noise: Double
        /// Standard deviation of a Gauss–Markov drift, which stands for weather and indoor air.
        public var drift: Double
        /// Time constant of the Gauss–Markov drift. Unit: seconds.
        public var driftTimeConstant: Double

        /// A consumer barometer.
        public static let typical = Pressure(noise: 0.02, drift: 0.1, driftTimeConstant: 900)
        package static let none = Pressure(noise: 0, drift: 0, driftTimeConstant: 900)
    }
}
