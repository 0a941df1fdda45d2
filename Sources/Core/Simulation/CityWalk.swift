import Geometry
import Glibc
import Model
import Scene

/// Endless simulated measurements of a person who wears the board and walks through a city, sits, or rides a bus. The
/// simulation is pure and seeded: the same settings give the same measurements. Body axes: x right, y up, z towards the
/// wearer. Gravity, earth rotation and magnetic field have the values of the site, so that the measurements of
/// error-free sensors agree exactly with the truth.
public struct CityWalk: Sendable {
    /// Route from the start to a square. The walk then continues back to the start and repeats the round.
    public let route: Route
    package let places: [Place]
    /// Tangent plane that defines the ENU frame of `WalkTruth`.
    public let plane: LocalTangentPlane
    /// True magnetic field of the site. Frame: ENU. Unit: microtesla.
    public let magneticFieldENU: Vector3

    private let settings: CityWalkSettings
    private let start: BootTime
    private let motion: any WearerMotion
    private let forces: LocalForces
    private var gyroscope: InertialErrorState
    private var accelerometer: InertialErrorState
    private var magnetometer: MagneticErrorState
    private var barometer: PressureErrorState
    private var receiver: GNSSErrorState
    private var camera: CameraErrorState?

    private var inertialTicks: SampleTicks
    private var magneticTicks: SampleTicks
    private var pressureTicks: SampleTicks
    private var fixTicks: SampleTicks
    /// Angular rate that is delivered after the specific force of the same instant.
    private var pendingRate: AngularRateSample?
    /// Next fix. Its position is computed when it arrives, because an interruption of the walk may change the position
    /// at its epoch.
    private var pendingFix: PendingFix?
    /// Next exposure of the camera. Its pose is computed when it arrives.
    private var pendingExposure: CameraErrorState.Exposure?
    private var pendingCalibration: SensorCalibration?
    /// State in which the board is handled instead of worn; nil before the first request.
    private var interruption: WalkInterruption?

    /// Makes a walk whose first sample has the time stamp `start`.
    ///
    /// Nil if the magnetic model does not cover the site and time of the settings.
    public init?(settings: CityWalkSettings, start: BootTime, magneticModel: some GeomagneticModel) {
        let block = CityBlock(origin: settings.origin)
        guard let year = DecimalYear.of(utcSeconds: settings.startUTCSeconds),
            let field = magneticModel.field(at: settings.origin, decimalYear: year)
        else { return nil }
        precondition(settings.inertialRate > 0, "a walk has inertial samples")
        self.settings = settings
        self.start = start
        route = block.route
        places = block.places
        plane = block.plane
        magneticFieldENU = field.fluxDensityENU * 1e-3

        func stream(_ number: UInt64) -> RandomSource { RandomSource(seed: settings.seed, stream: number) }
        var walker = stream(1)
        motion = settings.motion.motion(
            in: block, openingSeconds: settings.openingSeconds, wearing: settings.wearing, random: &walker)
        forces = LocalForces(origin: settings.origin)
        let errors = settings.errors
        gyroscope = InertialErrorState(errors.gyroscope, rate: settings.inertialRate, random: stream(2))
        accelerometer = InertialErrorState(errors.accelerometer, rate: settings.inertialRate, random: stream(3))
        magnetometer = MagneticErrorState(
            errors.magnetometer, roundMetres: motion.roundMetres, stream: stream)
        barometer = PressureErrorState(errors.barometer, rate: settings.pressureRate, random: stream(5))
        receiver = GNSSErrorState(errors.gnss, rate: settings.fixRate, random: stream(6))
        camera = settings.camera.map { CameraErrorState($0, random: stream(10)) }

        // Sensors are not synchronised: the magnetometer samples 1.2 ms after the inertial sensor, and the barometer
        // 2.3 ms.
        inertialTicks = SampleTicks(rate: settings.inertialRate, offset: 0)
        magneticTicks = SampleTicks(rate: settings.magneticRate, offset: 1_200_000)
        pressureTicks = SampleTicks(rate: settings.pressureRate, offset: 2_300_000)
        fixTicks = SampleTicks(rate: settings.fixRate, offset: Int64(settings.firstFixSeconds * 1e9))
        pendingFix = nextFix()
        pendingExposure = camera?.nextExposure()
        pendingCalibration = errors.magnetometer.calibration(at: start)
    }

