import Documents
import JSON
import Linux
import Model
import Recording
import WaymarkInterface

/// The daemon's values as messages of channels, with the newest ones of those that last.
struct FoxgloveMessages {
    private var clock = FoxgloveClock()
    private var frame: PoseInterface.Frame?
    private var scene = FoxgloveScene()
    private var route = FoxgloveRoute()
    private var places: [SceneDocument.Point]?
    private var status: [UInt8]?
    private var aids: [UInt8]?
    /// Time at which the scene's place on the earth was sent last.
    private var alignmentTime: BootTime?

    /// As in recordings. Unit: s.
    private static let alignmentInterval = 1.0

    /// Time of the server's clock. Unit: ns.
    var now: UInt64 { clock.now }

    /// Forgets what does not hold without the daemon; returns what clients have to know of it.
    mutating func clear() -> [FoxgloveOutput] {
        (frame, places, status, aids) = (nil, nil, nil, nil)
        route = FoxgloveRoute()
        // The clock goes on until a pose has another one.
        return scene.generation == nil ? [] : [output(.scene, scene.clear())]
    }

    /// Forgets what is no longer asked for, which would be old when it is wanted again.
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

    /// Takes a value of the daemon.
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
            // Frames that this program has missed are not those that its clients miss.
            frame?.missed = nil
            alignmentTime = clock.bootTime
            return [newest(.frame), alignment, newPlaces(isWanted)].compactMap { $0 }
        case .scene(let new):
            guard let time = PoseInterface.Time(new.time).nanoseconds else { return [] }
            let update = scene.take(new, at: clock.stamp(BootTime(nanoseconds: time)))
            return [output(.scene, update), newPlaces(isWanted)].compactMap { $0 }
        case .status(let new):
            let message = output(.status) { $0.write(new) }
            status = message.payload
            return [message]
        case .aids(let new):
            let message = output(.aids) { $0.write(new) }
            aids = message.payload
            return [message]
        case .route, .unneeded, .lost: return []
        }
    }

    /// Takes a part of the route.
    ///
    /// - Returns: messages, and the number of the vertex that has to be asked for next.
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

    /// The newest message of a kind, as of now; nil while there is none.
    func newest(_ kind: FoxgloveLasting) -> FoxgloveOutput? {
        switch kind {
        case .frame:
            return frame.map { frame in
                output(kind) { $0.write(frame) }
            }
        case .alignment: return alignment
        case .route: return route.text.map(map(.route))
        case .places: return places.map { map(.places)(SceneDocument.text(route: nil, points: $0)) }
        case .status: return status.map { output(kind, $0) }
        case .aids: return aids.map { output(kind, $0) }
        // An empty one removes what a client may have got before.
        case .scene: return scene.wasSent ? output(kind, scene.snapshot) : nil
        }
    }

    /// The scene on the earth; nil while that is not known.
    private var alignment: FoxgloveOutput? {
        guard let frame, frame.origin != nil else { return nil }
        var writer = MessageWriter(.protobuf)
        clock.message.writeTransform(frame.published, at: clock.bootTime, into: &writer)
        return output(.alignment, writer.bytes)
    }

    /// The scene on the earth, which hardly ever changes, once a second.
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

    /// The map of placements, if it differs from the last one.
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

    private func output(_ kind: FoxgloveLasting, _ write: (inout JSONWriter) -> Void) -> FoxgloveOutput {
        var json = JSONWriter(capacity: 4096)
        write(&json)
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
        // Poses that this program has missed are not those that its clients miss.
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

extension JSONWriter {
    fileprivate mutating func write(_ value: some JSONWritable) { value.write(into: &self) }
}

extension PoseInterface.Time {
    fileprivate init(_ time: SceneInterface.Time) { self.init(sec: time.sec, nsec: time.nsec) }
}
