import Geometry
import Measurements

extension MountSession {
    public func result() -> CalibrationResult {
        let (used, isOpen) = usedWalks
        let estimate = estimate(walks: used)
        var result = CalibrationResult(
            kind: .mount, verdict: verdict(estimate, used: used, isOpen: isOpen), residualUnit: "rad")
        result.samples = samples
        result.seconds = seconds
        guard let estimate else { return result }
        result.fits = [
            SensorFit(
                sensor: .mount, correction: estimate.rotationBodyFromSource.matrix,
                correctionDeviation: estimate.correctionDeviation)
        ]
        let present = settings.present.last { $0.sensor == .mount }?.correction ?? .identity
        result.residualRMS = MountEstimate.residual(of: used, in: estimate.rotationBodyFromSource)
        result.residualRMSBefore = Rotation3(matrix: present, tolerance: 1e-3).map {
            MountEstimate.residual(of: used, in: $0)
        }
        result.predictedHeadingError = estimate.headingDeviation
        // Two axes together.
        result.predictedTiltError = estimate.tiltDeviation * 2.0.squareRoot()
        return result
    }

    private func verdict(_ estimate: MountEstimate?, used: [WalkDirection], isOpen: Bool) -> CalibrationVerdict {
        if let problem = watch.problem { return problem }
        guard samples > 0 else {
            return .refused(
                .poorFit,
                "The samples are not the motion of a person in m/s² and rad/s. A mount needs samples in these units; "
                    + "calibrate raw counts with waymark calibrate accel first.")
        }
        guard rate > MountSettings.leastRate / 2 || seconds < 1 else {
            return .refused(
                .tooFewSamples,
                "Only \(rate.figure(digits: 2)) samples per second from accelerometer and gyroscope: "
                    + "set their sampling rate to \(MountSettings.leastRate.figure) Hz or more.")
        }
        guard hasStood else {
            return .refused(
                .moved,
                "The board was not at rest for \(MountSettings.standSeconds.figure) s at the beginning: stand "
                    + "upright and still until you are asked to walk.")
        }
        let share = stands.gravity / settings.gravity
        guard abs(share - 1) < MountSettings.gravityTolerance else {
            return .refused(
                .poorFit,
                "The accelerometer shows \(stands.gravity.figure(digits: 3)) m/s² at rest instead of "
                    + "\(settings.gravity.figure(digits: 3)): run waymark calibrate accel first.")
        }
        guard let estimate, !used.isEmpty else { return .refused(.noStraightWalk, noWalkReason) }
        guard estimate.headingDeviation < MountSettings.largestHeadingError else {
            return .refused(
                .predictedErrorTooLarge,
                "The walks determine the heading to only \(estimate.headingDeviation.degrees)°: walk again, farther "
                    + "and straight, and stand still before and after.")
        }
        let metres = used.reduce(0) { $0 + $1.distance }.rounded().figure
        let walks = used.count == 1 ? "one walk" : "\(used.count) walks"
        let end = isOpen ? " without a detected end: stand still after it to improve it" : ""
        return .accepted(
            "Found from \(walks) over \(metres) m\(end); the heading is accurate to "
                + "\(estimate.headingDeviation.degrees)°.")
    }

    private var noWalkReason: String {
        let again = "stand still, walk \(MountSettings.askedDistance.figure) m straight ahead, and stand still again."
        guard let fault = faults.last else { return "No walk was detected: \(again)" }
        switch fault {
        case .tooShort(let metres):
            return "The walk was \(metres.figure(digits: 3)) m long only: \(again)"
        case .turned(let radians):
            return "The walk turned by \(radians.degrees)°: \(again)"
        case .crooked:
            return "The walk was not straight: \(again)"
        case .inconsistent:
            return "The walk is inconsistent with the stands before and after it, as if the board had slipped: "
                + "fasten it, "
                + again
        case .endless:
            return "The walk had not ended after \(MountSettings.longestWalkSeconds.figure) s: \(again)"
        case .interrupted:
            return "Samples were missing during the walk: check the board's connection, \(again)"
        }
    }
}

extension Double {
    /// From radians, to two digits that count.
    fileprivate var degrees: String { (self * 180 / .pi).figure(digits: 2) }
}
