/// Calibrations that are kept: whether there are any, whether they count, and how old they are.
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

    /// Without a daemon, which knows the board, a calibration counts for devices of its name.
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
        // Those of boards that are not plugged in are none of this one's.
        guard let entry = entries.first(where: { $0.isInForce ?? true }) ?? entries.first else {
            return missing(kind, command)
        }
        return judge(entry, command, calibrations, facts)
    }

    private static func mount(_ calibrations: CalibrationFacts, _ facts: BoardFacts) -> [Finding] {
        calibrations.entries.filter { $0.sensor == "mount" && isOfBoard($0, nil, facts) }.prefix(1).map {
            judge($0, "waymark calibrate mount", calibrations, facts)
        }
    }

    private static func judge(
        _ entry: CalibrationFacts.Entry, _ command: String, _ calibrations: CalibrationFacts, _ facts: BoardFacts
    ) -> Finding {
        let subject = "\(entry.sensor) of \(entry.device)"
        if !calibrations.isApplied || entry.isInForce == false { return unused(subject, calibrations, facts) }
        if entry.isOfOtherMount == true {
            return .warning(
                .calibrationOtherMount, subject, "it was made under another mount matrix",
                meaning:
                    "it is turned along, which is right if only the matrix was changed, and wrong if the sensor was",
                remedy: command)
        }
        guard entry.age > Limits.oldCalibration else {
            return .ok(.calibrationInForce, subject, "\(Amount.days(entry.age)) old")
        }
        return .warning(
            .calibrationOld, subject, "it is \(Amount.days(entry.age)) old",
            meaning: "biases wander by months, and what is mounted on the board may have changed", remedy: command)
    }

    private static func missing(_ kind: SensorFacts.Kind, _ command: String) -> Finding {
        let meaning =
            switch kind {
            case .accelerometer: "level is off by up to some degrees"
            case .gyroscope: "its bias is learned anew after each start, for a minute"
            case .magnetometer: "the heading is off by 10° and more until hard iron is learned"
            }
        return .warning(
            .calibrationMissing, kind.rawValue, "it is not calibrated", meaning: meaning, remedy: command)
    }

    private static func unused(
        _ subject: String, _ calibrations: CalibrationFacts, _ facts: BoardFacts
    ) -> Finding {
        .warning(
            .calibrationUnused, subject,
            calibrations.isApplied ? "it is kept, and not in force" : "calibration.apply is false: it is not in force",
            meaning: "the sensor counts as it is; 'waymark calibrate show' says why",
            remedy: calibrations.isApplied
                ? "waymark calibrate show" : Remedy.edit(facts, "calibration.apply = true", by: "reload"))
    }

    private static func damaged(_ path: String) -> Finding {
        .warning(
            .calibrationDamaged, path, "it is no calibration that this version can read",
            meaning: "what it held is not applied", remedy: "sudo rm \(path.shellQuoted) && waymark calibrate all")
    }
}
