import WaymarkClient

/// Texts for the parts of a pose, shared by the live view and plain lines.
package enum PoseText {
    /// The whole pose on one line, for output other than a terminal.
    package static func line(_ pose: Waymark.Pose) -> String {
        [
            time(pose), state(pose), geo(pose), scene(pose), "heading \(heading(pose))", "motion \(motion(pose))",
        ].joined(separator: "  ")
    }

    /// The state, and the daemon's reasons why it is not localized.
    static func state(_ pose: Waymark.Pose) -> String {
        let reasons = Words.list(pose.reasons, separator: ", ")
        return "\(pose.state)" + (reasons.isEmpty ? "" : " (\(reasons))")
    }

    static func geo(_ pose: Waymark.Pose) -> String {
        guard let geo = pose.geo else { return "geographic position not known" }
        return "\(geo.latitude.fixed(7))° \(geo.longitude.fixed(7))°  \(geo.height.fixed(1)) m"
            + "  \(Words.accuracy(pose.accuracy.horizontalAccuracy, " m"))"
            + "  \(Words.accuracy(pose.accuracy.verticalAccuracy, " m")) vertical"
    }

    static func scene(_ pose: Waymark.Pose) -> String {
        let position = pose.position
        return "x \(position.x.signed(2))  y \(position.y.signed(2))  z \(position.z.signed(2)) m in the scene"
            + ", \(pose.tracking.position)"
    }

    static func heading(_ pose: Waymark.Pose) -> String {
        let turned = ", orientation \(pose.tracking.orientation)"
        guard let heading = pose.heading else { return "not known\(turned)" }
        let bearing = "\(Words.bearing(heading, digits: 1)) \(Words.compassPoint(heading))"
        return "\(bearing) from \(Words.reference(pose.headingReference))"
            + "  \(Words.accuracy(pose.accuracy.orientationYawAccuracy, "°"))\(turned)"
    }

    /// The mode and the velocity over ground, if known.
    static func motion(_ pose: Waymark.Pose) -> String {
        let parts = [pose.motion.map(Words.motion), velocity(pose)].compactMap(\.self)
        return parts.isEmpty ? "not known" : parts.joined(separator: ", ")
    }

    private static func velocity(_ pose: Waymark.Pose) -> String? {
        guard let speed = pose.speed else { return nil }
        guard let course = pose.course else { return "\(speed.fixed(2)) m/s" }
        return "\(speed.fixed(2)) m/s towards \(Words.bearing(course, digits: 0)) \(Words.compassPoint(course))"
    }

    /// Describes the frame at the time of `pose`. The newest `frame` may be much older than the pose, because the
    /// daemon sends a frame only with a correction.
    static func frame(_ pose: Waymark.Pose, _ frame: Waymark.Frame?) -> String {
        let generation = "generation \(pose.generation)"
        guard let frame, frame.generation == pose.generation else { return generation }
        let left = frame.slewEnd.map { $0.seconds - pose.time.seconds } ?? 0
        guard left > 0 else { return "\(generation), settled" }
        let turn = shortest(frame.target.yaw - frame.published.yaw).magnitude
        let shift = distance(frame.published, frame.target)
        return "\(generation), correcting \(turn.fixed(1))° and \(shift.fixed(1)) m, \(left.fixed(1)) s left"
    }

    static func time(_ pose: Waymark.Pose) -> String {
        "\(pose.time.seconds.fixed(3)) s" + (pose.utc.map { "  \($0)" } ?? "")
    }

    /// Angle wrapped into −180 to 180.
    private static func shortest(_ degrees: Double) -> Double { degrees.remainder(dividingBy: 360) }

    private static func distance(_ from: Waymark.Alignment, _ to: Waymark.Alignment) -> Double {
        let (east, north, up) = (to.east - from.east, to.north - from.north, to.up - from.up)
        return (east * east + north * north + up * up).squareRoot()
    }
}
