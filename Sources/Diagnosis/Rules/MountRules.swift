import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Mounting of the sensors: presence of a mount matrix, and agreement with gravity.
enum MountRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        refused(facts) + unknown(facts) + [upright(facts)].compactMap { $0 }
    }

    private static func edit(_ facts: BoardFacts) -> String {
        Remedy.edit(facts, "iio.mount_matrix")
    }

    private static func refused(_ facts: BoardFacts) -> [Finding] {
        (facts.devices?.sensors ?? []).compactMap { sensor in
            // Settings override the matrices of udev and drivers.
            let isOverruled = facts.streams.contains {
                $0.device == sensor.name && $0.mountOrigin == "configuration"
            }
            guard let problem = sensor.mountProblem, !isOverruled else { return nil }
            return .failure(
                .mountRefused, sensor.name, problem,
                meaning:
                    "not a rotation (mirrored or damaged hwdb entry), so it is not applied",
                remedy: edit(facts))
        }
    }

    /// Sensors without a mount matrix, whose axes are assumed to be the body axes.
    private static func unknown(_ facts: BoardFacts) -> [Finding] {
        let hasCalibration =
            facts.calibrations?.entries.contains { $0.sensor == "mount" && $0.isInForce ?? true } ?? false
        var seen: Set<String> = []
        return facts.streams.compactMap { stream in
            guard let origin = stream.mountOrigin, seen.insert(stream.device).inserted else { return nil }
            guard origin == "none" else { return .ok(.mountKnown, stream.device, "mount matrix from \(origin)") }
            if facts.devices?.sensors.contains(where: { $0.name == stream.device && $0.mountProblem != nil }) ?? false {
                return nil
            }
            if hasCalibration { return .ok(.mountKnown, stream.device, "the mount is calibrated") }
            return .warning(
                .mountUnknown, stream.device, "no mount matrix",
                meaning: "its axes are assumed to be x right, y up, z towards the wearer, which few boards match",
                remedy: "waymark calibrate mount")
        }
    }

    // MARK: gravity

    private static func upright(_ facts: BoardFacts) -> Finding? {
        guard let stream = facts.streams.first(where: { $0.kind == .accelerometer }), let summary = stream.summary,
            summary.count >= Limits.leastSamples, let up = summary.mean.normalized
        else { return nil }
        // At rest the specific force points up, which is body y as worn.
        let degrees = angle(up, Vector3(0, 1, 0)) * 180 / .pi
        let text = "gravity is \(Amount.text(degrees, digits: 0))° from body down"
        if degrees <= Limits.uprightDegrees { return .ok(.mountUpright, stream.device, text) }
        let isUpsideDown = degrees >= 180 - Limits.uprightDegrees
        let what = isUpsideDown ? text + ": upside down" : text
        guard facts.isWorn else {
            return .warning(
                isUpsideDown ? .mountUpsideDown : .mountTilted, stream.device, what,
                meaning:
                    "the board is not held as worn, or its mount matrix is wrong: hold it as it is worn and run "
                    + "the check again",
                remedy: "waymark doctor --worn")
        }
        return .failure(
            isUpsideDown ? .mountUpsideDown : .mountTilted, stream.device, what,
            meaning: "the mount matrix is wrong: content is drawn in the wrong direction",
            remedy: "waymark calibrate mount  # or " + edit(facts))
    }

    private static func angle(_ a: Vector3, _ b: Vector3) -> Double { atan2(a.cross(b).norm, a.dot(b)) }
}
