/// Mount matrices: their presence and origin.
enum MountRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        refused(facts) + known(facts)
    }

    private static func refused(_ facts: BoardFacts) -> [Finding] {
        (facts.devices?.sensors ?? []).compactMap { sensor in
            // Settings override the matrices of drivers and udev.
            let isOverruled = facts.streams.contains {
                $0.device == sensor.name && $0.mountOrigin == "configuration"
            }
            guard let problem = sensor.mountProblem, !isOverruled else { return nil }
            return .failure(
                .mountRefused, sensor.name, problem,
                meaning:
                    "not a rotation (mirrored or damaged), so it is not applied",
                remedy: Remedy.edit(facts, "iio.mount_matrix"))
        }
    }

    /// One finding for each device and origin.
    private static func known(_ facts: BoardFacts) -> [Finding] {
        var seen: Set<[String]> = []
        return facts.streams.compactMap { stream in
            guard let origin = stream.mountOrigin, seen.insert([stream.device, origin]).inserted else { return nil }
            if origin == "none" { return unknown(stream, facts) }
            if stream.isMountMirrored { return mirrored(stream, facts) }
            return .ok(.mountKnown, stream.device, "mount matrix from \(origin)")
        }
    }

    /// Sensors without a mount matrix, whose axes are assumed to be the body axes.
    private static func unknown(_ stream: StreamFacts, _ facts: BoardFacts) -> Finding? {
        if facts.devices?.sensors.contains(where: { $0.name == stream.device && $0.mountProblem != nil }) ?? false {
            return nil
        }
        let hasCalibration =
            facts.calibrations?.entries.contains { $0.sensor == "mount" && $0.isInForce ?? true } ?? false
        if hasCalibration { return .ok(.mountKnown, stream.device, "the mount is calibrated") }
        return .warning(
            .mountUnknown, stream.device, "no mount matrix",
            meaning: "its axes are assumed to be x right, y up, z towards the wearer, which few boards match",
            remedy: "waymark calibrate mount")
    }

    /// Matrices of the hardware database that are mirror images: what they mean is known by convention alone.
    private static func mirrored(_ stream: StreamFacts, _ facts: BoardFacts) -> Finding {
        let what = "the mount matrix of udev is a mirror image; its opposite, a rotation, is used"
        if facts.isWorn, UprightRules.isUpright(facts) {
            return .ok(.mountKnown, stream.device, what + ", and gravity agrees")
        }
        return .warning(
            .mountMirrored, stream.device, what,
            meaning:
                "such matrices are made for the opposite of specific force and for the rotation of a screen, which "
                + "does not show the axis towards the wearer: the rotation is assumed",
            remedy: facts.isWorn ? "waymark calibrate mount" : "waymark doctor --worn")
    }
}
