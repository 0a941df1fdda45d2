/// Stored calibrations: presence, use, age and drift.
enum CalibrationRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let calibrations = facts.calibrations else { return [] }
        let isSimulation = facts.daemon?.isSimulation ?? facts.configuration?.isSimulation ?? false
        guard !isSimulation else { return [] }
        let sensors = SensorFacts.Kind.allCases.filter { kind in
            facts.streams.contains { $0.kind == kind && $0.state != "searching" }
                || facts.devices?.sensors.contains { $0.kinds.contains(kind) } ?? false
        }
        return sensors.map { of($0, calibrations, facts) } + mount(calibrations, facts)
            + calibrations.damaged.map(damaged)
    }

    private static let commands: [SensorFacts.Kind: String] = [
        .accelerometer: "accel", .gyroscope: "gyro", .magnetometer: "mag",
    ]

    /// Without a daemon, calibrations are matched to devices by name.
    private static func isOfBoard(
        _ entry: CalibrationFacts.Entry, _ kind: SensorFacts.Kind?, _ facts: BoardFacts
    ) -> Bool {
        if facts.daemon != nil || entry.device == CalibrationFacts.Entry.anyDevice { return true }
        return facts.streams.contains { $0.device == entry.device && $0.kind == kind ?? $0.kind }
            || facts.devices?.sensors.contains {
                $0.name == entry.device && (kind.map($0.kinds.contains) ?? true)
            } ?? false
    }

    private static func of(
        _ kind: SensorFacts.Kind, _ calibrations: CalibrationFacts, _ facts: BoardFacts
    ) -> Finding {
        let command = "waymark calibrate \(commands[kind] ?? "all")"
        let entries = calibrations.entries.filter { $0.sensor == kind.rawValue && isOfBoard($0, kind, facts) }
        // Calibrations of boards that are not connected are ignored.
        guard let entry = entries.first(where: { $0.isInForce ?? true }) ?? entries.first else {
            return missing(kind, command, calibrations)
        }
        return check(entry, command, calibrations, facts)
    }

    private static func mount(_ calibrations: CalibrationFacts, _ facts: BoardFacts) -> [Finding] {
        calibrations.entries.filter { $0.sensor == "mount" && isOfBoard($0, nil, facts) }.prefix(1).map {
            check($0, "waymark calibrate mount", calibrations, facts)
        }
    }

    private static func check(
        _ entry: CalibrationFacts.Entry, _ command: String, _ calibrations: CalibrationFacts, _ facts: BoardFacts
    ) -> Finding {
        let subject = "\(entry.sensor) of \(entry.device)"
        if !calibrations.isApplied || entry.isInForce == false { return unused(subject, calibrations, facts) }
        if entry.isOfOtherMount == true {
            return .warning(
                .calibrationOtherMount, subject, "calibrated under a different mount matrix",
                meaning:
                    "the calibration is rotated to the new matrix, which is wrong if the sensor itself was remounted",
                remedy: command)
        }
        if entry.sensor == SensorFacts.Kind.gyroscope.rawValue, let drift = drift(calibrations) {
            return .warning(
                .calibrationDrifted, subject, "the bias has drifted by \(drift) since the calibration",
                meaning:
                    "after a start without a stored state the heading turns with it until the estimator has found it",
                remedy: command)
        }
        guard entry.age > Limits.oldCalibration else {
            return .ok(.calibrationInForce, subject, "\(Amount.days(entry.age)) old")
        }
        return .warning(
            .calibrationOld, subject, "the calibration is \(Amount.days(entry.age)) old",
            meaning: "biases drift over months, and parts mounted on the board may have changed", remedy: command)
    }

    /// A change of the gyroscope's bias that is beyond doubt; nil for none.
    private static func drift(_ calibrations: CalibrationFacts) -> String? {
        guard let bias = calibrations.gyroscopeBias, bias.magnitude > Limits.driftedBias,
            bias.magnitude > 3 * bias.standardDeviation
        else { return nil }
        return Amount.turnRate(bias.magnitude)
    }

    /// What is known of the bias of a gyroscope that is not calibrated.
    private static func bias(_ calibrations: CalibrationFacts) -> String {
        guard let bias = calibrations.gyroscopeBias else { return "" }
        let accuracy = "±\(Amount.turnRate(bias.standardDeviation))"
        return bias.standardDeviation > Limits.unknownBias
            ? "; the estimator has not found its bias yet (\(accuracy))"
            : "; the estimator has found a bias of \(Amount.turnRate(bias.magnitude)) by itself (\(accuracy))"
    }

    private static func missing(
        _ kind: SensorFacts.Kind, _ command: String, _ calibrations: CalibrationFacts
    ) -> Finding {
        let meaning =
            switch kind {
            case .accelerometer: "tilt (roll and pitch) may be wrong by several degrees"
            case .gyroscope: "its bias is estimated again for a minute after each start"
            case .magnetometer: "the heading is wrong by 10° and more until hard iron is estimated"
            }
        return .warning(
            .calibrationMissing, kind.rawValue, "not calibrated" + (kind == .gyroscope ? bias(calibrations) : ""),
            meaning: meaning, remedy: command)
    }

    private static func unused(
        _ subject: String, _ calibrations: CalibrationFacts, _ facts: BoardFacts
    ) -> Finding {
        .warning(
            .calibrationUnused, subject,
            "the stored calibration is not active" + (calibrations.isApplied ? "" : ": calibration.apply is false"),
            meaning: "the sensor is used uncalibrated; see 'waymark calibrate show' for the reason",
            remedy: calibrations.isApplied
                ? "waymark calibrate show" : Remedy.edit(facts, "calibration.apply = true", by: "reload"))
    }

    private static func damaged(_ path: String) -> Finding {
        .warning(
            .calibrationDamaged, path, "not a calibration file that this version can read",
            meaning: "the calibration in it is not applied",
            remedy: "sudo rm \(path.shellQuoted) && waymark calibrate all")
    }
}
