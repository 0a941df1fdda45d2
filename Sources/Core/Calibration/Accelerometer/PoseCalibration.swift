import Geometry
import Model

/// Fit and verdict for a whole record of free poses.
struct PoseCalibration {
    private let settings: CalibrationSettings
    private let search: PoseSearch?
    private let gyroscope: GyroscopeFit?
    private let hasRates: Bool
    private let isClipped: Bool
    private let distinct: Int
    /// Number of detected poses, if no fit to the record is possible.
    private let unfitted: Int

    /// - Parameter isClipped: whether the gyroscope was clipped at any time.
    init(_ record: InertialRecord, settings: CalibrationSettings, isClipped: Bool) {
        self.isClipped = isClipped
        self.settings = settings
        search = PoseSearch(record, settings: settings)
        hasRates = !record.rates.isEmpty
        guard let search else {
            (gyroscope, distinct, unfitted) = (nil, 0, record.poses(settings).count)
            return
        }
        unfitted = 0
        distinct =
            search.poses.compactMap { search.fit.up($0.force) }
            .distinct(by: AccelerometerLimits.distinctAngle).count
        gyroscope = GyroscopeFit(
            record, poses: search.poses, fit: search.fit, isStandard: settings.unit == .standard, isClipped: isClipped)
    }

    var result: CalibrationResult {
        var result = CalibrationResult(kind: .accelerometer, verdict: verdict, residualUnit: "m/s²")
        guard let search else { return result }
        let used = zip(search.poses, search.fit.used).filter(\.1).map(\.0.force)
        result.poses = used.count
        result.residualRMS = search.fit.residualRMS
        result.residualRMSBefore = settings.residualBefore(used)
        result.predictedTiltError = search.fit.predictedTiltError
        result.predictedHeadingError = gyroscope?.predictedHeadingError
        result.fits = [search.fit.sensorFit]
        if let gyroscope { result.fits.append(gyroscope.sensorFit) }
        return result
    }

    private var verdict: CalibrationVerdict {
        guard let search else {
            if unfitted >= AccelerometerLimits.minimumPoseCount {
                return .refused(
                    .posesTooAlike,
                    "All \(unfitted) poses lie in one plane or close together: hold the board with every side up once."
                )
            }
            if unfitted > 0 { return tooFew(unfitted) }
            return .refused(
                .moved,
                "The board was hardly ever at rest for a second: hold it still for two seconds in each of at least "
                    + "\(AccelerometerLimits.minimumPoseCount) orientations.")
        }
        if distinct < AccelerometerLimits.minimumPoseCount { return tooFew(distinct) }
        return poorFit(search) ?? weakFit(search) ?? accepted(search)
    }

    private func tooFew(_ count: Int) -> CalibrationVerdict {
        .refused(
            .tooFewPoses,
            "\(count == 1 ? "Only one pose was" : "Only \(count) different poses were") held still: hold at "
                + "least \(AccelerometerLimits.minimumPoseCount), better ten, for two seconds each, with every side up once."
        )
    }

    private func poorFit(_ search: PoseSearch) -> CalibrationVerdict? {
        let fit = search.fit
        let before = settings.residualBefore(search.poses.map(\.force))
        if settings.unit == .standard, let before,
            before > AccelerometerLimits.unitTolerance * settings.gravity, search.isAtRest
        {
            return .refused(
                .poorFit,
                "At rest the accelerometer differs from gravity by \(before.figure) m/s²: check that its unit is m/s²; "
                    + "for other units the scale can be fitted too.")
        }
        guard fit.residualRMS > AccelerometerLimits.maximumResidual else { return nil }
        if !search.isAtRest {
            return .refused(
                .moved,
                "The board moved while it had to be still: the forces of its poses differ from gravity by "
                    + "\(fit.residualRMS.figure) m/s². Rest it on something, or hold it more steadily.")
        }
        return .refused(
            .poorFit,
            "The forces of the poses differ from gravity by \(fit.residualRMS.figure) m/s² after the fit: check for a "
                + "loose sensor, and try again.")
    }

    private func weakFit(_ search: PoseSearch) -> CalibrationVerdict? {
        let tilt = search.fit.predictedTiltError
        guard tilt > AccelerometerLimits.maximumTilt else { return nil }
        return .refused(
            .posesTooAlike,
            "The poses are too similar: \(search.fit.weakestName) is undetermined, for a tilt error of \(tilt.degreeFigure)°. "
                + search.fit.advice)
    }

    private func accepted(_ search: PoseSearch) -> CalibrationVerdict {
        let fit = search.fit
        var reason =
            "\(fit.misfits.count) poses, residual \(fit.residualRMS.figure(digits: 2)) m/s²; predicted tilt error "
            + "\(fit.predictedTiltError.degreeFigure)°."
        if let gyroscope {
            let heading = gyroscope.predictedHeadingError.degreeFigure
            reason += " Gyroscope: \(gyroscope.moves) moves, predicted error \(heading)° over a turn of 90°."
        } else if hasRates {
            reason +=
                " The moves do not determine the gyroscope's scale: rotate about all axes, ten times or more."
        }
        if isClipped { reason += " Some moves exceeded the gyroscope's range and were left out." }
        if distinct < AccelerometerLimits.goodPoses { reason += " More poses would improve it." }
        return .accepted(reason)
    }
}

