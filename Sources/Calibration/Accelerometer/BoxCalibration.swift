import Geometry
import Measurements

/// A whole record of a box laid on its faces, and turned about its edges, fitted and judged.
struct BoxCalibration {
    private let settings: CalibrationSettings
    private let poses: [(face: BoxFace, pose: StillPose)]
    private let fit: BoxFit?
    private let turns: Result<BoxTurns, BoxTurns.Failure>?
    /// Poses on no face.
    private let askew: Int

    init(_ record: InertialRecord, settings: CalibrationSettings) {
        self.settings = settings
        var (poses, askew): ([(face: BoxFace, pose: StillPose)], Int) = ([], 0)
        // A table does not tremble: there is nothing to choose, unless it does.
        for multiplier in StillnessLimits.tableMultipliers where Set(poses.map(\.face)).count < 6 {
            guard let search = PoseSearch(record, settings: settings, multipliers: [multiplier]) else {
                askew = record.poses(settings).count
                continue
            }
            poses = search.poses.compactMap { pose in
                search.fit.up(pose.force).flatMap { BoxFace(up: $0) }.map { (face: $0, pose: pose) }
            }
            askew = search.poses.count - poses.count
        }
        self.poses = poses
        self.askew = askew
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
        if residual > AccelerometerLimits.largestResidual {
            return .refused(
                .poorFit,
                "The accelerations on the six faces differ from gravity by \(residual.figure) m/s²: check the right "
                    + "angles of the box, and keep it at rest.")
        }
        let tilt = fit.predictedTiltError
        guard tilt <= AccelerometerLimits.largestTilt else {
            return .refused(
                .predictedErrorTooLarge,
                "Opposite faces are inconsistent, which would leave \((tilt * 180 / .pi).figure(digits: 2))° of "
                    + "tilt error: use a box with right angles on a level table.")
        }
        return turnsProblem ?? .accepted(acceptedReason(residual, tilt))
    }

    private var missing: CalibrationVerdict {
        guard !poses.isEmpty || askew > 0 else {
            return .refused(
                .moved,
                "The box was hardly ever at rest for a second: put it on each of its six faces for two seconds.")
        }
        let seen = Set(poses.map(\.face))
        let names = BoxFace.all.filter { !seen.contains($0) }.map(\.name).joined(separator: ", ")
        return .refused(
            .tooFewPoses,
            "Some of the six faces were not measured: \(names). Put the box on each of them for two seconds, right "
                + "angles to the table.")
    }

    private var turnsProblem: CalibrationVerdict? {
        guard case .failure(let failure) = turns else { return nil }
        switch failure {
        case .noTurns:
            return .refused(
                .tooFewPoses,
                "No rotation about an edge found: keep the box at rest, turn it on the table by the given angle, "
                    + "and keep it at rest again, about each of its three edges.")
        case .missing(let axis):
            return .refused(
                .tooFewPoses,
                "No rotation about the \(["x", "y", "z"][axis]) axis found: place the box with that axis up, and "
                    + "turn it on the table by the given angle, at rest before and after.")
        }
    }

    private func acceptedReason(_ residual: Double, _ tilt: Double) -> String {
        var reason =
            "\(poses.count) orientations on six faces are within \(residual.figure(digits: 2)) m/s² of gravity; the "
            + "tilt is accurate to \((tilt * 180 / .pi).figure(digits: 2))°."
        if case .success(let turns) = turns {
            let heading = (turns.predictedHeadingError * 180 / .pi).figure(digits: 2)
            reason += " By \(turns.counts.reduce(0, +)) turns the gyroscope measures 90° to \(heading)°."
        }
        return reason
    }
}
