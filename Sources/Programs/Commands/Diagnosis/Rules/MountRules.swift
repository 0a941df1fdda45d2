import Geometry
import Glibc

/// Mount matrices: their presence and origin.
extension BoardFacts {
    @Rules var mountRules: [Finding] {
        for sensor in sensors {
            // Settings override the matrices of drivers and udev.
            let isOverruled = streams.contains { $0.device == sensor.name && $0.mountOrigin == "configuration" }
            failure(.mountRefused, if: !isOverruled, sensor.name, sensor.mountProblem)
                .meaning("not a rotation (mirrored or damaged), so it is not applied").fix(edit("iio.mount_matrix"))
        }
        for (index, stream) in streams.enumerated() {
            let isKnown = streams.prefix(index).contains {
                $0.device == stream.device && $0.mountOrigin == stream.mountOrigin
            }
            if let origin = stream.mountOrigin, !isKnown { matrix(of: stream, origin) }
        }
    }

    @Rules private func matrix(of stream: StreamFacts, _ origin: String) -> Finding? {
        if origin == "none" {
            let isRefused = sensors.contains { $0.name == stream.device && $0.mountProblem != nil }
            let isCalibrated = calibrations?.entries.contains { $0.sensor == "mount" && $0.isInForce ?? true } ?? false
            ok(.mountKnown, if: !isRefused && isCalibrated, stream.device, "the mount is calibrated")
            warning(.mountUnknown, if: !isRefused, stream.device, "no mount matrix")
                .meaning("its axes are assumed to be x right, y up, z towards the wearer, which few boards match")
                .fix("waymark calibrate mount")
        } else {
            // What mirror images in the hardware database mean is known only by convention.
            let mirror = "the mount matrix of udev is a mirror image; its opposite, a rotation, is used"
            let convention =
                "such matrices are made for the opposite of specific force and for the rotation of a screen"
            ok(.mountKnown, if: !stream.isMountMirrored, stream.device, "mount matrix from \(origin)")
            ok(.mountKnown, if: isWorn && isUpright, stream.device, mirror + ", and gravity agrees")
            warning(.mountMirrored, stream.device, mirror)
                .meaning("\(convention), which does not show the axis towards the wearer: the rotation is assumed")
                .fix(isWorn ? "waymark calibrate mount" : "waymark doctor --worn")
        }
    }

    /// Mount matrices of magnetometers in chips whose driver is known to derive the matrix wrongly.
    ///
    /// The magnetometer in these chips, an AK8975 or AK8963, has x and y exchanged and z inverted relative to
    /// accelerometer and gyroscope. If P is this permutation and M the matrix of the chip, the matrix of the
    /// magnetometer is M·P. The kernel gives P·M instead: it exchanges rows of M where it should exchange columns
    /// (inv_mpu_magn.c, `inv_mpu_magn_set_orient`).
    @Rules var magnetometerMatrixRules: [Finding] {
        // Names of the chips as their driver, inv_mpu6050, reports them.
        let chips = ["mpu9150", "mpu9250", "mpu9255"]
        let (own, other) = (stream(of: .magnetometer), stream(of: .accelerometer))
        let isOfDriver = own?.mountOrigin == "device" && other?.mountOrigin == "device"
        if let own, chips.contains(own.device), own.device == other?.device, isOfDriver, !hasMagnetometerCalibration,
            let given = own.mountMatrix, let chip = other?.mountMatrix, given.count == 9, chip.count == 9
        {
            // `right` is the chip's matrix with its first two columns exchanged and the third negated; `wrong` has the
            // same done to its rows.
            let right = [1, 0, 2, 4, 3, 5, 7, 6, 8].map { chip[$0] * ($0 % 3 == 2 ? -1 : 1) + 0 }
            let wrong = [3, 4, 5, 0, 1, 2, 6, 7, 8].map { chip[$0] * ($0 / 3 == 2 ? -1 : 1) }
            let numbers = right.map { Amount.text($0, digits: 6) }.joined(separator: ", ")
            let what = "the kernel derives the magnetometer's mount matrix from that of the chip by exchanging rows"
            failure(.mountMagnetometer, if: isEqual(given, wrong) && !isEqual(given, right), own.device, what)
                .meaning("it would have to exchange columns: the heading is wrong, mostly by 90° or 180°")
                .fix(edit("[iio.magnetometer] mount_matrix = [\(numbers)]"))
        }
    }

