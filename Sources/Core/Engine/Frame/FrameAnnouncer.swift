import Estimation
import Geometry
import Model

/// Announcements of sufficient changes of the scene alignment, with their causes.
package struct FrameAnnouncer: Sendable, Codable {
    private let settings: PublicationSettings.Scene
    private var last: FrameEstimate?
    private var lastTime: BootTime?
    private var lastInfluence = FrameInfluence()
    /// Events since the last announcement.
    private var events = FrameCauses()
    /// Whether a large correction was under way at the last announcement.
    private var wasCorrecting = false

    package init(settings: PublicationSettings.Scene) { self.settings = settings }

    /// Records an event, which is announced at once.
    mutating func note(_ cause: FrameCause) { events.insert(FrameCauses(cause)) }

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) {
        last?.target.translation += offset
        last?.published.translation += offset
    }

    /// Whether an announcement is due.
    ///
    /// - Parameter accuracy: accuracy of the target.
    @inline(__always)
    mutating func isDue(
        _ scene: SceneFrame, _ accuracy: PoseAccuracy, origin: GeodeticPosition?, generation: UInt32, at time: BootTime
    ) -> Bool {
        guard let last, let lastTime else { return true }
        if last.generation != generation { note(.newGeneration) }
        if let known = last.origin, known != origin { note(.reanchor) }
        guard events.isEmpty, last.origin == origin, scene.isCorrecting == wasCorrecting else { return true }
        return time.seconds(since: lastTime) >= settings.announceSeconds
            && (Self.differs(last.published, scene.published, settings)
                || Self.differs(last.target, scene.target, settings)
                || Self.differs(last.yawAccuracy, scene.accuracy(of: accuracy).yaw))
    }

    /// Whether two accuracies differ clearly, as the yaw accuracies before and after motion has confirmed the compass.
    private static func differs(_ a: Double?, _ b: Double?) -> Bool {
        guard let a, let b else { return (a == nil) != (b == nil) }
        return max(a, b) > otherAccuracy * min(a, b)
    }

    /// Ratio of two accuracies beyond which they differ enough to be announced.
    private static let otherAccuracy = 2.0

    /// Makes an announcement.
    ///
    /// - Parameter accuracy: accuracy of the target.
    mutating func announce(
        _ scene: SceneFrame, _ accuracy: PoseAccuracy, _ influence: FrameInfluence, origin: GeodeticPosition?,
        generation: UInt32, at time: BootTime
    ) -> FrameEstimate {
        let duration = scene.correctionDuration
        // A duration of centuries cannot be represented.
        let length = duration > 0 ? Int64(exactly: (duration * 1e9).rounded(.towardZero)) : nil
        let isSame = last?.generation == generation
        var frame = FrameEstimate(
            generation: generation, origin: origin, published: scene.published, target: scene.target,
            slewEnd: length.map(time.shifted), before: isSame ? last?.target : nil)
        (frame.horizontalAccuracy, frame.yawAccuracy) = scene.accuracy(of: accuracy)
        tellCauses(&frame, influence)
        last = frame
        lastTime = time
        lastInfluence = influence
        wasCorrecting = scene.isCorrecting
        events = []
        return frame
    }

    private func tellCauses(_ frame: inout FrameEstimate, _ influence: FrameInfluence) {
        let found = influence.causes(since: lastInfluence, shift: settings.announceShift, yaw: settings.announceYaw)
        let isMoved = Self.differs(frame.before, frame.target, settings)
        frame.causes = isMoved ? found.all.union(events) : events
        frame.mainCause = events.first ?? (isMoved ? found.main : nil)
    }

    private static func differs(
        _ a: SceneAlignment, _ b: SceneAlignment, _ settings: PublicationSettings.Scene
    ) -> Bool {
        Angle.wrapped(a.yaw - b.yaw).magnitude > settings.announceYaw
            || (a.translation - b.translation).norm > settings.announceShift
    }
}