extension PoseSearch {
    /// Whether the scatter within the poses is no larger than that of a board held in a hand.
    fileprivate var isAtRest: Bool {
        let scale = fit.model.gravity / fit.model.radius
        let standardDeviations = poses.map { $0.forceStandardDeviation * scale }.sorted()
        // In a trembling hand, the mean of six blocks has a standard deviation of a fifth of `handForce`.
        return standardDeviations.isEmpty
            || standardDeviations[standardDeviations.count / 2] < StillnessLimits.handForce / 5
    }
}

extension AccelerometerFit {
    private static let axes = ["x", "y", "z"]
    private static let pairs = [("x", "y"), ("x", "z"), ("y", "z")]

    fileprivate var weakestName: String {
        switch weakest {
        case 0...2: "the bias of \(Self.axes[weakest])"
        case 3...5: "the scale of \(Self.axes[weakest - 3])"
        default: "the angle between \(Self.pairs[weakest - 6].0) and \(Self.pairs[weakest - 6].1)"
        }
    }

    fileprivate var advice: String {
        guard weakest > 5 else {
            return "Also hold it with its \(Self.axes[weakest % 3]) axis straight up, and straight down."
        }
        let pair = Self.pairs[weakest - 6]
        return "Also hold it on the edge between \(pair.0) and \(pair.1), with both at 45°."
    }
}

extension CalibrationSettings {
    /// RMS difference between the force magnitudes and gravity, with the active calibration; nil for counts without an
    /// active calibration. Unit: m/s².
    func residualBefore(_ forces: [Vector3]) -> Double? {
        let present = activeCalibration(of: .accelerometer)
        guard present != nil || unit == .standard, !forces.isEmpty else { return nil }
        let squares = forces.reduce(0) { sum, force in
            let misfit = (present?.applied(to: force) ?? force).norm - gravity
            return sum + misfit * misfit
        }
        return (squares / Double(forces.count)).squareRoot()
    }
}

/// Still poses of a whole record, and the fit to them, for the stillness limit with the least predicted error.
///
/// Source: Tedaldi, Pretto, Menegatti, ICRA 2014, algorithm 1. That algorithm takes the multiplier with the least
/// residual. Fewer poses fit better, but determine less, which only the predicted error shows.
struct PoseSearch: Sendable {
    let poses: [StillPose]
    let fit: AccelerometerFit

    /// Nil if no limit gives poses to which a fit is possible.
    init?(
        _ record: InertialRecord, settings: CalibrationSettings, multipliers: [Double] = StillnessLimits.multipliers
    ) {
        let windows = StillWindows(record)
        let quanta = (force: record.forceQuantum, rate: record.rateQuantum)
        guard let stillest = windows.stillest(forceQuantum: quanta.force, rateQuantum: quanta.rate) else { return nil }
        let gravity = record.gravity(settings)
        let isStandard = settings.unit == .standard
        var best: (poses: [StillPose], fit: AccelerometerFit, error: Double)?
        var last: [StillPose] = []
        for multiplier in multipliers {
            let still = windows.still(within: stillest.times(multiplier))
            let poses = StillPose.all(in: record, still: still, gravity: gravity)
            // Neighbouring multipliers often give the same poses.
            guard poses != last else { continue }
            last = poses
            guard let fit = AccelerometerFit(poses, isStandard: isStandard, gravity: settings.gravity) else { continue }
            let error = fit.predictedTiltError
            if best.map({ error < $0.error }) ?? error.isFinite { best = (poses, fit, error) }
        }
        guard let best else { return nil }
        (poses, fit) = (best.poses, best.fit)
    }
}

extension InertialRecord {
    /// Still poses, even if no fit to them is possible. They distinguish a record with too few poses from one with too
    /// much movement.
    func poses(_ settings: CalibrationSettings) -> [StillPose] {
        let windows = StillWindows(self)
        guard let stillest = windows.stillest(forceQuantum: forceQuantum, rateQuantum: rateQuantum) else { return [] }
        let limit = stillest.times(StillnessLimits.liveMultiplier)
        return StillPose.all(in: self, still: windows.still(within: limit), gravity: gravity(settings))
    }

    /// Approximate gravity in measured units: for counts, half the range of the axis with the widest range.
    func gravity(_ settings: CalibrationSettings) -> Double {
        guard settings.unit == .arbitrary, let ends = forceEnds else { return settings.gravity }
        let range = ends.high - ends.low
        return max(range.x, range.y, range.z) / 2
    }
}
