import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation

/// A part of the state whose error is weighed against the covariance.
enum StatePart: String, CaseIterable, Sendable {
    case tilt, yaw, velocity, horizontalPosition, height, gyroBias, gyroScale, accelerometerBias, hardIron

    /// Where it lies in the error state.
    var states: Range<Int> {
        switch self {
        case .tilt: ErrorState.attitude..<ErrorState.attitude + 2
        case .yaw: ErrorState.yaw..<ErrorState.yaw + 1
        case .velocity: ErrorState.velocity..<ErrorState.velocity + 3
        case .horizontalPosition: ErrorState.position..<ErrorState.position + 2
        case .height: ErrorState.position + 2..<ErrorState.position + 3
        case .gyroBias: ErrorState.gyroBias..<ErrorState.gyroBias + 3
        case .gyroScale: ErrorState.gyroScale..<ErrorState.gyroScale + 3
        case .accelerometerBias: ErrorState.accelerometerBias..<ErrorState.accelerometerBias + 3
        case .hardIron: ErrorState.hardIron..<ErrorState.hardIron + 3
        }
    }

    var dimensions: Int { states.count }
}

/// A measurement whose innovation is weighed against its predicted covariance.
enum InnovationPart: String, CaseIterable, Sendable {
    case gnssPosition, gnssVelocity, magneticYaw

    var dimensions: Int { self == .magneticYaw ? 1 : 3 }
}

/// What the truth and the measurements of one walk say of the filter.
struct WalkErrors: Sendable {
    /// Normalised estimation errors squared, one for each instant that was looked at.
    var stateSquares: [StatePart: [Double]] = [:]
    /// Normalised innovations squared, one for each fix.
    var innovationSquares: [InnovationPart: [Double]] = [:]

    /// Seconds after the start at which the errors are looked at, and from which on innovations count.
    struct Plan: Sendable {
        var instants: [Double]
        var settledAfter: Double
    }

    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    /// Lets the estimator follow a simulated walk up to the last instant of the plan.
    init?(_ walkSettings: CityWalkSettings, _ settings: EstimatorSettings, plan: Plan) {
        guard
            var walk = CityWalk(settings: walkSettings, start: Self.start, magneticModel: WorldMagneticModel.wmm2025)
        else { return nil }
        var odometry = Odometry(settings: settings)
        var instants = plan.instants[...]
        var lastFix: BootTime?
        while let next = instants.first {
            var pose: PoseEstimate?
            let measurement = Self.asMeans(walk.next(), rate: walkSettings.inertialRate)
            odometry.feed(measurement) { if let newest = $0.pose { pose = newest } }
            if case .fix(let fix) = measurement { lastFix = fix.epoch }
            guard let pose else { continue }
            let seconds = pose.time.seconds(since: Self.start)
            if let epoch = lastFix {
                lastFix = nil
                if seconds > plan.settledAfter, let filter = odometry.filter { noteInnovations(filter, epoch: epoch) }
            }
            guard seconds >= next else { continue }
            instants.removeFirst()
            guard let filter = odometry.filter, let place = pose.geodetic else { return nil }
            noteErrors(filter, place: walk.plane.pointENU(of: place), walk)
        }
    }

    /// The walk's inertial samples are values of an instant, the estimator takes them for means over the interval
    /// before their stamp: half an interval later they are, but for the third order.
    static func asMeans(_ measurement: Measurement, rate: Int) -> Measurement {
        switch measurement {
        case .angularRate, .specificForce: measurement.shifted(by: 500_000_000 / Int64(rate))
        default: measurement
        }
    }

    private mutating func noteInnovations(_ filter: ErrorStateKalmanFilter, epoch: BootTime) {
        if filter.gnss.lastPosition == epoch {
            innovationSquares[.gnssPosition, default: []].append(filter.gnss.positionSquare)
        }
        if filter.gnss.lastVelocity == epoch {
            innovationSquares[.gnssVelocity, default: []].append(filter.gnss.velocitySquare)
        }
        if let used = filter.magnetics.lastCorrection, filter.state.time.seconds(since: used) < 0.1 {
            innovationSquares[.magneticYaw, default: []].append(filter.magnetics.yawSquare)
        }
    }

    private mutating func noteErrors(_ filter: ErrorStateKalmanFilter, place: Vector3, _ walk: CityWalk) {
        let state = filter.state
        let truth = walk.truth(at: state.time)
        let biases = walk.sensorBiases(at: state.time)
        let turn = (truth.rotationENUFromBody * state.rotationENUFromBody.inverse).log
        let shift = truth.positionENU - place
        let errors: [StatePart: [Double]] = [
            .tilt: [turn.x, turn.y], .yaw: [turn.z],
            .velocity: (truth.velocityENU - state.velocity).components,
            .horizontalPosition: [shift.x, shift.y], .height: [shift.z],
            .gyroBias: (biases.gyroscope - state.gyroBias).components,
            .gyroScale: (biases.gyroscopeScale - state.gyroScale).components,
            .accelerometerBias: (biases.accelerometer - state.accelerometerBias).components,
            .hardIron: (biases.magnetometer - state.hardIron).components,
        ]
        for part in StatePart.allCases {
            guard let error = errors[part], let square = Self.squaredLength(error, filter.covariance, part) else {
                continue
            }
            stateSquares[part, default: []].append(square)
        }
    }

    /// `eᵀ·P⁻¹·e` over the part's block of the covariance; nil where that is not positive definite.
    private static func squaredLength(_ error: [Double], _ covariance: Covariance, _ part: StatePart) -> Double? {
        // Filled up with ones, in which there is no error.
        var block = Matrix<3, 3>.identity
        var column = Matrix<3, 1>()
        for (i, row) in part.states.enumerated() {
            column[i, 0] = error[i]
            for (j, other) in part.states.enumerated() { block[i, j] = covariance[row, other] }
        }
        return Cholesky(block)?.squaredLength(column)
    }
}

extension Vector3 {
    fileprivate var components: [Double] { [x, y, z] }
}

extension WalkErrors {
    /// Several walks at once, in the order of their seeds.
    static func ofWalks(
        seeds: ClosedRange<UInt64>, _ settings: EstimatorSettings, plan: Plan,
        walk: @Sendable @escaping (UInt64) -> CityWalkSettings
    ) async -> [WalkErrors] {
        await withTaskGroup(of: (UInt64, WalkErrors?).self) { group in
            for seed in seeds { group.addTask { (seed, WalkErrors(walk(seed), settings, plan: plan)) } }
            var found: [UInt64: WalkErrors] = [:]
            for await (seed, errors) in group { found[seed] = errors }
            return seeds.compactMap { found[$0] }
        }
    }
}
