import Glibc
import Linux
import Varlink
import WaymarkInterface

extension Waymark {
    /// Connection to the daemon, for programs that may block: every call has a timeout and can be cancelled.
    ///
    /// A subscription occupies the connection until it has ended; open a second connection for other calls. Not
    /// thread-safe.
    ///
    /// ```swift
    /// let client = try Waymark.Client()
    /// print("daemon \(try client.status().version)")
    /// print(try client.pose(predictAhead: 0.02).position)
    /// ```
    public final class Client {
        /// Socket of the system's daemon.
        public static let systemPath = "/run/waymark/waymark.sock"

        /// Socket of the daemon: WAYMARK_SOCKET if it is set; otherwise the socket of the system's daemon if it exists;
        /// otherwise the socket of a demonstration that this user runs, if there is one. See docs/protocol.md,
        /// "Connecting".
        public static var defaultPath: String {
            if let value = getenv("WAYMARK_SOCKET"), value.pointee != 0 { return String(cString: value) }
            guard access(systemPath, F_OK) != 0 else { return systemPath }
            let folder = UserFolder.path
            let demonstration = folder + "/waymark.sock"
            return UserFolder.isPrivate(folder) && access(demonstration, F_OK) == 0 ? demonstration : systemPath
        }

        private let client: VarlinkClient

        /// Connects.
        ///
        /// - Parameters:
        ///   - timeout: time limit for connecting and for each reply.
        ///   - cancel: a descriptor, such as a signalfd, that ends any wait when it becomes readable. It has to stay
        ///     open as long as the client exists.
        public init(
            path: String = Client.defaultPath, timeout: Duration = .seconds(5), cancel: Int32? = nil
        ) throws(WaymarkError) {
            client = try translating { () throws(VarlinkClient.Failure) in
                try VarlinkClient(path: path, timeout: timeout, cancel: cancel)
            }
        }

        /// Descriptor that is readable if data from the daemon has arrived or the daemon has closed the connection. It
        /// may only be polled.
        public var descriptor: Int32 { client.descriptor }

        /// Calls a method of any of the interfaces.
        ///
        /// - Parameter descriptors: file descriptors to send with the call, for methods that take one; they stay owned
        ///   by the caller.
        public func call<Method: InterfaceMethod>(
            _ method: Method, descriptors: [Int32] = []
        ) throws(WaymarkError) -> Method.Reply {
            try translating { () throws(VarlinkClient.Failure) in
                try client.call(Method.name, method, descriptors: descriptors, reply: Method.Reply.self)
            }
        }

        /// Calls a method with several replies.
        ///
        /// - Parameter descriptors: file descriptors to send with the call, for methods that take one; they stay owned
        ///   by the caller.
        public func stream<Method: InterfaceMethod>(
            _ method: Method, descriptors: [Int32] = []
        ) throws(WaymarkError) -> Updates<Method.Reply> {
            let replies = try translating { () throws(VarlinkClient.Failure) in
                try client.stream(Method.name, method, descriptors: descriptors)
            }
            return Updates { (timeout) throws(WaymarkError) in
                try translating { () throws(VarlinkClient.Failure) in
                    try replies.next(Method.Reply.self, timeout: timeout)
                }
            }
        }
    }
}

/// Makes a call and converts its errors to those of this library.
func translating<Value>(
    _ body: () throws(VarlinkClient.Failure) -> Value
) throws(WaymarkError) -> Value {
    do throws(VarlinkClient.Failure) {
        return try body()
    } catch {
        throw WaymarkError(error)
    }
}

/// Current and past poses.
extension Waymark.Client {
    /// Newest pose.
    ///
    /// - Parameter predictAhead: prediction time, up to 0.1; nil for no prediction. Unit: seconds.
    public func pose(predictAhead: Double? = nil) throws(WaymarkError) -> Waymark.Pose {
        try call(PoseInterface.GetPose(predictAhead: predictAhead)).pose
    }

    /// Pose at a time within the last ten minutes, interpolated between the poses published then.
    ///
    /// - Parameter clock: clock of `time`.
    public func pose(
        at time: Waymark.Time, clock: Waymark.Clock = .boottime
    ) throws(WaymarkError) -> Waymark.Pose {
        try call(PoseInterface.GetPose(time: time, clock: clock)).pose
    }

    /// Poses as they are published.
    ///
    /// - Parameters:
    ///   - rate: maximum rate, 1 to 1000; nil for the daemon's default (60). Unit: hertz.
    ///   - frames: whether corrections of the scene frame are included.
    ///   - predictAhead: prediction time, up to 0.1; nil for no prediction. Unit: seconds.
    public func poses(
        rate: Double? = nil, frames: Bool = false, predictAhead: Double? = nil
    ) throws(WaymarkError) -> Waymark.Updates<Waymark.PoseUpdate> {
        let method = PoseInterface.Subscribe(rate: rate, frame: frames ? true : nil, predictAhead: predictAhead)
        return try stream(method).compactMap {
            $0.pose.map(Waymark.PoseUpdate.pose) ?? $0.frame.map(Waymark.PoseUpdate.frame)
        }
    }
}

/// Health of the daemon, and recordings.
extension Waymark.Client {
    /// Health of the daemon and its sensors.
    public func status() throws(WaymarkError) -> Waymark.Status { try call(StatusInterface.GetStatus()).status }

    /// Detected sensors.
    public func devices() throws(WaymarkError) -> [Waymark.Device] { try call(StatusInterface.ListDevices()).devices }

    /// Open measurement sources of all programs, with the numbers of accepted and refused offers.
    public func aids() throws(WaymarkError) -> [Waymark.AidSource] { try call(AidInterface.List()).sources }

    /// Starts recording into a new file in the daemon's recording directory; returns its path.
    ///
    /// - Parameter poseRate: rate of recorded poses, 0 for every pose; nil for the daemon's own rate. Unit: hertz.
    @discardableResult
    public func startRecording(path: String, poseRate: Double? = nil) throws(WaymarkError) -> String {
        try call(RecordingInterface.Start(path: path, poseRate: poseRate)).path
    }

    /// Starts recording into a file that this program has opened and whose descriptor is passed to the daemon.
    ///
    /// - Parameters:
    ///   - name: name of the file for messages.
    ///   - poseRate: rate of recorded poses, 0 for every pose; nil for the daemon's own rate. Unit: hertz.
    @discardableResult
    public func startRecording(
        descriptor: Int32, name: String, poseRate: Double? = nil
    ) throws(WaymarkError) -> String {
        let call = RecordingInterface.Start(path: name, descriptor: 0, poseRate: poseRate)
        return try self.call(call, descriptors: [descriptor]).path
    }

    /// Ends the recording; the file is complete on return.
    public func stopRecording() throws(WaymarkError) -> Waymark.Recording {
        let reply = try call(RecordingInterface.Stop())
        return Waymark.Recording(
            path: reply.path, messages: reply.messages, bytes: reply.bytes, dropped: reply.dropped)
    }
}