    /// Duration of one round without the opening; 0 for a sitting wearer. Unit: seconds.
    public var roundSeconds: Double { motion.roundSeconds }

    /// Ground truth at a time; the wearer is at rest before the start.
    public func truth(at time: BootTime) -> WalkTruth {
        let seconds = time.seconds(since: start)
        guard let interruption else { return truth(motion.placement(at: seconds), time) }
        switch interruption.state(at: seconds) {
        case .worn(let walkTime): return truth(placement(walkTime), time)
        case .handled(let board, _): return WalkTruth(board, time: time, plane: plane, forces: forces)
        }
    }

    private func truth(_ placement: BoardPlacement, _ time: BootTime) -> WalkTruth {
        WalkTruth(
            placement.motion, heading: placement.attitude.headingInFullCircle, time: time, plane: plane, forces: forces)
    }

    /// Lets the wearer handle the board for a calibration, or wear it again if `request` is nil. The wearer stops
    /// first, and later walks on from the same place. The sensors and their errors remain the same.
    ///
    /// After a request, `truth` and `steps` are valid only for the last few seconds, because later motion is not
    /// decided yet.
    public mutating func handle(_ request: HandlingRequest?) {
        guard interruption != nil || request != nil else { return }
        if interruption == nil {
            interruption = WalkInterruption(random: RandomSource(seed: settings.seed, stream: 36))
        }
        interruption?.request = request
    }

    /// State of the board, which is either worn or handled.
    private func state(at seconds: Double) -> WalkInterruption.State {
        interruption?.state(at: seconds) ?? .worn(Jet.time(seconds))
    }

    private func placement(_ time: Jet) -> BoardPlacement { motion.placement(at: time.value).paced(by: time) }

    /// Number of steps taken until a time; nil if the board is worn on the head.
    public func steps(at time: BootTime) -> Double? {
        (motion as? CarriedMotion)?.steps(at: state(at: time.seconds(since: start)).walkSeconds)
    }

    /// Sensor errors that an estimator can observe: those of a board at rest in its attitude at a time, with the biases
    /// of the newest samples.
    public func sensorBiases(at time: BootTime) -> SensorBiases {
        let gravity = truth(at: time).rotationENUFromBody.inverse * Vector3(0, 0, Self.gravity)
        return SensorBiases(
            gyroscope: gyroscope.presentBias(of: .zero), accelerometer: accelerometer.presentBias(of: gravity),
            magnetometer: magnetometer.hardIron, gyroscopeScale: gyroscope.scale)
    }

    /// Gravity, accurate enough to compute the effect of scale errors. Unit: m/s².
    private static let gravity = 9.81

    /// Returns the next measurement in order of arrival; the sequence has no end. The magnetometer's calibration comes
    /// first, if there is one. A specific force comes before the angular rate of the same instant.
    public mutating func next() -> Measurement {
        if let calibration = pendingCalibration {
            pendingCalibration = nil
            return .calibration(calibration)
        }
        if let rate = pendingRate {
            pendingRate = nil
            return .angularRate(rate)
        }
        let inertial = inertialTicks.next
        let magnetic = magneticTicks.next
        let pressure = pressureTicks.next
        let first = min(inertial, magnetic, pressure)
        if let late = nextLate(before: first) { return late }
        if first == inertial { return .specificForce(nextInertial()) }
        return first == magnetic ? .magneticField(nextMagnetic()) : .pressure(nextPressure())
    }

