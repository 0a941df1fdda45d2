import Geometry

/// Whether a magnetometer's calibration may be used.
enum MagneticVerdict {
    /// What keeps from fitting at all.
    static func problem(_ store: MagneticStore, _ check: ChannelCheck) -> CalibrationVerdict? {
        guard check.samples > 0 else {
            return .refused(
                .noSamples,
                "No magnetometer samples: check that the board has a magnetometer and that it is enabled.")
        }
        if let problem = check.problem(sensor: "magnetometer") { return problem }
        let silence = max(store.longestGap, store.lastTime - (store.lastFieldTime ?? 0))
        if silence > MagnetometerLimits.silence {
            return .refused(
                .silent,
                "No magnetometer samples for \(silence.tenths) s: check its connection and driver, and start again.")
        }
        guard store.fields.count >= MagnetometerLimits.fewestSamples else {
            return .refused(
                .tooFewSamples,
                "Only \(store.fields.count) samples of at least \(MagnetometerLimits.fewestSamples): "
                    + "keep rotating the board for longer.")
        }
        return nil
    }

    /// Where no ellipsoid lies near the samples.
    static func noFit(_ live: MagneticLive) -> CalibrationVerdict {
        .refused(
            .coverageTooSmall,
            "The measured directions do not determine hard and soft iron: rotate the board slowly through all "
                + "directions, each axis up and down once, and all around.")
    }

    /// Where the strength varied less before: what the fit explains is then not the field, but how the board was moved.
    static func noGain(_ result: CalibrationResult) -> CalibrationVerdict? {
        guard let after = result.residualRMS, let before = result.residualRMSBefore,
            after > MagnetometerLimits.largestLoss * before
        else { return nil }
        return .refused(
            .poorFit,
            "The field strength varies by \((100 * (after / before - 1)).tenths) % more with this fit than without it: "
                + "rotate the board more slowly, in one place, and start again.")
    }

    /// - Parameter isLevelled: the accelerometer has been calibrated: what it is wrong by shows in no residual.
    static func verdict(_ solution: MagneticSolution, isLevelled: Bool) -> CalibrationVerdict {
        let heading = solution.prediction.heading.degrees
        let seen = "\(solution.coverage.count) of \(SphereCoverage.regions) directions"
        if let worst = solution.disturbance.worst, solution.disturbance.seconds > MagnetometerLimits.shortDisturbance {
            return .refused(
                .disturbed,
                "Magnetic disturbance for \(solution.disturbance.seconds.tenths) s from second "
                    + "\(worst.start.tenths): the field was up to "
                    + "\((worst.deviation.magnitude * 100).tenths) % wrong because of a magnet or iron. Take off "
                    + "watch and phone, move away from iron, and start again.")
        }
        if solution.tilt < MagnetometerLimits.leastTilt {
            return .refused(
                .coverageTooSmall,
                "The board was tilted by \(solution.tilt.degrees) at most, which leaves a heading error of \(heading) "
                    + "at best: rotate it through all directions, at least 30° to every side.")
        }
        if solution.coverage.count < MagnetometerLimits.fewestRegions {
            return .refused(
                .coverageTooSmall,
                "Only \(seen) were measured, which leaves a heading error of \(heading): rotate the board through "
                    + "all directions."
            )
        }
        if solution.residualRMS > MagnetometerLimits.largestResidual {
            return .refused(
                .poorFit,
                "The corrected field strength still varies by \((solution.residualRMS * 100).tenths) %: magnetic "
                    + "parts moved relative to the board or are near it. Move away from iron, and start again.")
        }
        if !(solution.prediction.heading <= MagnetometerLimits.largestHeadingError) {
            return .refused(
                .predictedErrorTooLarge,
                "The heading error would be \(heading), with \(seen) measured: rotate the board through the others, "
                    + "more slowly, and for longer.")
        }
        return .accepted(
            "The heading is accurate to \(heading), with \(seen) measured\(reservation(solution, isLevelled)).")
    }

    private static func reservation(_ solution: MagneticSolution, _ isLevelled: Bool) -> String {
        if !solution.fit.isAligned { return "; without accelerometer samples the magnetometer axes are not aligned" }
        return isLevelled
            ? "" : ", if the accelerometer is accurate: calibrate it first with waymark calibrate accel to be sure"
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
