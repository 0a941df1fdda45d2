import Geometry

enum MagneticVerdict {
    /// Refusal because of a defect of the samples that prevents a fit.
    static func problem(_ store: MagneticStore, _ check: ChannelCheck) -> CalibrationVerdict? {
        guard check.samples > 0 else {
            return .refused(
                .noSamples,
                "No samples from the magnetometer: check that the board has one and that it is enabled.")
        }
        if let problem = check.problem(sensor: "magnetometer") { return problem }
        let silence = max(store.longestGap, store.lastTime - (store.lastFieldTime ?? 0))
        if silence > MagnetometerLimits.silence {
            return .refused(
                .silent,
                "No samples from the magnetometer for \(silence.tenths) s: check its cable and driver, and try again.")
        }
        guard store.fields.count >= MagnetometerLimits.minimumSampleCount else {
            return .refused(
                .tooFewSamples,
                "Only \(store.fields.count) samples, at least \(MagnetometerLimits.minimumSampleCount) are needed: "
                    + "turn the board for longer.")
        }
        return nil
    }

    /// Verdict if no ellipsoid lies near the samples.
    static let noFit = CalibrationVerdict.refused(
        .coverageTooSmall,
        "The directions covered do not determine hard and soft iron: turn the board slowly through all directions, "
            + "with each axis up and down once.")

    /// Refusal if the strength varies less without the fit. In that case the fit explains the motion of the board
    /// instead of the field.
    static func noImprovement(_ result: CalibrationResult) -> CalibrationVerdict? {
        guard let after = result.residualRMS, let before = result.residualRMSBefore,
            after > MagnetometerLimits.maximumLoss * before
        else { return nil }
        return .refused(
            .poorFit,
            "The strength of the field varies by \((100 * (after / before - 1)).tenths) % more with this fit than without: "
                + "turn the board more slowly in one place, and try again.")
    }

    /// - Parameter hasAccelerometerCalibration: whether the accelerometer is calibrated. Residuals do not show the
    ///   errors of an uncalibrated one.
    static func verdict(_ solution: MagneticSolution, hasAccelerometerCalibration: Bool) -> CalibrationVerdict {
        let heading = solution.prediction.heading.degrees
        let seen = "\(solution.coverage.count) of \(SphereCoverage.regions) directions"
        if let worst = solution.disturbance.worst, !solution.disturbance.isShort {
            return .refused(
                .disturbed,
                "For \(solution.disturbance.seconds.tenths) s, from second \(worst.start.tenths) on, the field was up to "
                    + "\((worst.standardDeviation.magnitude * 100).tenths) % off: a magnet or iron was close. Take off "
                    + "watch and phone, move away from iron, and try again.")
        }
        if solution.tilt < MagnetometerLimits.minimumTilt {
            return .refused(
                .coverageTooSmall,
                "The board was tilted by only \(solution.tilt.degrees), for a heading error of at least \(heading): "
                    + "turn it through all directions, at least 30° to every side.")
        }
        if solution.coverage.count < MagnetometerLimits.minimumRegionCount {
            return .refused(
                .coverageTooSmall,
                "Only \(seen) covered, for a heading error of about \(heading): turn the board through all directions."
            )
        }
        if solution.residualRMS > MagnetometerLimits.maximumResidual {
            return .refused(
                .poorFit,
                "The strength of the corrected field still varies by \((solution.residualRMS * 100).tenths) %: iron or "
                    + "a magnet moved relative to the board, or is close to it. Move away from iron, and try again.")
        }
        if let elevation = solution.fit.noise[.elevation], elevation > MagnetometerLimits.maximumElevationNoise {
            return .refused(
                .poorFit,
                "The elevation of the corrected field still varies by \(elevation.degrees): the accelerometer does not "
                    + "show the vertical while the board is turned so fast. Turn it more slowly, in one place, and try "
                    + "again.")
        }
        if !(solution.prediction.heading <= MagnetometerLimits.maximumHeadingError) {
            return .refused(
                .predictedErrorTooLarge,
                "The predicted heading error is \(heading), with \(seen) covered: turn the board through the others, "
                    + "more slowly, and for longer.")
        }
        let reservation = reservation(solution, hasAccelerometerCalibration)
        return .accepted(
            "Predicted heading error \(heading), with \(seen) covered\(leftOut(solution.disturbance)).\(reservation)")
    }

    /// Text on the disturbances that were left out of an accepted record.
    private static func leftOut(_ disturbance: MagneticDisturbance) -> String {
        guard let worst = disturbance.worst, disturbance.seconds >= 0.05 else { return "" }
        let count = disturbance.stretches.count
        let (places, which) = count > 1 ? (" in \(count) places", "the worst ") : ("", "")
        return "; \(disturbance.seconds.tenths) s\(places) were left out because the field was up to "
            + "\((worst.standardDeviation.magnitude * 100).tenths) % off, \(which)from second \(worst.start.tenths) on"
    }

    private static func reservation(_ solution: MagneticSolution, _ hasAccelerometerCalibration: Bool) -> String {
        if !solution.fit.isAligned { return " Without an accelerometer the axes remain those of the magnetometer." }
        return hasAccelerometerCalibration
            ? "" : " The accelerometer is not calibrated: to be sure, run waymark calibrate accel, then mag again."
    }
}

extension Double {
    fileprivate var tenths: String {
        guard isFinite, magnitude < 1e12 else { return "\(self)" }
        let rounded = (self * 10).rounded()
        return "\(rounded / 10)"
    }

    /// Text of an angle in degrees. This value is in radians.
    fileprivate var degrees: String {
        let degrees = Angle.degrees(radians: self)
        guard degrees.isFinite else { return "unbounded" }
        return degrees < 1 ? "\((degrees * 100).rounded() / 100)°" : "\((degrees * 10).rounded() / 10)°"
    }
}