    /// Returns the next fix or camera pose if it arrives before `limit`; nil otherwise. Fixes and poses arrive some
    /// time after they were measured.
    ///
    /// - Parameter limit: time of arrival. Unit: nanoseconds since the start.
    private mutating func nextLate(before limit: Int64) -> Measurement? {
        let fixArrival = pendingFix.map { $0.arrival.nanoseconds - start.nanoseconds } ?? .max
        if let exposure = pendingExposure, exposure.arrival < min(limit, fixArrival) {
            pendingExposure = camera?.nextExposure()
            return pose(of: exposure)
        }
        guard let fix = pendingFix, fixArrival < limit else { return nil }
        pendingFix = nextFix()
        return .fix(self.fix(fix))
    }

    private mutating func pose(of exposure: CameraErrorState.Exposure) -> Measurement? {
        let truth = truth(at: time(exposure.tick))
        guard let pose = camera?.pose(of: exposure, truth) else { return nil }
        return .aid(
            AidMeasurement(
                source: .camera, time: truth.time, arrival: time(exposure.arrival), content: .odometry(pose)))
    }

    private func time(_ nanoseconds: Int64) -> BootTime {
        BootTime(nanoseconds: start.nanoseconds + nanoseconds)
    }

    private mutating func nextInertial() -> SpecificForceSample {
        let tick = inertialTicks.take()
        let motion = motion
        interruption?.advance(to: Double(tick) * 1e-9) { seconds in
            let placement = motion.placement(at: seconds)
            let board = BoardMotion(
                rotationENUFromBody: placement.attitude.rotationENUFromBody, position: placement.positionENU)
            return (board, placement.velocityENU.norm)
        }
        let truth = truth(at: time(tick))
        pendingRate = AngularRateSample(time: truth.time, rate: gyroscope.reading(of: truth.angularRateInBody))
        return SpecificForceSample(time: truth.time, force: accelerometer.reading(of: truth.specificForceInBody))
    }

    private mutating func nextMagnetic() -> MagneticSample {
        let time = time(magneticTicks.take())
        let seconds = time.seconds(since: start)
        let state = state(at: seconds)
        let placement = motion.placement(at: state.walkSeconds)
        var rotation = placement.attitude.rotationENUFromBody
        if case .handled(let board, _) = state { rotation = board.rotationENUFromBody }
        let field = magnetometer.reading(
            of: magneticFieldENU, rotationBodyFromENU: rotation.inverse, pathMetres: placement.pathMetres,
            at: state.walkSeconds, nearness: state.pace)
        return MagneticSample(time: time, field: field)
    }

    private mutating func nextPressure() -> PressureSample {
        let truth = truth(at: time(pressureTicks.take()))
        let pressure = Self.standardPressure(height: truth.position.ellipsoidalHeight)
        return PressureSample(time: truth.time, pressureHectopascal: barometer.reading(of: pressure))
    }

    private mutating func nextFix() -> PendingFix? {
        guard settings.fixRate > 0 else { return nil }
        let tick = fixTicks.take()
        let error = receiver.next()
        return PendingFix(tick: tick, arrival: time(tick + Int64(error.delaySeconds * 1e9)), error: error)
    }

    private func fix(_ pending: PendingFix) -> GNSSFix {
        let truth = truth(at: time(pending.tick))
        let measured = plane.position(ofENU: truth.positionENU + pending.error.position) ?? truth.position
        let errors = settings.errors.gnss
        let velocity = truth.velocityENU * errors.velocityShare + pending.error.velocity
        let standardDeviation = errors.positionStandardDeviation
        return GNSSFix(
            epoch: truth.time, arrival: pending.arrival,
            utcSeconds: settings.startUTCSeconds + Double(pending.tick) * 1e-9, position: measured,
            hasHeight: true,
            velocityENU: .init(east: velocity.x, north: velocity.y, up: velocity.z),
            positionSigma: .init(
                east: Self.reported(standardDeviation.x, errors.positionUnderstatement, atLeast: 0.1),
                north: Self.reported(standardDeviation.y, errors.positionUnderstatement, atLeast: 0.1),
                up: Self.reported(standardDeviation.z, errors.positionUnderstatement, atLeast: 0.1)),
            velocitySigma: errors.reportsVelocityAccuracy
                ? Self.reported(errors.velocityStandardDeviation, errors.velocityUnderstatement, atLeast: 0.01) : nil)
    }

