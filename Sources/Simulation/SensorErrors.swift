/// How wrong the simulated sensors are. All figures are standard deviations per axis unless they say otherwise.
public struct SensorErrors: Hashable, Sendable {
    public var gyroscope: Inertial
    public var accelerometer: Inertial
    public var magnetometer: Magnetic
    public var barometer: Pressure
    public var gnss: GNSS

    /// A phone-grade board and receiver in a city: the defaults of every part.
    public static let typical = SensorErrors(
        gyroscope: .typicalGyroscope, accelerometer: .typicalAccelerometer, magnetometer: .typical,
        barometer: .typical, gnss: .typical)

    /// Perfect sensors: what they read is the truth.
    public static let none = SensorErrors(
        gyroscope: .none, accelerometer: .none, magnetometer: .none, barometer: .none, gnss: .none)

    public init(
        gyroscope: Inertial, accelerometer: Inertial, magnetometer: Magnetic, barometer: Pressure, gnss: GNSS
    ) {
        self.gyroscope = gyroscope
        self.accelerometer = accelerometer
        self.magnetometer = magnetometer
        self.barometer = barometer
        self.gnss = gnss
    }

    /// Errors of one inertial sensor; the unit U is rad/s or m/s².
    public struct Inertial: Hashable, Sendable {
        /// White noise. Unit: U/√Hz.
        public var noiseDensity: Double
        /// Drawn once at the start. Unit: U.
        public var turnOnBias: Double
        /// Standard deviation of a Gauss–Markov process. Unit: U.
        public var biasDrift: Double
        /// Time constant of that process. Unit: seconds.
        public var biasTimeConstant: Double
        /// Relative, drawn once at the start.
        public var scale: Double

        public init(
            noiseDensity: Double, turnOnBias: Double, biasDrift: Double, biasTimeConstant: Double, scale: Double
        ) {
            self.noiseDensity = noiseDensity
            self.turnOnBias = turnOnBias
            self.biasDrift = biasDrift
            self.biasTimeConstant = biasTimeConstant
            self.scale = scale
        }

        /// 0.007 °/s/√Hz, 0.15 °/s, 0.004 °/s over 300 s, 0.2 %.
        public static let typicalGyroscope = Inertial(
            noiseDensity: 0.007 * .pi / 180, turnOnBias: 0.15 * .pi / 180, biasDrift: 0.004 * .pi / 180,
            biasTimeConstant: 300, scale: 2e-3)

        /// 1.2 mm/s²/√Hz, 0.03 m/s², 2 mm/s² over 300 s, 0.1 %.
        public static let typicalAccelerometer = Inertial(
            noiseDensity: 1.2e-3, turnOnBias: 0.03, biasDrift: 2e-3, biasTimeConstant: 300, scale: 1e-3)

        public static let none = Inertial(
            noiseDensity: 0, turnOnBias: 0, biasDrift: 0, biasTimeConstant: 300, scale: 0)
    }

    /// Errors of the barometer. Unit: hectopascal.
    public struct Pressure: Hashable, Sendable {
        /// White, each sample.
        public var noise: Double
        /// Weather and indoor air: a Gauss–Markov process.
        public var drift: Double
        /// Time constant of that process. Unit: seconds.
        public var driftTimeConstant: Double

        public init(noise: Double, drift: Double, driftTimeConstant: Double) {
            self.noise = noise
            self.drift = drift
            self.driftTimeConstant = driftTimeConstant
        }

        public static let typical = Pressure(noise: 0.02, drift: 0.1, driftTimeConstant: 900)
        public static let none = Pressure(noise: 0, drift: 0, driftTimeConstant: 900)
    }
}
