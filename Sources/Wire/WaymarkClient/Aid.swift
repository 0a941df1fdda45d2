import Linux
import Varlink
import WaymarkInterface

extension Waymark {
    /// Source of measurements that correct the daemon's estimate: a camera's odometry, positions, sightings, ranges,
    /// headings, heights. docs/aiding.md describes their axes, accuracies and use.
    ///
    /// The source is open until `close` or the end of this object's life. If the connection has ended, for example
    /// because the daemon restarted, an offer reconnects and reopens the source, at most ten times per second; offers
    /// between these attempts return false immediately.
    ///
    /// Each offer returns whether it was delivered, and throws the error with which the daemon refuses it. If `waits`
    /// is false, an offer does not wait for the answer, and does not throw if it is refused; `Client.aids` returns the
    /// number of refused offers. Not thread-safe.
    ///
    /// ```swift
    /// let camera = try Waymark.Aid("camera", kinds: [.odometry], latency: 0.01)
    /// try camera.offerOdometry(
    ///     position: Waymark.Vector(x: 0, y: 1.6, z: 0), orientation: Waymark.Quaternion(x: 0, y: 0, z: 0, w: 1))
    /// ```
    public final class Aid {
        /// Minimum interval between two connection attempts. Unit: ns.
        private static let pause: Int64 = 100_000_000

        /// Name of the source.
        public var source: String { description.source }

        private let path: String
        private let description: AidInterface.Open
        private let timeout: Duration
        private let waits: Bool
        private var client: VarlinkClient?
        /// Time at which the next connection attempt is due, on the clock of `Reactor.now`. Unit: ns.
        private var isDue: Int64 = 0

        /// Opens a source.
        ///
        /// - Parameters:
        ///   - source: name of the source: 1 to 16 of the characters a-z, 0-9, hyphen, underscore and dot, the first a
        ///     letter.
        ///   - kinds: kinds of measurements to offer.
        ///   - mount: mount of the sensor; nil if its axes and its position are the board's.
        ///   - latency: delay of the timestamps, 0 to 1, which is subtracted from each timestamp. Unit: seconds.
        ///   - waits: whether offers wait for the daemon's answer.
        ///   - timeout: time limit for each of these steps: connecting, sending, waiting for an answer.
        public init(
            _ source: String, kinds: [AidKind], mount: AidMount? = nil, latency: Double = 0, waits: Bool = true,
            path: String = Client.defaultPath, timeout: Duration = .seconds(5)
        ) throws(WaymarkError) {
            description = AidInterface.Open(
                source: source, kinds: WordSet(kinds), bodyFromSensor: mount, latency: latency)
            self.path = path
            self.timeout = timeout
            self.waits = waits
            client = try translating { () throws(VarlinkClient.Failure) in try open() }
        }

        deinit { close() }

        /// Closes the source. A later offer opens it again.
        ///
        /// If `waits` is false, this call waits, up to the timeout, until the daemon has read the offers. Otherwise the
        /// end of the connection could overtake them.
        public func close() {
            if let client, !waits {
                _ = try? client.call(
                    AidInterface.Close.name, AidInterface.Close(source: source), reply: AidInterface.Close.Reply.self)
            }
            client = nil
        }

        private func open() throws(VarlinkClient.Failure) -> VarlinkClient {
            let client = try VarlinkClient(path: path, timeout: timeout)
            _ = try client.call(AidInterface.Open.name, description, reply: AidInterface.Open.Reply.self)
            return client
        }

        /// Client with an open source; connects if there is none and an attempt is due, and otherwise returns nil.
        private func connected() throws(VarlinkClient.Failure) -> VarlinkClient? {
            if let client { return client }
            guard Reactor.now >= isDue else { return nil }
            isDue = Reactor.now + Self.pause
            client = try open()
            return client
        }

        /// Offers a measurement; returns false if there is no connection.
        private func offer<Method: InterfaceMethod>(_ method: Method) throws(WaymarkError) -> Bool {
            do throws(VarlinkClient.Failure) {
                guard let client = try connected() else { return false }
                if waits {
                    _ = try client.call(Method.name, method, reply: Method.Reply.self)
                } else {
                    try client.notify(Method.name, method)
                }
                return true
            } catch {
                if isLasting(error) { throw WaymarkError(error) }
                client = nil
                return false
            }
        }

