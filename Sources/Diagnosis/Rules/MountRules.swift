import Geometry

/// How the sensors sit on the board: whether a matrix says so, and whether gravity agrees.
enum MountRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        refused(facts) + unknown(facts) + [upright(facts)].compactMap { $0 }
    }

    private static func edit(_ facts: BoardFacts) -> String {
        Remedy.edit(facts, "iio.mount_matrix")
    }

    private static func refused(_ facts: BoardFacts) -> [Finding] {
        (facts.devices?.sensors ?? []).compactMap { sensor in
            // Settings come before what udev and drivers say.
            let isOverruled = facts.streams.contains {
                $0.device == sensor.name && $0.mountOrigin == "configuration"
            }
            guard let problem = sensor.mountProblem, !isOverruled else { return nil }
            return .failure(
                .mountRefused, sensor.name, problem,
                meaning:
                    "it is no rotation, as a mirrored or damaged entry of the hardware database is: none is applied",
                remedy: edit(facts))
        }
    }

    /// Sensors whose axes are taken as the body's for want of a matrix.
    private static func unknown(_ facts: BoardFacts) -> [Finding] {
        let hasCalibration =
            facts.calibrations?.entries.contains { $0.sensor == "mount" && $0.isInForce ?? true } ?? false
        var seen: Set<String> = []
        return facts.streams.compactMap { stream in
            guard let origin = stream.mountOrigin, seen.insert(stream.device).inserted else { return nil }
            guard origin == "none" else { return .ok(.mountKnown, stream.device, "its mount matrix is from \(origin)") }
            if facts.devices?.sensors.contains(where: { $0.name == stream.device && $0.mountProblem != nil }) ?? false {
                return nil
            }
            if hasCalibration { return .ok(.mountKnown, stream.device, "the board's mount is calibrated") }
            return .warning(
                .mountUnknown, stream.device, "nothing says how it is mounted",
                meaning: "its axes are taken for x right, y up, z towards the wearer, which is so on few boards",
                remedy: "waymark calibrate mount")
        }
    }

    // MARK: gravity

    private static func upright(_ facts: BoardFacts) -> Finding? {
        guard let stream = facts.streams.first(where: { $0.kind == .accelerometer }), let summary = stream.summary,
            summary.count >= Limits.leastSamples, let up = summary.mean.normalized
        else { return nil }
        // At rest the force is upwards: y of the body, as it is worn.
        let degrees = angle(up, Vector3(0, 1, 0)) * 180 / .pi
        let text = "gravity points \(Amount.text(degrees, digits: 0))° away from down"
        if degrees <= Limits.uprightDegrees { return .ok(.mountUpright, stream.device, text) }
        let isUpsideDown = degrees >= 180 - Limits.uprightDegrees
        let what = isUpsideDown ? text + ": it points up" : text
        guard facts.isWorn else {
            return .warning(
                isUpsideDown ? .mountUpsideDown : .mountTilted, stream.device, what,
                meaning:
                    "the board lies as it is not worn, or its mount matrix is turned: hold it as it is worn, and look "
                    + "again",
                remedy: "waymark doctor --worn")
        }
        return .failure(
            isUpsideDown ? .mountUpsideDown : .mountTilted, stream.device, what,
            meaning: "the mount matrix is turned, or mirrored in all axes: everything is drawn where it is not",
            remedy: "waymark calibrate mount  # or " + edit(facts))
    }

    private static func angle(_ a: Vector3, _ b: Vector3) -> Double { arc(a.cross(b).norm, a.dot(b)) }
}
