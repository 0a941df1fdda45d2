import Glibc
import Linux
import Varlink

/// A connection to the daemon, for programs that may block: every call has a timeout and can be cancelled.
///
/// A subscription takes the whole connection; whoever wants to call beside it opens a second one. Not for use from several
/// threads.
public final class WaymarkClient {
    /// Where the daemon listens: WAYMARK_SOCKET, else `/run/waymark/waymark.sock`.
    public static var defaultPath: String {
        guard let value = getenv("WAYMARK_SOCKET"), value.pointee != 0 else { return "/run/waymark/waymark.sock" }
        return String(cString: value)
    }

    private let client: VarlinkClient

    /// Connects.
    ///
    /// - Parameters:
    ///   - timeout: for connecting and for each reply.
    ///   - cancel: a descriptor that ends any wait when it becomes readable, such as a `SignalDescriptor`'s.
    public init(
        path: String = WaymarkClient.defaultPath, timeout: Duration = .seconds(5), cancel: Int32? = nil
    ) throws(WaymarkError) {
        client = try WaymarkClient.translating { () throws(VarlinkClient.Failure) in
            try VarlinkClient(path: path, timeout: timeout, cancel: cancel)
        }
    }

    // MARK: poses

    private struct PoseReply: Decodable { let pose: Pose }

    private struct SubscribeParameters: Encodable {
        let rate: Double?
        let frame: Bool?
        let predictAhead: Double?
    }

    private struct GetPoseParameters: Encodable {
        var predictAhead: Double?
        var time: Time?
        var clock: Clock?
    }

    /// The newest pose.
    ///
    /// - Parameter predictAhead: as it will be so many seconds later, up to 0.1; nil as it is.
    public func pose(predictAhead: Double? = nil) throws(WaymarkError) -> Pose {
        let parameters = GetPoseParameters(predictAhead: predictAhead)
        return try call("org.waymark.Pose.GetPose", parameters, PoseReply.self).pose
    }

    /// The pose of a moment of the last ten minutes, as it was published then, interpolated.
    ///
    /// - Parameter clock: that `time` is of.
    public func pose(at time: Time, clock: Clock = .boottime) throws(WaymarkError) -> Pose {
        let parameters = GetPoseParameters(time: time, clock: clock)
        return try call("org.waymark.Pose.GetPose", parameters, PoseReply.self).pose
    }

    /// Poses as they come.
    ///
    /// - Parameters:
    ///   - rate: at most so many a second, 1 to 1000; nil leaves it to the daemon (60).
    ///   - frames: with the corrections of the scene frame in between.
    ///   - predictAhead: each pose as it will be so many seconds later, up to 0.1; nil as it is.
    public func poses(
        rate: Double? = nil, frames: Bool = false, predictAhead: Double? = nil
    ) throws(WaymarkError) -> PoseUpdates {
        let parameters = SubscribeParameters(rate: rate, frame: frames ? true : nil, predictAhead: predictAhead)
        return PoseUpdates(try stream("org.waymark.Pose.Subscribe", parameters))
    }

    // MARK: status

    private struct StatusReply: Decodable { let status: Status }
    private struct DevicesReply: Decodable { let devices: [Device] }

    /// How the daemon and its sensors do.
    public func status() throws(WaymarkError) -> Status {
        try call("org.waymark.Status.GetStatus", StatusReply.self).status
    }

    /// The sensors found.
    public func devices() throws(WaymarkError) -> [Device] {
        try call("org.waymark.Status.ListDevices", DevicesReply.self).devices
    }

    // MARK: scene

    private struct AheadParameters: Encodable {
        let limit: Int?
        let radius: Double?
    }

    /// What lies ahead, the nearest first.
    ///
    /// - Parameters:
    ///   - limit: at most so many, 1 to 100; nil leaves it to the daemon (10).
    ///   - radius: within so many metres; nil leaves it to the daemon (500).
    public func ahead(limit: Int? = nil, radius: Double? = nil) throws(WaymarkError) -> [Item] {
        try call("org.waymark.Scene.GetAhead", AheadParameters(limit: limit, radius: radius), ItemsReply.self).items
    }

    /// What lies ahead, again once a second.
    public func aheadUpdates(limit: Int? = nil, radius: Double? = nil) throws(WaymarkError) -> ItemUpdates {
        ItemUpdates(try stream("org.waymark.Scene.GetAhead", AheadParameters(limit: limit, radius: radius)))
    }

    // MARK: recording

    private struct StartParameters: Encodable {
        let path: String
        let descriptor: Int?
    }

    private struct StartReply: Decodable { let path: String }

    /// Starts to record into a new file in the daemon's recording directory; returns its path.
    @discardableResult
    public func startRecording(path: String) throws(WaymarkError) -> String {
        let parameters = StartParameters(path: path, descriptor: nil)
        return try call("org.waymark.Recording.Start", parameters, StartReply.self).path
    }

    /// Starts to record into a file opened here, which the daemon gets a descriptor of; `name` is for messages only.
    @discardableResult
    public func startRecording(descriptor: Int32, name: String) throws(WaymarkError) -> String {
        let parameters = StartParameters(path: name, descriptor: 0)
        return try call("org.waymark.Recording.Start", parameters, StartReply.self, descriptors: [descriptor]).path
    }

    /// Ends the recording; the file is complete on return.
    public func stopRecording() throws(WaymarkError) -> Recording {
        try call("org.waymark.Recording.Stop", Recording.self)
    }

    // MARK: calls

    struct NoParameters: Encodable {}

    func call<Reply: Decodable>(_ method: String, _ reply: Reply.Type) throws(WaymarkError) -> Reply {
        try call(method, NoParameters(), reply)
    }

    func call<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable, _ reply: Reply.Type, descriptors: [Int32] = []
    ) throws(WaymarkError) -> Reply {
        try WaymarkClient.translating { () throws(VarlinkClient.Failure) in
            try client.call(method, parameters, descriptors: descriptors, reply: reply)
        }
    }

    func stream(
        _ method: String, _ parameters: some Encodable, descriptors: [Int32] = []
    ) throws(WaymarkError) -> VarlinkReplies {
        try WaymarkClient.translating { () throws(VarlinkClient.Failure) in
            try client.stream(method, parameters, descriptors: descriptors)
        }
    }

    static func translating<Value>(
        _ body: () throws(VarlinkClient.Failure) -> Value
    ) throws(WaymarkError) -> Value {
        do throws(VarlinkClient.Failure) {
            return try body()
        } catch {
            throw WaymarkError(error)
        }
    }
}
