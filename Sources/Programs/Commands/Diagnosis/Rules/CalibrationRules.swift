/// Stored calibrations: presence, use, age and drift.
extension BoardFacts {
    @Rules func calibrationRules(_ calibrations: CalibrationFacts) -> [Finding] {
        if !(daemon?.isSimulation ?? configuration?.isSimulation ?? false) {
            for kind in SensorFacts.Kind.allCases { calibration(of: kind, calibrations) }
            if let mount = calibrations.entries.first(where: { $0.sensor == "mount" && isOfBoard($0, nil) }) {
                stored(mount, calibrations, "waymark calibrate mount")
            }
            for path in calibrations.damaged {
                warning(.calibrationDamaged, path, "not a calibration file that this version can read")
                    .meaning("the calibration in it is not applied")
                    .fix("sudo rm \(path.shellQuoted) && waymark calibrate all")
            }
        }
    }

    /// Whether a calibration belongs to a device of this board that has a sensor of `kind`, or any sensor if `kind` is
    /// nil. Always true if a daemon is running; otherwise the device names are compared.
    private func isOfBoard(_ entry: Entry, _ kind: SensorFacts.Kind?) -> Bool {
        if daemon != nil || entry.device == Entry.anyDevice { return true }
        return streams.contains { $0.device == entry.device && $0.kind == kind ?? $0.kind }
            || sensors.contains { $0.name == entry.device && (kind.map($0.kinds.contains) ?? true) }
    }

    @Rules private func calibration(of kind: SensorFacts.Kind, _ calibrations: CalibrationFacts) -> Finding? {
        // Calibrations of boards that are not connected are ignored.
        let entries = calibrations.entries.filter { $0.sensor == kind.rawValue && isOfBoard($0, kind) }
        let isStreaming = streams.contains { $0.kind == kind && $0.state != "searching" }
        if isStreaming || sensors.contains(where: { $0.kinds.contains(kind) }) {
            if let entry = entries.first(where: { $0.isInForce ?? true }) ?? entries.first {
                stored(entry, calibrations, kind.calibration)
            }
            let bias = kind == .gyroscope ? calibrations.gyroscopeBias?.text ?? "" : ""
            warning(.calibrationMissing, "\(kind)", "not calibrated" + bias)
                .meaning(kind.lossUncalibrated).fix(kind.calibration)
        }
    }

    private typealias Entry = CalibrationFacts.Entry

    @Rules private func stored(_ entry: Entry, _ calibrations: CalibrationFacts, _ command: String) -> Finding? {
        let subject = "\(entry.sensor) of \(entry.device)"
        let inactive = "the stored calibration is not active"
        let show = "waymark calibrate show"
        let unused = "the sensor is used uncalibrated; see '\(show)' for the reason"
        warning(.calibrationUnused, if: !calibrations.isApplied, subject, inactive + ": calibration.apply is false")
            .meaning(unused).fix(edit("calibration.apply = true", by: "reload"))
        warning(.calibrationUnused, if: entry.isInForce == false, subject, inactive).meaning(unused).fix(show)
        let other = "calibrated under a different mount matrix"
        warning(.calibrationOtherMount, if: entry.isOfOtherMount == true, subject, other)
            .meaning("the calibration is rotated to the new matrix, which is wrong if the sensor itself was remounted")
            .fix(command)
        let drift = entry.sensor == "gyroscope" ? calibrations.gyroscopeBias?.drift : nil
        warning(.calibrationDrifted, subject, drift.map { "the bias has drifted by \($0) since the calibration" })
            .meaning("after a start without a stored state the heading turns with it until the estimator has found it")
            .fix(command)
        let days = Amount.days(entry.age)
        let isOld = entry.age > Limits.oldCalibration
        warning(.calibrationOld, if: isOld, subject, "the calibration is \(days) old")
            .meaning("biases drift over months, and parts mounted on the board may have changed").fix(command)
        ok(.calibrationInForce, subject, "\(days) old")
    }
}

extension SensorFacts.Kind {
    fileprivate var calibration: String {
        "waymark calibrate " + (self == .accelerometer ? "accel" : self == .gyroscope ? "gyro" : "mag")
    }

    fileprivate var lossUncalibrated: String {
        switch self {
        case .accelerometer: "tilt (roll and pitch) may be wrong by several degrees"
        case .gyroscope: "its bias is estimated again for a minute after each start"
        case .magnetometer: "the heading is wrong by 10° and more until hard iron is estimated"
        }
    }
}

extension CalibrationFacts.GyroscopeBias {
    /// Bias in addition to the calibrated bias, as text; nil if it is too small or too uncertain to show a drift.
    fileprivate var drift: String? {
        magnitude > max(Limits.driftedBias, 3 * standardDeviation) ? Amount.turnRate(magnitude) : nil
    }

    /// The bias that the estimator has found for an uncalibrated gyroscope.
    fileprivate var text: String {
        let accuracy = "(±\(Amount.turnRate(standardDeviation)))"
        return standardDeviation > Limits.unknownBias
            ? "; the estimator has not found its bias yet \(accuracy)"
            : "; the estimator has found a bias of \(Amount.turnRate(magnitude)) by itself \(accuracy)"
    }
}
