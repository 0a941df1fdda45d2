import Geometry
import Measurements

/// A whole record of free poses, fitted and judged.
struct PoseCalibration {
    private let settings: CalibrationSettings
    private let search: PoseSearch?
    private let gyroscope: GyroscopeFit?
    private let hasRates: Bool
    private let isClipped: Bool
    /// Poses that lie apart.
    private let distinct: Int
    /// Poses seen where none of them can be fitted.
    private let unfitted: Int

    /// - Parameter isClipped: whether the gyroscope stood at its end somewhere.
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
            if unfitted >= AccelerometerLimits.leastPoses {
                return .refused(
                    .posesTooAlike,
                    "The \(unfitted) orientations are coplanar or too close together: hold the board with every "
                        + "side up once."
                )
            }
            if unfitted > 0 { return tooFew(unfitted) }
            return .refused(
                .moved,
                "The board was hardly ever at rest for a second: hold it still for two seconds in each of at least "
                    + "\(AccelerometerLimits.leastPoses) orientations.")
        }
        return fewPoses(search) ?? poorFit(search) ?? weakFit(search) ?? accepted(search)
    }

    private func fewPoses(_ search: PoseSearch) -> CalibrationVerdict? {
        distinct < AccelerometerLimits.leastPoses ? tooFew(distinct) : nil
    }

    private func tooFew(_ count: Int) -> CalibrationVerdict {
        .refused(
            .tooFewPoses,
            "\(count == 1 ? "Only one orientation was" : "Only \(count) different orientations were") held still: "
                + "the calibration needs at "
                + "least \(AccelerometerLimits.leastPoses), better ten, with every side up once, each for two seconds.")
    }

    private func poorFit(_ search: PoseSearch) -> CalibrationVerdict? {
        let fit = search.fit
        let before = settings.residualBefore(search.poses.map(\.force))
        if settings.unit == .standard, let before,
            before > AccelerometerLimits.unitTolerance * settings.gravity, search.isAtRest
        {
            return .refused(
                .poorFit,
                "At rest the accelerometer is \(before.figure) m/s² from gravity: check that its values are in m/s²; "
                    + "with other units the scale is estimated as well.")
        }
        guard fit.residualRMS > AccelerometerLimits.largestResidual else { return nil }
        if !search.isAtRest {
            return .refused(
                .moved,
                "The board moved while it should have been at rest: the accelerations of its orientations differ "
                    + "from gravity by \(fit.residualRMS.figure) m/s². Put it on a support, or hold it more steadily.")
        }
        return .refused(
            .poorFit,
            "The accelerations differ from gravity by \(fit.residualRMS.figure) m/s² for all parameters: check for a "
                + "loose sensor, and start again.")
    }

    private func weakFit(_ search: PoseSearch) -> CalibrationVerdict? {
        let tilt = search.fit.predictedTiltError
        guard tilt > AccelerometerLimits.largestTilt else { return nil }
        let degrees = (tilt * 180 / .pi).figure(digits: 2)
        return .refused(
            .posesTooAlike,
            "The orientations are too similar: \(search.fit.weakestName) is undetermined, and the tilt error would "
                + "be \(degrees)°. "
                + search.fit.advice)
    }

    private func accepted(_ search: PoseSearch) -> CalibrationVerdict {
        let fit = search.fit
        let tilt = (fit.predictedTiltError * 180 / .pi).figure(digits: 2)
        var reason =
            "\(fit.misfits.count) orientations are within \(fit.residualRMS.figure(digits: 2)) m/s² of gravity; the "
            + "tilt is accurate to \(tilt)°."
        if let gyroscope {
            let heading = (gyroscope.predictedHeadingError * 180 / .pi).figure(digits: 2)
            reason += " By \(gyroscope.moves) moves the gyroscope measures 90° to \(heading)°."
        } else if hasRates {
            reason +=
                " The rotations between the orientations do not determine the gyroscope scale: rotate about all "
                + "axes, ten times or more."
        }
        if isClipped { reason += " Some rotations exceeded the gyroscope's range and were ignored." }
        if distinct < AccelerometerLimits.goodPoses { reason += " More orientations would improve it." }
        return .accepted(reason)
    }
}

extension PoseSearch {
    /// Whether the poses' own blocks scatter no more than a hand makes them.
    fileprivate var isAtRest: Bool {
        let scale = fit.model.gravity / fit.model.radius
        let deviations = poses.map { $0.forceDeviation * scale }.sorted()
        // The mean of half a dozen blocks of a hand that trembles.
        return deviations.isEmpty || deviations[deviations.count / 2] < StillnessLimits.handForce / 5
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
            return "Hold it also with its \(Self.axes[weakest % 3]) axis straight up, and straight down."
        }
        let pair = Self.pairs[weakest - 6]
        return "Hold it also on the edge between \(pair.0) and \(pair.1), with both of them halfway up."
    }
}

extension CalibrationSettings {
    /// RMS of the forces' lengths less gravity with what is in force now; nil for counts with nothing in force.
    func residualBefore(_ forces: [Vector3]) -> Double? {
        let present = present.last { $0.sensor == .accelerometer }
        guard present != nil || unit == .standard, !forces.isEmpty else { return nil }
        let squares = forces.reduce(0) { sum, force in
            let misfit = (present?.applied(to: force) ?? force).norm - gravity
            return sum + misfit * misfit
        }
        return (squares / Double(forces.count)).squareRoot()
    }
}
