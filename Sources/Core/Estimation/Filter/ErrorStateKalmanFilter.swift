import Geometry
import Glibc
import Model

/// Error-state Kalman filter. One value holds everything that a measurement may change.
///
/// A copy is a snapshot. The same measurements, applied to copy and original, give the same bits.
///
/// Source: Solà, "Quaternion kinematics for the error-state Kalman filter", arXiv:1711.02508, 2017, chapter 7 with the
/// global attitude error of section 7.7.
package struct ErrorStateKalmanFilter: Sendable, Codable {
    package internal(set) var settings: EstimatorSettings
    package var state: NavigationState
    /// Covariance of the error state at the beginning of `pending`.
    package var covariance: Covariance
    /// Whether the covariance was finite, with no negative variance, when last predicted.
    package private(set) var hasSoundCovariance = true
    package var pending = PendingPropagation()
    /// Inertial sample at `state.time`, as measured.
    package var inertial: InertialSample
    /// Gravity, earth rotation and magnetic field at the site; nil before the first fix.
    package var site: Site?

    package internal(set) var regime = Regime()
    package internal(set) var rules = Regime().rules
    package var heading = HeadingKnowledge()
    package var influence = FrameInfluence()
    package var rest = RestDetector()
    package var magnetics = MagneticMonitor()
    package var gnss = GNSSMonitor()
    /// Monitor of velocity errors. It runs in the primary filter only; the hypotheses use its verdict.
    var velocityErrors = VelocityErrorMonitor()
    /// Detector of jumps in the receiver's positions. It runs in the primary filter only, like `velocityErrors`.
    var positionJumps = PositionJumps()
    /// Monitor of velocities without a reported accuracy. It runs in the primary filter only, like `velocityErrors`.
    package var velocityCredibility = VelocityCredibility()
    package var place = HeldPlace()
    var tickedAt: BootTime
    /// Assumption about the gyroscope bias on axes that no measurement has observed.
    var gyroBiasPrior: GyroBiasPrior
    package var accelerationMean = AccelerationMean()
    package var pressure = PressureMonitor()
    package var gait = GaitMonitor()
    package var modes = MotionModes()
    package var vehicleMount = VehicleMount()
    /// Time of the last detected step, even if the step was not applied.
    var steppedAt: BootTime?
    /// Newest detected step, at `steppedAt`.
    var newestStep: Step?
    var pendingWay = PendingWay()
    /// Sum of all dead-reckoned steps since the start. Later measurements do not correct it. Frame: ENU, horizontal.
    /// Unit: metres.
    package var walkedWay = Vector2()
    package var planTurn = PlanTurn()
    var undirectedWay = UndirectedWay()
    var forceMean = ForceMean()
    /// Time at rest since the last zero-velocity update. Unit: seconds.
    var restSpan = 0.0
    /// Time of the last accepted zero-velocity update.
    package var restedAt: BootTime?
    /// Whether the hard iron is known from an earlier run.
    var knowsHardIron = false
    package var offers = OfferSources()
    var ranging = RangeAgreement()
    var ranges = RecentRanges()
    /// Frame of a camera's odometry; nil if no camera is tracking.
    package var camera: CameraFrame?
    package var cameraTrust = CameraTrust()
    /// Newest mean of the magnetic field, which the hard-iron search uses; nil before the first mean.
    package var fieldReading: FieldReading?
    /// Model field at a position that a fix has confirmed; nil if the position is only assumed.
    var confirmedField: GeomagneticField? { site?.isAssumed == true ? nil : site?.field }

    /// Gravity at the site, or standard gravity before the first fix. Unit: m/s².
    @inline(__always)
    var gravity: Double { site?.gravity ?? Site.standardGravity }

    /// Starts a filter with the tilt that the first inertial sample shows and an unknown heading.
    package init(first: InertialSample, settings: EstimatorSettings) {
        self.settings = settings
        inertial = first
        tickedAt = first.time
        gyroBiasPrior = GyroBiasPrior(standardDeviation: settings.initial.gyroBiasStandardDeviation)
        let leveled = Levelling.rotation(force: first.force)
        state = NavigationState(time: first.time, rotationENUFromBody: leveled)
        covariance = Covariance()
        state.velocityDelay = settings.gnss.velocityDelaySeconds
        setInitialVariances(tilt: Levelling.standardDeviation(force: first.force, settings: settings))
        rest.begin(with: first)
        place.move(to: .zero, at: first.time)
    }

    private mutating func setInitialVariances(tilt: Double) {
        let start = settings.initial
        let standardDeviations = [
            (ErrorState.attitude, 2, tilt),
            (ErrorState.yaw, 1, start.unknownYawStandardDeviation),
            (ErrorState.velocity, 3, start.velocityStandardDeviation),
            (ErrorState.position, 3, start.positionStandardDeviation),
            (ErrorState.gyroBias, 3, start.gyroBiasStandardDeviation),
            (ErrorState.accelerometerBias, 3, start.accelerometerBiasStandardDeviation),
            (ErrorState.hardIron, 3, settings.magneticCalibration.hardIronStandardDeviation * start.fieldForHardIron),
            (ErrorState.magneticOffset, 1, settings.magnetic.offsetStandardDeviation),
            (ErrorState.stepScale, 1, settings.steps.scaleStandardDeviation),
            (ErrorState.walkingDirection, 1, settings.steps.directionStandardDeviation),
            (ErrorState.velocityDelay, 1, settings.gnss.velocityDelayStandardDeviation),
            (ErrorState.pressureOffset, 1, settings.height.offsetStandardDeviation),
            (ErrorState.gyroScale, 3, start.gyroScaleStandardDeviation),
        ]
        for (offset, count, standardDeviation) in standardDeviations {
            setVariance(of: offset, count: count, standardDeviation: standardDeviation)
        }
    }

    /// Restarts the filter after a gap in which the body may have turned in any way. Position, sensor errors, step
    /// scale and velocity latency are kept.
    package mutating func loseAttitude(_ sample: InertialSample) {
        let before = self
        let away = settings.unaided.unnoticedSpeed * sample.time.seconds(since: before.state.time)
        self = ErrorStateKalmanFilter(first: sample, settings: settings)
        state.gyroBias = before.state.gyroBias
        state.accelerometerBias = before.state.accelerometerBias
        state.gyroScale = before.state.gyroScale
        state.hardIron = before.state.hardIron
        state.position = before.state.position
        // Jumps are detected with the velocity, which is also lost. So the offset of earlier jumps is assigned to the
        // receiver's error.
        state.gnssError = before.state.gnssError + before.gnss.jumpOffset
        state.gnssVelocityError = before.state.gnssVelocityError
        state.velocityDelay = before.state.velocityDelay
        state.stepScale = before.state.stepScale
        let kept = [
            ErrorState.gyroBias, ErrorState.accelerometerBias, ErrorState.hardIron, ErrorState.gnssError,
            ErrorState.gnssVelocityError, ErrorState.gyroScale,
        ]
        for offset in kept {
            covariance.setBlock(offset, offset, before.covariance.block(offset, offset))
        }
        for index in [ErrorState.stepScale, ErrorState.velocityDelay] {
            setVariance(of: index, standardDeviation: before.standardDeviation(index))
        }
        for i in ErrorState.position..<(ErrorState.position + 3) {
            setVariance(of: i, standardDeviation: (before.covariance[i, i] + away * away).squareRoot())
        }
        site = before.site
        gnss = before.gnss
        gnss.jumpOffset = .zero
        gyroBiasPrior = before.gyroBiasPrior
        velocityErrors = before.velocityErrors
        velocityCredibility = before.velocityCredibility
        influence = before.influence
        magnetics = before.magnetics
        modes = before.modes
        place.move(to: state.position, at: sample.time)
        camera = before.camera
        camera?.detach()
        cameraTrust = before.cameraTrust
        offers = before.offers
    }

    /// Whether state and covariance are finite and physically possible.
    @inline(__always)
    package var isSound: Bool { hasSoundCovariance && state.isFinite && state.isOnEarth }

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    package mutating func shift(by offset: Vector3) {
        shiftPosition(by: offset)
        place.shift(by: offset)
        camera?.origin += offset
        ranges.shift(by: offset)
        gnss.shift(by: offset)
        velocityErrors.shift(by: offset)
        positionJumps.shift(by: offset)
        velocityCredibility.shift(by: offset)
    }

    /// Upper limit of the variance of any state, which is that of a position known to within a thousand kilometres.
    /// Unit: m².
    private static let maximumVariance = 1e12

    /// Checks that the variances are finite and not negative. `mutating` avoids a copy of the covariance.
    mutating func checkCovariance() {
        var least = 0.0
        // The sum is finite only if every variance is finite.
        var sum = 0.0
        for i in 0..<ErrorState.count {
            let variance = covariance.rows[i][i]
            least = variance < least ? variance : least
            sum += variance
        }
        hasSoundCovariance = least >= 0 && sum < Self.maximumVariance
    }

    /// Standard deviation of one state, in its unit.
    @inline(__always)
    package func standardDeviation(_ index: Int) -> Double { max(0, covariance.rows[index][index]).squareRoot() }

    /// Standard deviation of the tilt about the less certain axis. Unit: radians.
    @inline(__always)
    var tiltStandardDeviation: Double {
        max(standardDeviation(ErrorState.attitude), standardDeviation(ErrorState.attitude + 1))
    }

    /// Returns the mean of the two horizontal variances of an ENU vector whose first state is `offset`.
    @inline(__always)
    func meanHorizontalVariance(_ offset: Int) -> Double {
        (covariance.rows[offset][offset] + covariance.rows[offset + 1][offset + 1]) / 2
    }

    /// Returns the larger of the two horizontal variances of an ENU vector whose first state is `offset`.
    @inline(__always)
    func worseHorizontalVariance(_ offset: Int) -> Double {
        max(covariance.rows[offset][offset], covariance.rows[offset + 1][offset + 1])
    }

    /// Standard deviations of three successive states, in their unit.
    package func standardDeviations(_ offset: Int) -> Vector3 {
        Vector3(standardDeviation(offset), standardDeviation(offset + 1), standardDeviation(offset + 2))
    }

    /// Rotates state and covariance counter-clockwise about the vertical, because north lies in another direction.
    /// Unit: radians.
    ///
    /// Velocity and position keep their uncertainty relative to the body.
    package mutating func rotateYaw(by yaw: Double) {
        propagateCovariance()
        let turn = Rotation3.aboutZ(yaw)
        state.rotationENUFromBody = turn * state.rotationENUFromBody
        state.velocity = turn * state.velocity
        accelerationMean.turn(by: turn)
        heading.motion.turn(by: yaw)
        influence.add(shift: .zero, yaw: yaw)
        let matrix = turn.matrix
        turnCovariance(ErrorState.attitude, by: matrix)
        turnCovariance(ErrorState.velocity, by: matrix)
        pendingWay.turn(by: turn)
        undirectedWay.turn(by: turn)
        forceMean = ForceMean()
        gait.turn(by: Rotation2(yaw: yaw))
        camera?.release()
    }
}

