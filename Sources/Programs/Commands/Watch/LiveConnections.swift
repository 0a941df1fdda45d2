import Linux
import WaymarkClient
import Messages

/// What a live view shows, and when it ends.
package struct LiveRequest {
    /// Maximum rate of poses. Unit: hertz.
    let rate: Double
    /// Prediction time; nil for no prediction. Unit: seconds.
    let predictAhead: Double?
    /// Number of poses after which to end.
    let count: Int
    let deadline: Deadline

    package init(rate: Double, predictAhead: Double? = nil, count: Int = .max, deadline: Deadline = .never) {
        self.rate = rate
        self.predictAhead = predictAhead
        self.count = count
        self.deadline = deadline
    }

    /// Time within which a daemon that was just started has to listen. Unit: seconds.
    private static let startSeconds = 5.0

    /// Connects to a daemon that is running or starting.
    func connect<Connection>(
        _ connect: () throws(WaymarkError) -> Connection
    ) throws(WaymarkError) -> Connection {
        try DaemonSocket.connect(until: deadline.orEarlier(Deadline(seconds: Self.startSeconds)), connect)
    }
}

/// Connections to the daemon for a live view: poses, scene, items ahead, health, and aid sources.
///
/// Calls do not block: each reads the data that has arrived. After the daemon's end, a new connection is tried once a
/// second.
package final class LiveConnections {
    private let request: LiveRequest
    private let socket: String
    private var feeds: Feeds
    private var plan = PlanQuestion()
    private var state = Waymark.SceneState()
    /// Loss of the daemon: boot time (nanoseconds), and the texts for the view; nil while the daemon answers.
    private var loss: (time: Int64, utc: String, problem: String)?
    private var isConnected = true
    private var retryAt: Int64 = 0

    /// Interval of connection attempts, and of requests for health and sources. Unit: nanoseconds.
    private static let second: Int64 = 1_000_000_000
    /// Pause before a refused stream is requested again. Unit: nanoseconds.
    private static let refusalPause: Int64 = 5_000_000_000
    /// Pause before a stream without data is requested again. Unit: nanoseconds.
    private static let absencePause: Int64 = 250_000_000

    /// Connects to the daemon.
    ///
    /// - Parameter socket: the daemon's socket.
    package init(_ request: LiveRequest, socket: String = Waymark.Client.defaultPath) throws(WaymarkError) {
        (self.request, self.socket) = (request, socket)
        feeds = try Feeds(request, socket)
    }

    // MARK: - Reading data

    /// Updates the view.
    ///
    /// - Parameters:
    ///   - limit: maximum number of poses to read.
    ///   - now: current boot time. Unit: nanoseconds.
    /// - Returns: number of poses read.
    /// - Throws: permanent refusals of the daemon; a lost connection is shown in the view instead.
    package func update(
        _ view: inout LiveView, limit: Int, now: Int64 = BootClock.nanoseconds
    ) throws(WaymarkError) -> Int {
        var taken = 0
        do throws(WaymarkError) {
            if !isConnected, now >= retryAt { try reconnect(&view, now) }
            if isConnected {
                taken = try takePoses(&view, now, limit)
                let hasHealth = try takeOthers(&view, now)
                // A connection without data does not end the loss.
                if taken > 0 || hasHealth { loss = nil }
            }
        } catch {
            guard error.isOfConnection else { throw error }
            lose(error, &view, now)
        }
        view.link =
            loss.map { .away(since: $0.utc, seconds: Double(now - $0.time) * 1e-9, problem: $0.problem) } ?? .connected
        return taken
    }

    private func takePoses(_ view: inout LiveView, _ now: Int64, _ limit: Int) throws(WaymarkError) -> Int {
        var taken = 0
        do throws(WaymarkError) {
            while taken < limit, let update = try feeds.poses.next(now) {
                switch update {
                case .frame(let frame): view.frame = frame
                case .pose(let pose):
                    view.show(pose, at: Double(now) * 1e-9)
                    taken += 1
                }
            }
            if feeds.poses.hasEnded { throw .disconnected }
        } catch {
            guard case .pose(.notReady) = error else { throw error }
            feeds.poses.pause(until: now + Self.absencePause)
        }
        return taken
    }

    /// Returns whether the daemon has reported its health.
    private func takeOthers(_ view: inout LiveView, _ now: Int64) throws(WaymarkError) -> Bool {
        let scenes = try take(&feeds.scene, now) { view.show(nil) }
        if !scenes.isEmpty { try apply(scenes, &view) }
        if let items = try take(&feeds.ahead, now, none: { view.ahead = [] }).last { view.ahead = items }
        let health = try take(&feeds.status, now, none: { view.status = nil }).last
        if let health { view.status = health.status }
        if feeds.status.hasEnded { feeds.status.pause(until: now + Self.second) }
        if let list = try take(&feeds.aids, now, none: { view.aids = [] }).last { view.aids = list.sources }
        if feeds.aids.hasEnded { feeds.aids.pause(until: now + Self.second) }
        try takePlan(&view, now)
        return health != nil
    }

    /// Requests the lines of the plan in use, unless the view already has the lines around the wearer.
    private func takePlan(_ view: inout LiveView, _ now: Int64) throws(WaymarkError) {
        guard let use = view.status?.plan, use.state != .unfit, let geo = view.pose?.geo else {
            view.plan = nil
            plan = PlanQuestion()
            return
        }
        do throws(WaymarkError) {
            if plan.isDue(use, at: geo, now) {
                plan.ask(use, at: geo, now, by: try Feeds.client(socket))
            }
            guard plan.feed != nil, let center = plan.center else { return }
            if let lines = try take(&plan.feed!, now, none: { view.plan = nil }).last {
                view.plan = RadarPlan(lines, about: center)
            }
        } catch {
            // A refusal because of the daemon's connection limit must not end the other connections; the plan is
            // requested again later.
            guard error.isOfConnection else { throw error }
            view.plan = nil
            plan.giveUp(until: now + Self.refusalPause)
        }
    }

    private func apply(_ scenes: [Waymark.Scene], _ view: inout LiveView) throws(WaymarkError) {
        do throws(Waymark.SceneState.Break) {
            for scene in scenes { try state.apply(scene) }
        } catch {
            throw .unexpected("a scene update that does not follow the previous one")
        }
        view.show(state)
    }

    /// Takes the values that a feed has received. If the daemon refuses the feed, as a daemon of another version may,
    /// skips it and requests it again later.
    private func take<Value>(
        _ feed: inout Feed<Value>, _ now: Int64, none: () -> Void
    ) throws(WaymarkError) -> [Value] {
        var values: [Value] = []
        do throws(WaymarkError) {
            while values.count < Self.maximumCountAtOnce, let value = try feed.next(now) { values.append(value) }
        } catch {
            guard !error.isOfConnection else { throw error }
            none()
            feed.pause(until: now + Self.refusalPause)
        }
        return values
    }

    /// Maximum number of messages read for one picture, in case a daemon sends too many.
    private static let maximumCountAtOnce = 100

    // MARK: - Loss and return of the daemon

    private func lose(_ error: WaymarkError, _ view: inout LiveView, _ now: Int64) {
        let utc = UTCTime(nanoseconds: now + BootClock.realtimeOffsetNanoseconds).description
        loss = (loss?.time ?? now, loss?.utc ?? "\(utc.dropFirst(11).prefix(8)) UTC", "\(error)")
        (isConnected, retryAt) = (false, now + Self.second)
    }

    private func reconnect(_ view: inout LiveView, _ now: Int64) throws(WaymarkError) {
        feeds = try Feeds(request, socket)
        (isConnected, state) = (true, Waymark.SceneState())
        // Removes data of the previous daemon.
        view.show(nil)
        (view.frame, view.ahead, view.aids, view.plan) = (nil, [], [], nil)
        plan = PlanQuestion()
    }
}

