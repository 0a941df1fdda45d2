import Varlink

struct SceneReply: Decodable { let scene: Scene }

/// The scene as it changes.
public final class SceneUpdates {
    private let replies: VarlinkReplies
    /// All that the messages so far say.
    public private(set) var state = SceneState()

    init(_ replies: VarlinkReplies) { self.replies = replies }

    /// The next message, which `state` has taken in; nil if the daemon has ended the subscription.
    ///
    /// - Parameter timeout: how long to wait for it; nil waits for as long as it takes.
    public func next(timeout: Duration? = nil) throws(WaymarkError) -> Scene? {
        guard let scene = try replies.message(SceneReply.self, timeout: timeout)?.scene else { return nil }
        do throws(SceneState.Break) {
            try state.apply(scene)
        } catch {
            throw .unexpected("a scene update that does not follow the previous one")
        }
        return scene
    }
}

/// A radar around the wearer.
public struct RadarView: Encodable, Sendable {
    /// Metres; nil for that of the daemon's settings.
    public var range: Double?

    public init(range: Double? = nil) { self.range = range }
}

/// How large a display draws labels, as the wearer sees them; nil leaves it to the daemon's settings.
public struct LabelSize: Encodable, Sendable {
    /// Degrees.
    public var width: Double?
    public var height: Double?

    public init(width: Double? = nil, height: Double? = nil) {
        self.width = width
        self.height = height
    }
}

extension WaymarkClient {
    private struct ViewParameters: Encodable {
        var rate: Double?
        var camera: Camera?
        var radar: RadarView?
        var labels: LabelSize?
        var hints: Int?
    }

    /// The scene as it is.
    ///
    /// - Parameters:
    ///   - camera: what `visible` and `hint` are for; nil leaves it to the daemon.
    ///   - radar: around the wearer; nil for none.
    ///   - labels: how large they are drawn; nil leaves it to the daemon.
    ///   - hints: at most so many, 0 to 16; nil leaves it to the daemon (3).
    public func scene(
        camera: Camera? = nil, radar: RadarView? = nil, labels: LabelSize? = nil, hints: Int? = nil
    ) throws(WaymarkError) -> Scene {
        let view = ViewParameters(camera: camera, radar: radar, labels: labels, hints: hints)
        return try call("org.waymark.Scene.GetScene", view, SceneReply.self).scene
    }

    /// The scene as it changes.
    ///
    /// - Parameter rate: at most so many messages a second, 1 to 60; nil leaves it to the daemon (10).
    public func sceneUpdates(
        rate: Double? = nil, camera: Camera? = nil, radar: RadarView? = nil, labels: LabelSize? = nil,
        hints: Int? = nil
    ) throws(WaymarkError) -> SceneUpdates {
        let view = ViewParameters(rate: rate, camera: camera, radar: radar, labels: labels, hints: hints)
        return SceneUpdates(try stream("org.waymark.Scene.Subscribe", view))
    }
}