/// Tilt from the specific force of a body that does not accelerate.
package enum Levelling {
    /// Returns the smallest rotation from body to ENU that turns the force up. The heading is arbitrary.
    ///
    /// Frame of `force`: body.
    package static func rotation(force: Vector3) -> Rotation3 {
        guard let up = force.normalized else { return .identity }
        // The smallest rotation that brings `up` to +z; its axis is up × z.
        let axis = up.cross(Vector3(0, 0, 1))
        let cosine = up.z
        guard cosine > -0.999_999 else { return Rotation3.exp(Vector3(.pi, 0, 0)) }
        let w = ((1 + cosine) / 2).squareRoot()
        let half = axis / (2 * w)
        return Rotation3(w: w, x: half.x, y: half.y, z: half.z) ?? .identity
    }

    /// Returns the standard deviation of the tilt. The norm of the force reveals only part of an acceleration. Unit:
    /// radians.
    package static func standardDeviation(force: Vector3, settings: EstimatorSettings) -> Double {
        let excess = (force.norm - Site.standardGravity).magnitude / Site.standardGravity
        return min(0.5, settings.initial.tiltStandardDeviation + 2 * excess)
    }
}

extension EstimatorSettings {
    /// Standard deviations at the start.
    public struct Initial: Hashable, Sendable {
        /// Standard deviation of the tilt after levelling by one sample at rest. Raise it if the wearer is rarely at
        /// rest at the start. Unit: radians. Origin: 0.03 g, six times the accelerometer bias at the start.
        public var tiltStandardDeviation = 0.03
        /// Standard deviation of an unknown yaw, which is uniformly distributed: π/√3. Raise it in no case, because no
        /// yaw can be less certain. Unit: radians.
        public var unknownYawStandardDeviation = 1.8
        /// Standard deviation of a yaw set by the magnetometer. Raise it to let later measurements turn it sooner.
        /// Unit: radians. Origin: twice the error that hard iron and tilt cause at the start.
        public var magneticYawStandardDeviation = 0.15
        /// Standard deviation of the velocity, per axis. Raise it if the wearer is in motion at the start. Unit: m/s.
        /// Origin: the speed of a hand.
        public var velocityStandardDeviation = 0.5
        /// Standard deviation of the position in the local frame before the first fix, per axis. Raise it to begin with
        /// a larger radius. Unit: metres. Origin: the local frame begins at the body.
        public var positionStandardDeviation = 0.1
        /// Standard deviation per axis of the gyroscope bias of a sensor without a calibration. Raise it for sensors
        /// with a larger zero-rate level. Unit: rad/s (3 °/s). Origin: zero-rate levels in data sheets: 1 °/s of the ST
        /// LSM6DSO, 3 °/s of the Bosch BMI160, 5 °/s of the TDK ICM-20948.
        public var gyroBiasStandardDeviation = 0.052
        /// Standard deviation of the gyroscope's scale, per axis. Raise it for sensors whose sensitivity has a larger
        /// tolerance. Origin: data sheets: 1 % of the ST LSM6DSO, 3 % of the Bosch BMI160.
        public var gyroScaleStandardDeviation = 0.01
        /// Standard deviation of the accelerometer bias, per axis. Raise it for sensors that were never calibrated.
        /// Unit: m/s². Origin: 5 mg, data sheets of consumer parts.
        public var accelerometerBiasStandardDeviation = 0.05
        /// Standard deviation per axis of the hard iron of a magnetometer without a calibration, as a share of the
        /// field. Parts of a board may be magnetised as strongly as the field. Raise it for boards with stronger
        /// magnets.
        public var uncalibratedHardIronFraction = 0.5
        /// Field strength that multiplies `uncalibratedHardIronFraction` and other fractions while the local field is
        /// unknown. Raise it near the magnetic poles. Unit: microtesla. Origin: the field of the earth is 25 to 65 µT.
        public var fieldForHardIron = 50.0
        /// Time for which the tilt settles before the first pose is published. Raise it to publish the first pose
        /// later, but with a better tilt. Unit: seconds. Origin: a few swings of a hand.
        public var levellingSeconds = 0.5
    }
}

extension ErrorStateKalmanFilter: CheckedState {
    package mutating func settle() -> Bool {
        rules = regime.rules
        return true
    }
}
