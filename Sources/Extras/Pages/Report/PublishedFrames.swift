import Geometry
import Messages
import Model
import Scene
import WaymarkInterface

/// Corrections of the scene frame that the published frames show.
struct PublishedFrames {
    /// Number of frames.
    private(set) var count = 0
    private var history = FrameHistory()
    /// Wearer's position in the last published pose. Frame: scene. Unit: metres.
    private var wearer = Vector3.zero

    /// Largest magnitude of a coordinate in the scene, or relative to its origin. Unit: metres.
    private static let range = 1e8

    mutating func add(_ pose: PoseInterface.Pose) {
        let position = Vector3(pose.position)
        if Self.holds(position) { wearer = position }
    }

    /// Adds a frame. It is ignored if one of its numbers is out of range.
    ///
    /// - Parameter monitor: reading of the replay's heading monitor, because frames do not contain one.
    /// - Returns: the correction that the frame ends, and the one that it begins or continues. They may be the same.
    mutating func add(_ message: PoseInterface.Frame, monitor: HeadingReading?) -> [FrameCorrection] {
        guard let time = BootTime(message.time), let frame = Self.estimate(message) else { return [] }
        count += 1
        let ended = history.add(frame, at: time, wearer: wearer, monitor: monitor)
        return [ended, history.newest].compactMap { $0 }
    }

    private static func estimate(_ message: PoseInterface.Frame) -> FrameEstimate? {
        guard let generation = UInt32(exactly: message.generation), let published = alignment(message.published),
            let target = alignment(message.target), let before = alignment(message.before)
        else { return nil }
        var origin: GeodeticPosition?
        if let geo = message.origin {
            guard let position = GeodeticPosition(measured: geo) else { return nil }
            origin = position
        }
        var frame = FrameEstimate(
            generation: generation, origin: origin, published: published, target: target,
            slewEnd: message.slewEnd.flatMap(BootTime.init), before: before,
            // Causes that this version does not know have no bit.
            causes: FrameCauses(rawValue: UInt32(truncatingIfNeeded: message.causes.bits)))
        if case .known(let cause) = message.mainCause { frame.mainCause = FrameCause(rawValue: cause.rawValue) }
        frame.horizontalAccuracy = message.horizontalAccuracy
        frame.yawAccuracy = message.orientationYawAccuracy.map { $0 * .pi / 180 }
        return frame
    }

    private static func alignment(_ message: PoseInterface.Alignment) -> SceneAlignment? {
        let translation = Vector3(message.east, message.north, message.up)
        guard message.yaw.magnitude <= 720, holds(translation) else { return nil }
        return SceneAlignment(yaw: message.yaw * .pi / 180, translation: translation)
    }

    private static func holds(_ point: Vector3) -> Bool {
        point.x.magnitude < range && point.y.magnitude < range && point.z.magnitude < range
    }
}