    /// Whether a calibration of the magnetometer is active. If so, it contains the rotation that the mount matrix
    /// lacks.
    private var hasMagnetometerCalibration: Bool {
        guard let calibrations, calibrations.isApplied else { return false }
        return calibrations.entries.contains { $0.sensor == "magnetometer" && $0.isInForce ?? true }
    }

    /// Whether two matrices are equal in the six digits that drivers write.
    private func isEqual(_ a: [Double], _ b: [Double]) -> Bool { zip(a, b).allSatisfy { ($0 - $1).magnitude < 1e-5 } }
}

/// Checks of the accelerometer against gravity and against the dip of the magnetic field.
///
/// A board that is worn upright and measures gravity upside down has a wrong mount matrix, or an accelerometer that
/// reports the opposite of specific force. A wrong mount matrix also rotates the measured magnetic field, so the angle
/// between measured up and measured field remains 90° plus the dip. A wrong sign of the accelerometer makes this angle
/// 90° minus the dip.
extension BoardFacts {
    @Rules var uprightRules: [Finding] {
        if let stream = stream(of: .accelerometer), let degreesFromDown {
            let isUpsideDown = degreesFromDown >= 180 - Limits.uprightDegrees
            let angle = "gravity is \(Amount.text(degreesFromDown, digits: 0))° from body down"
            let what = isUpsideDown ? angle + ": upside down" : angle
            ok(.mountUpright, if: isUpright, stream.device, what)
            if isUpright {
                magnetometer(beside: stream)
            } else if !isWorn {
                let hold = "hold it as it is worn and run the check again"
                warning(isUpsideDown ? .mountUpsideDown : .mountTilted, stream.device, what)
                    .meaning("the board is not held as worn, or its mount matrix is wrong: \(hold)")
                    .fix("waymark doctor --worn")
            } else if isUpsideDown {
                upsideDown(stream, what)
            } else {
                failure(.mountTilted, stream.device, what)
                    .meaning("the mount matrix is wrong: content is drawn in the wrong direction").fix(calibrateMount)
            }
        }
    }

    private var calibrateMount: String { "waymark calibrate mount  # or " + edit("iio.mount_matrix") }

    @Rules private func upsideDown(_ stream: StreamFacts, _ what: String) -> Finding? {
        let sign = "[iio.accelerometer] sign = \(-stream.sign)"
        let opposite = "the accelerometer reports the opposite of specific force"
        switch dip {
        case .opposite(let text, let separation):
            let alone = "if that alone is mounted correctly, the mount matrix of the accelerometer is wrong"
            let doubt = separation.map { "; \($0): \(alone)" } ?? ""
            failure(.mountAccelerometerSign, stream.device, "\(what), while \(text)")
                .meaning("\(opposite); with a wrong mount matrix the dip of the magnetic field would be right\(doubt)")
                .fix(edit(separation == nil ? sign : "\(sign), or mount_matrix"))
        case .right(let text):
            let reason = "the magnetic field is turned too"
            failure(.mountUpsideDown, stream.device, "\(what), and \(text)")
                .meaning("the mount matrix is wrong, not the sign of the accelerometer: \(reason)").fix(calibrateMount)
        case .unknown(let reason):
            failure(.mountUpsideDown, stream.device, what)
                .meaning("the mount matrix is wrong, or \(opposite); it cannot be decided which: \(reason)")
                .fix("\(calibrateMount), or \(sign)")
        }
    }