        /// Whether a new connection would fail in the same way. A reached limit and a source that is already open may
        /// be temporary while the source is being opened, because the daemon may still count this object's previous
        /// connection.
        private func isLasting(_ failure: VarlinkClient.Failure) -> Bool {
            switch WaymarkError(failure) {
            case .unreachable, .notASocket, .disconnected, .timedOut: false
            case .aid(.alreadyOpen), .status(.limitExceeded): client != nil
            default: true
            }
        }
    }
}

/// Offers. `time` is when the measurement was made, on CLOCK_BOOTTIME (for a camera, the middle of the exposure); nil
/// for the time of the call. Unit: ns.
extension Waymark.Aid {
    /// Offers the pose of the sensor in its own upright frame, whose y axis is up.
    ///
    /// - Parameters:
    ///   - orientation: rotation from the sensor's axes to that frame.
    ///   - reset: a number that changes whenever the frame changes.
    ///   - tracking: quality of the tracking, from 0 (lost) to 1 (normal).
    @discardableResult
    public func offerOdometry(
        position: Waymark.Vector, orientation: Waymark.Quaternion, reset: UInt32 = 0, tracking: Double = 1,
        time: Int64? = nil
    ) throws(WaymarkError) -> Bool {
        try offer(
            AidInterface.OfferOdometry(
                source: source, time: moment(time), position: position, orientation: orientation, reset: Int(reset),
                tracking: tracking))
    }

    /// Offers the position of the board.
    ///
    /// - Parameters:
    ///   - horizontalAccuracy: 68 % radius. Unit: metres.
    ///   - verticalAccuracy: standard deviation of the height; nil for twice the horizontal accuracy. Unit: metres.
    @discardableResult
    public func offerPosition(
        _ position: Waymark.Location, horizontalAccuracy: Double, verticalAccuracy: Double? = nil, time: Int64? = nil
    ) throws(WaymarkError) -> Bool {
        try offer(
            AidInterface.OfferPosition(
                source: source, time: moment(time), position: position, horizontalAccuracy: horizontalAccuracy,
                verticalAccuracy: verticalAccuracy))
    }

    /// Offers the direction in which a point or the sun is seen.
    ///
    /// - Parameters:
    ///   - direction: unit vector from the sensor, in its own axes.
    ///   - point: the point; nil for the sun.
    ///   - accuracy: standard deviation about each axis. Unit: degrees.
    @discardableResult
    public func offerSighting(
        _ direction: Waymark.Vector, of point: Waymark.Location?, accuracy: Double, time: Int64? = nil
    ) throws(WaymarkError) -> Bool {
        try offer(
            AidInterface.OfferSighting(
                source: source, time: moment(time), direction: direction, point: point, sun: point == nil ? true : nil,
                accuracy: accuracy))
    }

    /// Offers the distance of the board from a known point, with its standard deviation. Unit: metres.
    @discardableResult
    public func offerRange(
        _ range: Double, from beacon: Waymark.Geo, accuracy: Double, time: Int64? = nil
    ) throws(WaymarkError) -> Bool {
        try offer(
            AidInterface.OfferRange(
                source: source, time: moment(time), beacon: beacon, range: range, accuracy: accuracy))
    }

    /// Offers the azimuth of the body's −z axis, clockwise from true north, with its standard deviation. Unit: degrees.
    @discardableResult
    public func offerHeading(_ heading: Double, accuracy: Double, time: Int64? = nil) throws(WaymarkError) -> Bool {
        try offer(
            AidInterface.OfferHeading(source: source, time: moment(time), heading: heading, accuracy: accuracy))
    }

    /// Offers the height of the board above the ellipsoid, with its standard deviation. Unit: metres.
    @discardableResult
    public func offerHeight(_ height: Double, accuracy: Double, time: Int64? = nil) throws(WaymarkError) -> Bool {
        try offer(AidInterface.OfferHeight(source: source, time: moment(time), height: height, accuracy: accuracy))
    }

    private func moment(_ time: Int64?) -> Waymark.Time { Waymark.Time(nanoseconds: time ?? Waymark.now) }
}

extension Waymark {
    /// Current time of CLOCK_BOOTTIME, the clock of all poses. Unit: ns.
    public static var now: Int64 { BootClock.nanoseconds }

    /// Converts a time on CLOCK_MONOTONIC, the clock of V4L2, GStreamer and OpenXR, to CLOCK_BOOTTIME. The time must be
    /// later than the computer's last suspend, because CLOCK_MONOTONIC stops during a suspend. Unit: ns.
    public static func boottime(monotonic: Int64) -> Int64 { monotonic + BootClock.monotonicOffsetNanoseconds }
}