    /// Standard deviation that the receiver reports, with a lower bound.
    private static func reported(_ standardDeviation: Double, _ understatement: Double, atLeast floor: Double) -> Double
    {
        max(floor, standardDeviation / understatement)
    }

    /// Pressure of the standard atmosphere at a height above the ellipsoid. Units: metres, hectopascal.
    private static func standardPressure(height: Double) -> Double {
        1013.25 * pow(1 - 2.25577e-5 * height, 5.25588)
    }
}

/// A fix that has not arrived yet.
private struct PendingFix: Sendable {
    /// Epoch. Unit: nanoseconds since the start.
    var tick: Int64
    var arrival: BootTime
    var error: (position: Vector3, velocity: Vector3, delaySeconds: Double)
}

/// Settings of a simulated walk: site, time, motion, sensor rates and errors.
public struct CityWalkSettings: Hashable, Sendable {
    /// Seed of all random numbers. The same seed gives the same walk and the same errors.
    public var seed: UInt64
    /// Start of the walk on the ground, the origin of its ENU frame.
    public var origin: GeodeticPosition
    /// Time of the first sample. Unit: seconds since 1970-01-01 UTC.
    public var startUTCSeconds = 1_782_000_000.0
    package var motion = CityMotion.walk
    /// How the board is carried and oriented during a walk.
    public var wearing = Wearing()
    /// Duration of the rest before the first step. Unit: seconds.
    public var openingSeconds = 18.0
    /// Sampling rate of accelerometer and gyroscope. Unit: Hz.
    public var inertialRate = 200
    /// Sampling rate of the magnetometer; 0 for no magnetometer. Unit: Hz.
    public var magneticRate = 50
    /// Sampling rate of the barometer; 0 for no barometer. Unit: Hz.
    public var pressureRate = 10
    /// Rate of the fixes; 0 for no receiver. Unit: Hz.
    public var fixRate = 1
    /// Time from the start to the epoch of the first fix: the receiver's acquisition time. Unit: seconds.
    public var firstFixSeconds = 2.0
    package var errors: SensorErrors
    /// Errors of a camera on the board, whose odometry has the source name `camera`; nil if there is no camera.
    public var camera: SensorErrors.Camera?

    /// Makes a walk through Zurich in June 2026 with typical sensors.
    public init(seed: UInt64 = 1, errors: SensorErrors = .typical) {
        guard
            let origin = GeodeticPosition(latitudeDegrees: 47.3769, longitudeDegrees: 8.5417, ellipsoidalHeight: 455)
        else { preconditionFailure("Zurich is on the earth") }
        self.seed = seed
        self.origin = origin
        self.errors = errors
    }
}

/// Sampling instants of one sensor. They are exact at any rate, whereas a sum of rounded intervals would drift.
package struct SampleTicks {
    private let rate: Int64
    private let offset: Int64
    private var index: Int64 = 0

    /// Makes instants at a rate, starting at an offset. A rate of 0 gives no instants. Units: Hz, nanoseconds.
    package init(rate: Int, offset: Int64) {
        precondition(rate >= 0 && rate <= 1_000_000, "a sensor has a rate from 0 to 1 MHz")
        self.rate = Int64(rate)
        self.offset = offset
    }

    /// The next instant; `Int64.max` for a rate of 0. Unit: nanoseconds since the start.
    package var next: Int64 {
        guard rate > 0 else { return .max }
        let (seconds, part) = index.quotientAndRemainder(dividingBy: rate)
        return seconds * 1_000_000_000 + part * 1_000_000_000 / rate + offset
    }

    /// Returns the next instant and advances.
    package mutating func take() -> Int64 {
        defer { index += 1 }
        return next
    }
}
