import Geometry
import Model

extension MountSession {
    package func result() -> CalibrationResult {
        let (used, isOpen) = usedWalks
        let estimate = estimate(walks: used)
        var result = CalibrationResult(
            kind: .mount, verdict: verdict(estimate, used: used, isOpen: isOpen), residualUnit: "rad")
        result.samples = samples
        result.seconds = seconds
        guard let estimate else { return result.checked(sign.finding) }
        result.fits = [
            SensorFit(
                sensor: .mount, correction: estimate.rotationBodyFromSource.matrix,
                correctionStandardDeviation: estimate.correctionStandardDeviation)
        ]
        let present = settings.activeCalibration(of: .mount)?.correction ?? .identity
        result.residualRMS = MountEstimate.residual(of: used, in: estimate.rotationBodyFromSource)
        result.residualRMSBefore = Rotation3(matrix: present, tolerance: 1e-3).map {
            MountEstimate.residual(of: used, in: $0)
        }
        result.predictedHeadingError = estimate.headingStandardDeviation
        // Error about both horizontal axes together.
        result.predictedTiltError = estimate.tiltStandardDeviation * 2.0.squareRoot()
        return result.checked(sign.finding)
    }

    private func verdict(_ estimate: MountEstimate?, used: [WalkDirection], isOpen: Bool) -> CalibrationVerdict {
        if let problem = watch.problem { return problem }
        guard samples > 0 else {
            return .refused(
                .poorFit,
                "No sample is plausible as a person's motion in m/s² and rad/s: a mount needs these units. For counts, "
                    + "run waymark calibrate accel first.")
        }
        guard rate > MountSettings.minimumRate / 2 || seconds < 1 else {
            return .refused(
                .tooFewSamples,
                "Only \(rate.figure(digits: 2)) samples a second from accelerometer and gyroscope: "
                    + "set their rate to \(MountSettings.minimumRate.figure) Hz or more.")
        }
        guard hasStood else {
            return .refused(
                .moved,
                "The board was not still for \(MountSettings.standSeconds.figure) s at the start: stand upright and "
                    + "still until you are asked to walk.")
        }
        let share = stands.gravity / settings.gravity
        guard abs(share - 1) < MountSettings.gravityTolerance else {
            return .refused(
                .poorFit,
                "The accelerometer shows \(stands.gravity.figure(digits: 3)) m/s² at rest instead of "
                    + "\(settings.gravity.figure(digits: 3)): run waymark calibrate accel first.")
        }
        guard let estimate, !used.isEmpty else { return .refused(.noStraightWalk, noWalkReason) }
        guard estimate.headingStandardDeviation < MountSettings.maximumHeadingError else {
            return .refused(
                .predictedErrorTooLarge,
                "The predicted heading error is \(estimate.headingStandardDeviation.degreeFigure)°: walk again, farther and "
                    + "straight, and stand still before and after.")
        }
        let metres = used.reduce(0) { $0 + $1.distance }.rounded().figure
        let walks = used.count == 1 ? "one walk" : "\(used.count) walks"
        let end = isOpen ? ", without a stop at the end (to improve it, stand still after it)" : ""
        return .accepted(
            "From \(walks) over \(metres) m\(end); predicted heading error \(estimate.headingStandardDeviation.degreeFigure)°."
        )
    }

    private var noWalkReason: String {
        let again = "stand still, walk \(MountSettings.askedDistance.figure) m straight ahead, and stand still again."
        guard let fault = faults.last else { return "No walk was detected: \(again)" }
        switch fault {
        case .tooShort(let metres):
            return "The walk was only \(metres.figure(digits: 3)) m long: \(again)"
        case .turned(let radians):
            return "The walk turned by \(radians.degreeFigure)°: \(again)"
        case .notStraight:
            return "The walk was not straight: \(again)"
        case .inconsistent:
            return "The walk is inconsistent with the stands before and after it, as if the board had slipped: "
                + "fasten it, " + again
        case .noStop:
            return "The walk did not end within \(MountSettings.maximumWalkSeconds.figure) s: \(again)"
        case .interrupted:
            return "Samples were missing during the walk: check the board's connection, \(again)"
        }
    }
}

/// Checks that accelerometer and gyroscope deliver usable samples.
struct SensorWatch: Hashable, Sendable {
    private var force = ChannelCheck()
    private var rate = ChannelCheck()
    private var first: BootTime?
    private var latest: BootTime?
    private var latestForce: BootTime?
    private var latestRate: BootTime?

    /// Time without samples after which a sensor counts as silent if other sensors deliver. Unit: seconds.
    private static let silence = 1.0

    mutating func see(_ measurement: Measurement) {
        let time = measurement.arrival
        switch measurement {
        case .specificForce(let sample):
            force.add(sample.force)
            latestForce = time
        case .angularRate(let sample):
            rate.add(sample.rate)
            latestRate = time
        default: break
        }
        if first == nil { first = time }
        latest = max(latest ?? time, time)
    }

    /// Time between the first and the newest measurement. Unit: seconds.
    var seconds: Double {
        guard let first, let latest else { return 0 }
        return max(0, latest.seconds(since: first))
    }

    var problem: CalibrationVerdict? {
        if force.samples == 0 || rate.samples == 0 {
            let missing =
                force.samples == 0 ? (rate.samples == 0 ? "accelerometer or gyroscope" : "accelerometer") : "gyroscope"
            return .refused(
                .noSamples,
                "No samples from the \(missing): both sensors are needed. Check that the board is connected.")
        }
        return force.problem(sensor: "accelerometer") ?? rate.problem(sensor: "gyroscope") ?? silenceProblem
    }

    private var silenceProblem: CalibrationVerdict? {
        guard let latest, let latestForce, let latestRate else { return nil }
        for (name, time) in [("accelerometer", latestForce), ("gyroscope", latestRate)] {
            guard latest.seconds(since: time) > Self.silence else { continue }
            return .refused(
                .silent, "The \(name) stopped during the session: check its connection, and try again.")
        }
        return nil
    }
}