/// The connections of a live view. Either all are made or none, so that after a loss there are never connections to two
/// daemons.
private struct Feeds {
    var poses: Feed<Waymark.PoseUpdate>
    var scene: Feed<Waymark.Scene>
    var ahead: Feed<[Waymark.Item]>
    var status: Feed<StatusInterface.GetStatus.Reply>
    var aids: Feed<AidInterface.List.Reply>

    /// Rate of scene messages. It can be low, because bearings and distances change at walking pace, and the heading
    /// comes with the poses. Unit: hertz.
    private static let sceneRate = 4.0
    /// Time limit of an attempt to connect.
    private static let patience: Duration = .milliseconds(500)

    init(_ request: LiveRequest, _ socket: String) throws(WaymarkError) {
        poses = Feed(try Self.client(socket)) { (client) throws(WaymarkError) in
            try client.poses(rate: request.rate, frames: true, predictAhead: request.predictAhead)
        }
        scene = Feed(try Self.client(socket)) { (client) throws(WaymarkError) in
            try client.scenes(rate: Self.sceneRate, hints: 0, acceptLanguage: Language.english.rawValue)
        }
        ahead = Feed(try Self.client(socket)) { (client) throws(WaymarkError) in
            try client.aheadUpdates(limit: LiveView.aheadLimit)
        }
        status = Feed(try Self.client(socket)) { (client) throws(WaymarkError) in
            try client.stream(StatusInterface.GetStatus())
        }
        aids = Feed(try Self.client(socket)) { (client) throws(WaymarkError) in
            try client.stream(AidInterface.List())
        }
    }

