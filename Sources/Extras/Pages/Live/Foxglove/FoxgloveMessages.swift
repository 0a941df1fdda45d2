import Documents
import JSON
import Linux
import Model
import Recording
import WaymarkInterface

/// Converts the daemon's values to messages of channels. Keeps the newest lasting message of each kind.
struct FoxgloveMessages {
    private var clock = FoxgloveClock()
    private var frame: PoseInterface.Frame?
    private var scene = FoxgloveScene()
    private var route = FoxgloveRoute()
    private var places: [SceneDocument.Point]?
    private var status: [UInt8]?
    private var aids: [UInt8]?
    /// Time at which the scene's alignment was last sent.
    private var alignmentTime: BootTime?

    /// Interval at which the alignment is sent, as in recordings. Unit: s.
    private static let alignmentInterval = 1.0

    /// Time of the server's clock. Unit: ns.
    var now: UInt64 { clock.now }

    /// Drops values that are not valid without the daemon. Returns messages that inform the clients.
    mutating func clear() -> [FoxgloveOutput] {
        (frame, places, status, aids) = (nil, nil, nil, nil)
        route = FoxgloveRoute()
        // The clock is kept until a pose requires another one.
        return scene.generation == nil ? [] : [output(.scene, scene.clear())]
    }

    /// Drops values that are no longer requested, because they would be outdated when they are needed again.
    mutating func forget(_ unneeded: DaemonNeeds) {
        if unneeded.contains(.frames) { (frame, alignmentTime, places) = (nil, nil, nil) }
        if unneeded.contains(.scene) {
            places = nil
            _ = scene.clear()
        }
        if unneeded.contains(.status) { status = nil }
        if unneeded.contains(.aids) { aids = nil }
        if unneeded.contains(.route) { route = FoxgloveRoute() }
    }

    /// Processes a value from the daemon.
    ///
    /// - Parameter isWanted: whether any client subscribes to the channel.
    mutating func take(_ event: DaemonStreams.Event, isWanted: (FoxgloveChannel) -> Bool) -> [FoxgloveOutput] {
        switch event {
        case .pose(let pose): return take(pose, isWanted)
        case .newestPose(let pose):
            if let pose { clock.learn(from: pose) } else { clock.learn(BootTime(nanoseconds: BootClock.nanoseconds)) }
            return [repeatedAlignment()].compactMap { $0 }
        case .frame(let new):
            frame = new
            // The count is removed, because clients did not miss the frames that this program missed.
            frame?.missed = nil
            alignmentTime = clock.bootTime
            return [newest(.frame), alignment, newPlaces(isWanted)].compactMap { $0 }
        case .scene(let new):
            guard let time = new.time.nanoseconds else { return [] }
            let update = scene.take(new, at: clock.stamp(BootTime(nanoseconds: time)))
            return [output(.scene, update), newPlaces(isWanted)].compactMap { $0 }
        case .status(let new):
            let message = output(.status, json: new)
            status = message.payload
            return [message]
        case .aids(let new):
            let message = output(.aids, json: new)
            aids = message.payload
            return [message]
        case .route, .unneeded, .lost: return []
        }
    }

    /// Processes a part of the route.
    ///
    /// - Returns: messages, and the index of the vertex to request next.
    mutating func take(
        route reply: SceneInterface.GetRoute.Reply?
    ) -> (outputs: [FoxgloveOutput], following: Int?)? {
        switch route.take(reply) {
        case .unchanged: return ([], nil)
        case .incomplete(let index): return ([], index)
        case .complete: return ([newest(.route)].compactMap { $0 }, nil)
        }
    }

    // MARK: - Lasting messages

    /// The newest message of a kind, with the current time; nil while there is none.
    func newest(_ kind: FoxgloveLasting) -> FoxgloveOutput? {
        switch kind {
        case .frame: return frame.map { output(kind, json: $0) }
        case .alignment: return alignment
        case .route: return route.text.map(map(.route))
        case .places: return places.map { map(.places)(SceneDocument.text(route: nil, points: $0)) }
        case .status: return status.map { output(kind, $0) }
        case .aids: return aids.map { output(kind, $0) }
        // An empty scene removes what a client may have received before.
        case .scene: return scene.wasSent ? output(kind, scene.snapshot) : nil
        }
    }

    /// The scene's alignment on the earth; nil while it is unknown.
    private var alignment: FoxgloveOutput? {
        guard let frame, frame.origin != nil else { return nil }
        var writer = MessageWriter(.protobuf)
        clock.message.writeTransform(frame.published, at: clock.bootTime, into: &writer)
        return output(.alignment, writer.bytes)
    }

    /// Repeats the scene's alignment once a second, because it rarely changes.
    private mutating func repeatedAlignment() -> FoxgloveOutput? {
        guard let alignmentTime, clock.bootTime.seconds(since: alignmentTime).magnitude >= Self.alignmentInterval else {
            return nil
        }
        self.alignmentTime = clock.bootTime
        return alignment
    }

    private func map(_ kind: FoxgloveLasting) -> (String) -> FoxgloveOutput {
        { text in
            var writer = MessageWriter(.protobuf)
            clock.message.writeMap(text, into: &writer)
            return output(kind, writer.bytes)
        }
    }

    /// The map of placements; nil if it is the same as the last one.
    private mutating func newPlaces(_ isWanted: (FoxgloveChannel) -> Bool) -> FoxgloveOutput? {
        guard isWanted(.places), let frame, frame.generation == scene.generation,
            let points = FoxgloveMap.places(scene.placements.values, by: frame),
            places.map({ FoxgloveMap.hasMoved(points, from: $0) }) ?? true
        else { return nil }
        places = points
        return newest(.places)
    }

    private func output(_ kind: FoxgloveLasting, _ payload: [UInt8]) -> FoxgloveOutput {
        FoxgloveOutput(channel: kind.channel, time: now, payload: payload, lasting: kind)
    }

    private func output(_ kind: FoxgloveLasting, json value: some JSONWritable) -> FoxgloveOutput {
        var json = JSONWriter(capacity: 4096)
        value.write(into: &json)
        return output(kind, json.bytes)
    }

    // MARK: - Poses

    private mutating func take(
        _ published: PoseInterface.Pose, _ isWanted: (FoxgloveChannel) -> Bool
    ) -> [FoxgloveOutput] {
        clock.learn(from: published)
        guard let nanoseconds = published.time.nanoseconds else { return [] }
        let (time, message) = (BootTime(nanoseconds: nanoseconds), clock.message)
        var pose = published
        // The count is removed, because clients did not miss the poses that this program missed.
        pose.missed = nil
        var outputs = [repeatedAlignment()].compactMap { $0 }
        func append(_ channel: FoxgloveChannel, _ payload: [UInt8]) {
            outputs.append(FoxgloveOutput(channel: channel, time: clock.stamp(time), payload: payload))
        }
        if isWanted(.pose) {
            var json = JSONWriter(capacity: 1024)
            pose.write(into: &json)
            append(.pose, json.bytes)
        }
        var writer = MessageWriter(.protobuf)
        if isWanted(.location), message.writeLocation(pose, at: time, into: &writer) {
            append(.location, writer.bytes)
        }
        guard pose.tracking.orientation != .invalid else { return outputs }
        if isWanted(.transform) {
            message.writeTransform(pose, at: time, into: &writer)
            append(.transform, writer.bytes)
        }
        if isWanted(.scenePose) {
            message.writePose(pose, at: time, into: &writer)
            append(.scenePose, writer.bytes)
        }
        return outputs
    }
}
