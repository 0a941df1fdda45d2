import Geometry

/// Whether a magnetometer's calibration may be used.
enum MagneticVerdict {
    /// What keeps from fitting at all.
    static func problem(_ store: MagneticStore, _ check: ChannelCheck) -> CalibrationVerdict? {
        guard check.samples > 0 else {
            return .refused(
                .noSamples,
                "No sample of the magnetometer came: look whether the board has one and whether it is enabled.")
        }
        if let problem = check.problem(sensor: "magnetometer") { return problem }
        let silence = max(store.longestGap, store.lastTime - (store.lastFieldTime ?? 0))
        if silence > MagnetometerLimits.silence {
            return .refused(
                .silent,
                "The magnetometer fell silent for \(silence.tenths) s: look at its cable and driver, and begin again.")
        }
        guard store.fields.count >= MagnetometerLimits.fewestSamples else {
            return .refused(
                .tooFewSamples,
                "Only \(store.fields.count) samples came, and \(MagnetometerLimits.fewestSamples) are the least: "
                    + "go on turning the board for longer.")
        }
        return nil
    }

    /// Where no ellipsoid lies near the samples.
    static func noFit(_ live: MagneticLive) -> CalibrationVerdict {
        .refused(
            .coverageTooSmall,
            "The directions that were seen do not determine hard and soft iron: turn the board slowly through all "
                + "directions, each axis up and down once, and all around.")
    }

    /// Where the strength varied less before: what the fit explains is then not the field, but how the board was moved.
    static func noGain(_ result: CalibrationResult) -> CalibrationVerdict? {
        guard let after = result.residualRMS, let before = result.residualRMSBefore,
            after > MagnetometerLimits.largestLoss * before
        else { return nil }
        return .refused(
            .poorFit,
            "The strength of the field varies by \((100 * (after / before - 1)).tenths) % more with this fit than without: "
                + "turn the board more slowly, close to one place, and begin again.")
    }

    /// - Parameter isLevelled: the accelerometer has been calibrated: what it is wrong by shows in no residual.
    static func verdict(_ solution: MagneticSolution, isLevelled: Bool) -> CalibrationVerdict {
        let heading = solution.prediction.heading.degrees
        let seen = "\(solution.coverage.count) of \(SphereCoverage.regions) directions"
        if let worst = solution.disturbance.worst, solution.disturbance.seconds > MagnetometerLimits.shortDisturbance {
            return .refused(
                .disturbed,
                "For \(solution.disturbance.seconds.tenths) s, from second \(worst.start.tenths) on, the field was up to "
                    + "\((worst.deviation.magnitude * 100).tenths) % off: a magnet or iron passed by. Take off watch and "
                    + "phone, go away from iron, and begin again.")
        }
        if solution.tilt < MagnetometerLimits.leastTilt {
            return .refused(
                .coverageTooSmall,
                "The board was tilted by no more than \(solution.tilt.degrees), which leaves some \(heading) of heading "
                    + "at best: turn it through all directions, at the least 30° to every side.")
        }
        if solution.coverage.count < MagnetometerLimits.fewestRegions {
            return .refused(
                .coverageTooSmall,
                "Only \(seen) were seen, which leaves some \(heading) of heading: turn the board through all directions."
            )
        }
        if solution.residualRMS > MagnetometerLimits.largestResidual {
            return .refused(
                .poorFit,
                "The strength of the corrected field still varies by \((solution.residualRMS * 100).tenths) %: what is "
                    + "magnetic moved against the board or stands near it. Go away from iron, and begin again.")
        }
        if !(solution.prediction.heading <= MagnetometerLimits.largestHeadingError) {
            return .refused(
                .predictedErrorTooLarge,
                "The heading would be wrong by \(heading), with \(seen) seen: turn the board through the others, more "
                    + "slowly, and for longer.")
        }
        return .accepted("The heading is right to \(heading), with \(seen) seen\(reservation(solution, isLevelled)).")
    }

    private static func reservation(_ solution: MagneticSolution, _ isLevelled: Bool) -> String {
        if !solution.fit.isAligned { return "; without forces the axes stay as the magnetometer has them" }
        return isLevelled
            ? "" : ", as far as the accelerometer is: calibrate it first, by waymark calibrate accel, to be sure of it"
    }
}

extension Double {
    /// With one digit after the point.
    fileprivate var tenths: String {
        guard isFinite, magnitude < 1e12 else { return "\(self)" }
        let rounded = (self * 10).rounded()
        return "\(rounded / 10)"
    }

    /// Of radians.
    fileprivate var degrees: String {
        let degrees = Angle.degrees(radians: self)
        guard degrees.isFinite else { return "any angle" }
        return degrees < 1 ? "\((degrees * 100).rounded() / 100)°" : "\((degrees * 10).rounded() / 10)°"
    }
}
