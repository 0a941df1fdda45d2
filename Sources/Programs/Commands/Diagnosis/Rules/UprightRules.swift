import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// The accelerometer against gravity, and against the dip of the magnetic field.
///
/// A board that is worn upright and measures gravity upside down has a wrong mount matrix, or an accelerometer that
/// reports the opposite of specific force. A mount matrix turns the magnetic field as well, so that the angle between
/// measured up and field remains 90° plus the dip; a wrong sign makes it 90° minus the dip.
enum UprightRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let stream = facts.streams.first(where: { $0.kind == .accelerometer }), let up = direction(of: stream)
        else { return [] }
        // At rest the specific force points up, which is body y as worn.
        let degrees = angle(up, Vector3(0, 1, 0)) * 180 / .pi
        let text = "gravity is \(Amount.text(degrees, digits: 0))° from body down"
        if degrees <= Limits.uprightDegrees {
            let field = facts.isWorn ? fieldUpsideDown(stream, Dip(facts, up: up), facts) : nil
            return [.ok(.mountUpright, stream.device, text)] + (field.map { [$0] } ?? [])
        }
        let isUpsideDown = degrees >= 180 - Limits.uprightDegrees
        let what = isUpsideDown ? text + ": upside down" : text
        guard facts.isWorn else {
            return [
                .warning(
                    isUpsideDown ? .mountUpsideDown : .mountTilted, stream.device, what,
                    meaning:
                        "the board is not held as worn, or its mount matrix is wrong: hold it as it is worn and run "
                        + "the check again",
                    remedy: "waymark doctor --worn")
            ]
        }
        return [isUpsideDown ? upsideDown(stream, what, Dip(facts, up: up), facts) : tilted(stream, what, facts)]
    }

    /// Whether gravity was measured within the limit of body down.
    static func isUpright(_ facts: BoardFacts) -> Bool {
        guard let up = facts.streams.first(where: { $0.kind == .accelerometer }).flatMap(direction) else {
            return false
        }
        return angle(up, Vector3(0, 1, 0)) * 180 / .pi <= Limits.uprightDegrees
    }

    // MARK: gravity

    private static func tilted(_ stream: StreamFacts, _ what: String, _ facts: BoardFacts) -> Finding {
        .failure(
            .mountTilted, stream.device, what,
            meaning: "the mount matrix is wrong: content is drawn in the wrong direction",
            remedy: "waymark calibrate mount  # or " + Remedy.edit(facts, "iio.mount_matrix"))
    }

    private static func upsideDown(_ stream: StreamFacts, _ what: String, _ dip: Dip, _ facts: BoardFacts) -> Finding {
        let sign = "[iio.accelerometer] sign = \(-stream.sign)"
        switch dip {
        case .opposite(let text, let separation):
            let doubt =
                separation.map {
                    "; \($0): if that alone is mounted correctly, the mount matrix of the accelerometer is wrong"
                } ?? ""
            return .failure(
                .mountAccelerometerSign, stream.device, "\(what), while \(text)",
                meaning:
                    "the accelerometer reports the opposite of specific force; with a wrong mount matrix the dip of "
                    + "the magnetic field would be right" + doubt,
                remedy: Remedy.edit(facts, sign + (separation == nil ? "" : ", or mount_matrix")))
        case .right(let text):
            return .failure(
                .mountUpsideDown, stream.device, "\(what), and \(text)",
                meaning:
                    "the mount matrix is wrong, not the sign of the accelerometer: the magnetic field is turned too",
                remedy: "waymark calibrate mount  # or " + Remedy.edit(facts, "iio.mount_matrix"))
        case .unknown(let reason):
            return .failure(
                .mountUpsideDown, stream.device, what,
                meaning:
                    "the mount matrix is wrong, or the accelerometer reports the opposite of specific force; it cannot "
                    + "be decided which: \(reason)",
                remedy: "waymark calibrate mount  # or " + Remedy.edit(facts, "iio.mount_matrix, or \(sign)"))
        }
    }

    // MARK: magnetic field

    /// Gravity as it should be, and the magnetic field on the wrong side of the horizon.
    ///
    /// The sign of the magnetometer is not proposed: hardly any has the wrong one, while drivers give one matrix for a
    /// chip whose magnetometer has other axes. `calibrate mag` compares them.
    private static func fieldUpsideDown(_ stream: StreamFacts, _ dip: Dip, _ facts: BoardFacts) -> Finding? {
        guard case .opposite(let text, let separation) = dip, CompassMatrixRules.findings(facts).isEmpty,
            let magnetometer = facts.streams.first(where: { $0.kind == .magnetometer })
        else { return nil }
        let matrix = "[iio.magnetometer] mount_matrix"
        if separation != nil {
            return .failure(
                .mountMagnetometer, magnetometer.device, text,
                meaning: "the mount matrix or the sign of the magnetometer is wrong: the heading is wrong",
                remedy: "waymark calibrate mag  # or " + Remedy.edit(facts, matrix))
        }
        return .failure(
            .mountMagnetometer, magnetometer.device, text,
            meaning:
                "accelerometer and magnetometer of one device contradict each other: the magnetometer has other axes "
                + "than its mount matrix, or the mount matrix is upside down and the sign of the accelerometer wrong",
            remedy: "waymark calibrate mag  # or "
                + Remedy.edit(
                    facts, "\(matrix), or iio.mount_matrix and [iio.accelerometer] sign = \(-stream.sign)"))
    }

    static func direction(of stream: StreamFacts) -> Vector3? {
        guard let summary = stream.summary, summary.count >= Limits.minimumSampleCount else { return nil }
        return summary.mean.normalized
    }

    private static func angle(_ a: Vector3, _ b: Vector3) -> Double { atan2(a.cross(b).norm, a.dot(b)) }
}