    static func client(_ socket: String) throws(WaymarkError) -> Waymark.Client {
        try Waymark.Client(path: socket, timeout: patience)
    }
}

/// Request for the lines of the plan around the wearer.
private struct PlanQuestion {
    private var plan = ""
    private var level = ""
    /// Location of the last request; nil if there is none.
    private(set) var center: Waymark.Location?
    private var askedAt: Int64 = 0
    private var pausedUntil: Int64 = 0
    var feed: Feed<Waymark.PlanLines>?

    /// Distance from the location of the last request beyond which the lines are requested again. Unit: degrees; 55 m
    /// of latitude.
    private static let moved = 5e-4
    /// Minimum interval of requests. Unit: nanoseconds.
    private static let pause: Int64 = 2_000_000_000

    func isDue(_ use: Waymark.PlanUse, at geo: Waymark.Geo, _ now: Int64) -> Bool {
        guard now >= pausedUntil else { return false }
        guard let center else { return true }
        let isOther = use.plan != plan || use.level != level
        let isFar = max(abs(geo.latitude - center.latitude), abs(geo.longitude - center.longitude)) > Self.moved
        return (isOther || isFar) && now - askedAt >= Self.pause
    }

    /// Drops the last request and postpones the next one.
    mutating func giveUp(until time: Int64) {
        feed = nil
        center = nil
        pausedUntil = time
    }

    mutating func ask(_ use: Waymark.PlanUse, at geo: Waymark.Geo, _ now: Int64, by client: Waymark.Client) {
        (plan, level, askedAt) = (use.plan, use.level, now)
        let near = Waymark.Location(latitude: geo.latitude, longitude: geo.longitude)
        center = near
        feed = Feed(client) { [plan, level] (client) throws(WaymarkError) in
            try client.stream(PlanInterface.GetLines(id: plan, level: level, near: near))
        }
    }
}

/// Values that one method of the daemon sends, on a connection of their own.
private struct Feed<Value> {
    private let client: Waymark.Client
    private let begin: (Waymark.Client) throws(WaymarkError) -> Waymark.Updates<Value>
    private var updates: Waymark.Updates<Value>?
    private var pausedUntil: Int64 = 0
    /// Whether the daemon has sent the last reply.
    private(set) var hasEnded = false

    init(
        _ client: Waymark.Client, _ begin: @escaping (Waymark.Client) throws(WaymarkError) -> Waymark.Updates<Value>
    ) {
        (self.client, self.begin) = (client, begin)
    }

    /// Returns the next value that has arrived; nil if none has arrived, or after the last reply.
    mutating func next(_ now: Int64) throws(WaymarkError) -> Value? {
        guard now >= pausedUntil, !hasEnded else { return nil }
        do throws(WaymarkError) {
            if updates == nil { updates = try begin(client) }
            if let value = try updates?.next(timeout: .zero) { return value }
            hasEnded = true
            return nil
        } catch {
            guard case .timedOut = error else { throw error }
            return nil
        }
    }

    /// Postpones the next request until `time` on the boot clock. Unit: nanoseconds.
    mutating func pause(until time: Int64) { (updates, pausedUntil, hasEnded) = (nil, time, false) }
}

extension WaymarkError {
    /// Whether the error means that there is no usable connection.
    fileprivate var isOfConnection: Bool {
        switch self {
        case .unreachable, .notASocket, .connectionDenied, .disconnected, .timedOut, .status(.limitExceeded): true
        default: false
        }
    }
}