    /// Finding for a board that measures gravity correctly, but a magnetic field that points to the wrong side of the
    /// horizon.
    ///
    /// The finding does not propose to change the magnetometer's sign, because hardly any magnetometer has the wrong
    /// sign. However, some drivers give one matrix for a chip whose magnetometer has other axes. `calibrate mag`
    /// compares the axes.
    @Rules private func magnetometer(beside accelerometer: StreamFacts) -> Finding? {
        if isWorn, case .opposite(let text, let separation) = dip, let stream = stream(of: .magnetometer),
            magnetometerMatrixRules.isEmpty
        {
            let both = ", or iio.mount_matrix and [iio.accelerometer] sign = \(-accelerometer.sign)"
            let matrix = "[iio.magnetometer] mount_matrix" + (separation == nil ? both : "")
            let one =
                "accelerometer and magnetometer of one device contradict each other: the magnetometer has other "
                + "axes than its mount matrix, or the mount matrix is upside down and the sign of the accelerometer wrong"
            let two = "the mount matrix or the sign of the magnetometer is wrong: the heading is wrong"
            failure(.mountMagnetometer, stream.device, text)
                .meaning(separation == nil ? one : two).fix("waymark calibrate mag  # or \(edit(matrix))")
        }
    }

    /// Angle between measured gravity and the body's down direction. At rest the specific force points up, along body y
    /// of a board as worn.
    private var degreesFromDown: Double? {
        let y = Vector3(0, 1, 0)
        let up = stream(of: .accelerometer)?.statistics?.mean.normalized
        return up.map { atan2($0.cross(y).norm, $0.dot(y)) * 180 / .pi }
    }

    private var isUpright: Bool { degreesFromDown.map { $0 <= Limits.uprightDegrees } ?? false }

    /// Comparison of the measured dip with the dip of the magnetic model. The measured dip is the dip of the measured
    /// field relative to the measured vertical.
    private enum Dip {
        /// The measured dip agrees with the model's dip. The text contains both dips.
        case right(String)
        /// The measured dip is the negative of the model's dip. The text contains both dips. `separation` is the reason
        /// why the magnetometer may be mounted differently from the accelerometer; nil if there is no such reason.
        case opposite(String, separation: String?)
        /// The dip cannot be compared, for this reason.
        case unknown(String)
    }

    private var dip: Dip {
        let (magnetometer, accelerometer) = (stream(of: .magnetometer), stream(of: .accelerometer))
        guard let magnetic = magnetometer?.statistics, let field = magnetic.mean.normalized,
            let up = accelerometer?.statistics?.mean.normalized
        else { return .unknown("there are no samples of a magnetometer") }
        guard let model = modelField else {
            return .unknown("without a position and the time the dip of the magnetic field is not known")
        }
        let expected = model.inclination * 180 / .pi
        if !(expected.magnitude >= Limits.minimumDipDegrees) {
            return .unknown("so near the magnetic equator the magnetic field is horizontal")
        }
        if !((magnetic.meanNorm * 1000 / model.totalIntensity - 1).magnitude <= Limits.fieldShare) {
            return .unknown("the magnetometer does not measure the strength of the earth's field: calibrate it first")
        }
        let measured = asin(min(max(-up.dot(field), -1), 1)) * 180 / .pi
        let angles = (Amount.text(measured, digits: 0), Amount.text(expected, digits: 0))
        let text = "the magnetic field dips \(angles.0)° where the magnetic model has \(angles.1)°"
        let tolerance = min(Limits.dipDegrees, expected.magnitude / 2)
        if (measured - expected).magnitude <= tolerance { return .right(text) }
        if !((measured + expected).magnitude <= tolerance) { return .unknown(text) }
        if magnetometer?.device != accelerometer?.device {
            return .opposite(text, separation: "the magnetometer is another device")
        }
        guard let own = magnetometer?.mountMatrix, let other = accelerometer?.mountMatrix, own != other else {
            return .opposite(text, separation: nil)
        }
        return .opposite(text, separation: "the magnetometer has a mount matrix of its own")
    }
}