/// Dip of the measured magnetic field against measured up, compared with that of the magnetic model.
private enum Dip {
    /// As the model has it, with both as text.
    case right(String)
    /// That of the model with the other sign; and why the magnetometer may be mounted in another way than the
    /// accelerometer, nil if it is not.
    case opposite(String, separation: String?)
    /// Why it does not tell.
    case unknown(String)

    init(_ facts: BoardFacts, up: Vector3) {
        guard let stream = facts.streams.first(where: { $0.kind == .magnetometer }),
            let field = UprightRules.direction(of: stream), let strength = stream.summary?.meanNorm
        else {
            self = .unknown("there are no samples of a magnetometer")
            return
        }
        guard let model = ScaleRules.modelField(facts) else {
            self = .unknown("without a position and the time the dip of the magnetic field is not known")
            return
        }
        let expected = model.inclination * 180 / .pi
        guard expected.magnitude >= Limits.minimumDipDegrees else {
            self = .unknown("so near the magnetic equator the magnetic field is horizontal")
            return
        }
        guard (strength * 1000 / model.totalIntensity - 1).magnitude <= Limits.fieldShare else {
            self = .unknown("the magnetometer does not measure the strength of the earth's field: calibrate it first")
            return
        }
        let measured = asin(min(max(-up.dot(field), -1), 1)) * 180 / .pi
        let text =
            "the magnetic field dips \(Amount.text(measured, digits: 0))° where the magnetic model has "
            + "\(Amount.text(expected, digits: 0))°"
        let tolerance = min(Limits.dipDegrees, expected.magnitude / 2)
        if (measured - expected).magnitude <= tolerance {
            self = .right(text)
        } else if (measured + expected).magnitude <= tolerance {
            let accelerometer = facts.streams.first { $0.kind == .accelerometer }
            self = .opposite(text, separation: Self.separation(of: stream, from: accelerometer))
        } else {
            self = .unknown(text)
        }
    }

    private static func separation(of magnetometer: StreamFacts, from accelerometer: StreamFacts?) -> String? {
        guard magnetometer.device == accelerometer?.device else { return "the magnetometer is another device" }
        guard let own = magnetometer.mountMatrix, let other = accelerometer?.mountMatrix, own != other else {
            return nil
        }
        return "the magnetometer has a mount matrix of its own"
    }
}
