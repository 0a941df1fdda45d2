import Geometry
import Model

/// Fit and verdict for the whole record of a box that was laid on its faces and turned about its edges.
struct BoxCalibration {
    private let settings: CalibrationSettings
    private let poses: [(face: BoxFace, pose: StillPose)]
    private let fit: BoxFit?
    private let turns: Result<BoxTurns, BoxTurns.Failure>?
    /// Number of poses in which the box lay on no face.
    private let offFace: Int

    init(_ record: InertialRecord, settings: CalibrationSettings) {
        self.settings = settings
        var (poses, offFace): ([(face: BoxFace, pose: StillPose)], Int) = ([], 0)
        // A box on a table does not tremble, so that the first multiplier suffices unless the table vibrates.
        for multiplier in StillnessLimits.tableMultipliers where Set(poses.map(\.face)).count < 6 {
            guard let search = PoseSearch(record, settings: settings, multipliers: [multiplier]) else {
                offFace = record.poses(settings).count
                continue
            }
            poses = search.poses.compactMap { pose in
                search.fit.up(pose.force).flatMap { BoxFace(up: $0) }.map { (face: $0, pose: pose) }
            }
            offFace = search.poses.count - poses.count
        }
        self.poses = poses
        self.offFace = offFace
        fit = BoxFit(poses, gravity: settings.gravity)
        guard fit != nil, let angle = settings.faceTurn else {
            turns = nil
            return
        }
        do throws(BoxTurns.Failure) {
            turns = .success(
                try BoxTurns(poses, rates: record.rates, angle: angle, isStandard: settings.unit == .standard))
        } catch {
            turns = .failure(error)
        }
    }

    var result: CalibrationResult {
        var result = CalibrationResult(kind: .accelerometer, verdict: verdict, residualUnit: "m/s²")
        result.poses = poses.count
        guard let fit else { return result }
        result.fits = [fit.sensorFit]
        result.residualRMS = residualRMS(fit)
        result.residualRMSBefore = settings.residualBefore(poses.map(\.pose.force))
        result.predictedTiltError = fit.predictedTiltError
        if case .success(let turns) = turns {
            result.fits.append(turns.sensorFit)
            result.predictedHeadingError = turns.predictedHeadingError
        }
        return result
    }

    private func residualRMS(_ fit: BoxFit) -> Double {
        let squares = poses.reduce(0) { sum, pose in
            let misfit = fit.force(pose.pose.force).norm - settings.gravity
            return sum + misfit * misfit
        }
        return (squares / Double(max(1, poses.count))).squareRoot()
    }

    private var verdict: CalibrationVerdict {
        guard let fit else { return missing }
        let residual = residualRMS(fit)
        if residual > AccelerometerLimits.maximumResidual {
            return .refused(
                .poorFit,
                "The forces on the six faces differ from gravity by \(residual.figure) m/s²: check the box for right "
                    + "angles, and keep it still.")
        }
        let tilt = fit.predictedTiltError
        guard tilt <= AccelerometerLimits.maximumTilt else {
            return .refused(
                .predictedErrorTooLarge,
                "Opposite faces disagree, for a tilt error of \(tilt.degreeFigure)°: use a box "
                    + "with right angles on a horizontal table.")
        }
        return turnsProblem ?? .accepted(acceptedReason(residual, tilt))
    }

    private var missing: CalibrationVerdict {
        guard !poses.isEmpty || offFace > 0 else {
            return .refused(
                .moved,
                "The box was hardly ever still for a second: leave it on each of its six faces for two seconds.")
        }
        let seen = Set(poses.map(\.face))
        let names = BoxFace.all.filter { !seen.contains($0) }.map(\.name).joined(separator: ", ")
        return .refused(
            .tooFewPoses,
            "Faces missing: \(names). Place the box with each of these faces up for two seconds, square to the "
                + "table.")
    }

    private var turnsProblem: CalibrationVerdict? {
        guard case .failure(let failure) = turns else { return nil }
        switch failure {
        case .noTurns:
            return .refused(
                .tooFewPoses,
                "No rotation about an edge was detected: leave the box still, turn it on the table by the given angle, "
                    + "and leave it still again, about each of its three edges.")
        case .missing(let axis):
            return .refused(
                .tooFewPoses,
                "No rotation about the \(["x", "y", "z"][axis]) axis was detected: place the box with that axis up, and turn "
                    + "it on the table by the given angle, still before and after.")
        }
    }

    private func acceptedReason(_ residual: Double, _ tilt: Double) -> String {
        var reason =
            "\(poses.count) poses on six faces, residual \(residual.figure(digits: 2)) m/s²; predicted tilt error "
            + "\(tilt.degreeFigure)°."
        if case .success(let turns) = turns {
            reason +=
                " \(turns.counts.reduce(0, +)) turns; predicted gyroscope error over 90° "
                + "\(turns.predictedHeadingError.degreeFigure)°."
        }
        return reason
    }
}
