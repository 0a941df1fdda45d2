extension SensorErrors {
    /// Errors of a camera's visual-inertial odometry. Standard deviations per axis unless stated otherwise.
    public struct Camera: Hashable, Sendable {
        /// Rate of the poses. Unit: Hz.
        public var rate = 30
        /// Density of the yaw's random walk. Unit: rad/√s.
        public var yawWalk: Double
        /// Relative error of all lengths, drawn once at the start.
        public var scale: Double
        /// Density of the position's random walk per distance walked. Unit: m/√m.
        public var positionWalk: Double
        /// White noise of each position. Unit: metres.
        public var positionNoise: Double
        /// White noise of each orientation. Unit: radians.
        public var attitudeNoise: Double
        /// Range of the delays from an exposure until its pose arrives. They are uniformly distributed. Unit: seconds.
        public var delaySeconds = 0.06...0.09
        /// Range of the durations of tracking, from the start or from its return until it is lost. Unit: seconds.
        public var trackedSeconds: ClosedRange<Double>
        /// Range of the durations without tracking. After each of them the camera begins a new own frame. Unit:
        /// seconds.
        public var lostSeconds = 3.0...8.0

        /// Time before a loss of tracking during which the camera reports poor tracking. Unit: seconds.
        public static let poorSeconds = 1.0
        /// Tracking quality that the camera reports before it loses tracking.
        public static let poorTracking = 0.3

        /// Good odometry: yaw walk 0.08 °/√s, scale 0.5 %, position walk 1 cm/√m, noise 4 mm and 0.15°. Tracking is
        /// lost about once a minute.
        public static let typical = Camera(
            yawWalk: 0.08 * .pi / 180, scale: 5e-3, positionWalk: 0.01, positionNoise: 4e-3,
            attitudeNoise: 0.15 * .pi / 180, trackedSeconds: 40...80)

        /// No errors except delays and losses of tracking.
        public static let exact = Camera(
            yawWalk: 0, scale: 0, positionWalk: 0, positionNoise: 0, attitudeNoise: 0, trackedSeconds: 40...80)
    }
}
