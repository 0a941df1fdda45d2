import Geodesy
import Geometry
import Measurements

/// Decides when the alignment of the scene has changed enough to be told.
package struct FrameAnnouncer: Sendable {
    private let settings: EstimatorSettings.Scene
    private var last: FrameEstimate?
    private var lastTime: BootTime?

    package init(settings: EstimatorSettings.Scene) { self.settings = settings }

    mutating func announce(
        _ scene: SceneFrame, _ state: NavigationState, origin: GeodeticPosition?, generation: UInt32, at time: BootTime
    ) -> FrameEstimate? {
        let isNew = last == nil || last?.generation != generation || last?.origin != origin
        if !isNew {
            guard let lastTime, time.seconds(since: lastTime) >= settings.announceSeconds else { return nil }
            guard hasMoved(scene) else { return nil }
        }
        let duration = scene.slewDuration(state)
        // One that would last for centuries has no end to tell.
        let length = duration > 0 ? Int64(exactly: (duration * 1e9).rounded(.towardZero)) : nil
        let end = length.map(time.shifted)
        let frame = FrameEstimate(
            generation: generation, origin: origin, published: scene.published, target: scene.target, slewEnd: end)
        last = frame
        lastTime = time
        return frame
    }

    private func hasMoved(_ scene: SceneFrame) -> Bool {
        guard let last else { return true }
        return differs(last.published, scene.published) || differs(last.target, scene.target)
    }

    private func differs(_ a: SceneAlignment, _ b: SceneAlignment) -> Bool {
        Angle.wrapped(a.yaw - b.yaw).magnitude > settings.announceYaw
            || (a.translation - b.translation).norm > settings.announceShift
    }
}
