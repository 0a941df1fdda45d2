import Configuration
import Geometry
import Glibc
import JSON
import Linux
import Messages
import WaymarkInterface

/// `waymark-mqtt`: publishes one wearer's poses, state and events at a broker. It runs on the reactor's thread, and
/// another thread communicates with the broker.
package final class FleetBridge {
    private let reactor: Reactor
    private let settings: Configuration.MQTT
    private let identifier: String
    private let queue: OutboundQueue
    private let publisher: WearerPublisher
    private var source: DaemonSource?
    private let signals: SignalWatch

    private var privacy: PositionPrivacy
    private var poseRate: PublishingRate
    private var ownTracksRate: PublishingRate
    /// Position of the wearer that may be published; nil while it is unknown or withheld.
    private var published: PositionPrivacy.Published?
    private var status: StatusInterface.Status?
    private var withheld: Int64 = 0
    /// Number of events that the daemon no longer had when they were requested.
    private var missedEvents: Int64 = 0
    private var json = JSONWriter(capacity: 1024)
    /// Events whose pose has not arrived yet, oldest first.
    private var waiting: [SceneInterface.Event] = []
    /// Time at which the clock was last compared with that of the poses. Unit: ns.
    private var clockChecked: Int64 = .min

    /// Time of the newest position, CLOCK_BOOTTIME. Unit: ns.
    private var newest: Int64 = 0

    /// Interval at which the clock is compared with that of the poses. Unit: ns.
    private static let clockInterval: Int64 = 10_000_000_000
    /// Maximum time difference between an event and a position for the position to count as the place of the event.
    /// Unit: ns.
    private static let nearby: UInt64 = 3_000_000_000
    /// Maximum time that an event waits for the next pose, and age above which a position is too old. Unit: ns.
    private static let patience: Int64 = 3_000_000_000
    /// Maximum number of events that wait for a pose.
    private static let maximumWaitingCount = 256
    private static let second: Int64 = 1_000_000_000

    /// Checks the settings, opens the queue and starts connecting.
    ///
    /// - Throws: `FleetSettings.Problem` for insufficient settings; `OutboundQueue.Problem`; `SystemError` if the event
    ///   loop cannot start.
    package init(_ configuration: Configuration, version: String) throws {
        let settings = try FleetSettings(configuration.mqtt)
        self.settings = configuration.mqtt
        identifier = settings.topics.identifier
        privacy = settings.privacy
        poseRate = settings.poseRate
        ownTracksRate = settings.ownTracksRate
        let reactor = try Reactor()
        self.reactor = reactor
        // The signals are blocked before other threads start, because threads inherit the signal mask.
        signals = try SignalWatch(reactor, [SIGINT, SIGTERM]) { [unowned reactor] _ in reactor.stop() }
        queue = try OutboundQueue(
            folder: configuration.mqtt.directory, limit: configuration.mqtt.queueMegabytes * 1_000_000,
            owner: settings.owner, bootIdentifier: BootClock.bootIdentifier, clock: .system,
            now: BootClock.nanoseconds)
        publisher = try WearerPublisher(
            reactor, settings.topics, settings.access, brokers: settings.brokers, queue: queue, version: version)
        source = DaemonSource(
            reactor, socket: configuration.service.socket, poseRate: configuration.mqtt.poseRateHz,
            statusInterval: configuration.mqtt.healthIntervalSeconds, cursor: { [queue] in queue.cursor },
            handler: { [unowned self] in take($0) })
    }

    /// Text for the service manager's status line.
    package var statusLine: String { "\(identifier): \(publisher.statusLine)" }

    /// Publishes until SIGINT or SIGTERM.
    ///
    /// - Parameter heartbeat: called by the event loop at this interval. Unit: ns.
    /// - Throws: `OutboundQueue.Problem` if the queue's file turns out to be damaged. The next start moves it aside.
    package func run(every interval: Int64?, heartbeat: @escaping () -> Void) throws(OutboundQueue.Problem) {
        if let interval { reactor.every(interval, handler: heartbeat) }
        reactor.every(Self.second) { [unowned self] in tick() }
        reactor.every(Int64(settings.healthIntervalSeconds * 1e9)) { [unowned self] in publishHealth() }
        reactor.run()
        source?.close()
        publisher.close()
        if queue.isDamaged, let problem = queue.problem { throw OutboundQueue.Problem(problem) }
    }

    // MARK: - From the daemon

    private func take(_ event: DaemonSource.Event) {
        switch event {
        case .pose(let pose): take(pose)
        case .scene(let scene): take(scene)
        case .status(let status): self.status = status
        case .lost: lose()
        }
    }

    private func take(_ pose: PoseInterface.Pose) {
        publisher.state.hasDaemon = true
        publisher.state.state = pose.state
        publisher.state.reasons = pose.reasons
        publisher.state.motion = pose.motion?.mode
        guard let time = pose.time.nanoseconds else { return losePosition() }
        followClock(pose, time)
        guard let position = pose.geo.flatMap(GeodeticPosition.init) else { return losePosition() }
        published = privacy.publish(
            position, horizontalAccuracy: pose.accuracy.horizontalAccuracy,
            verticalAccuracy: pose.accuracy.verticalAccuracy, at: time)
        newest = time
        publisher.state.isWithheld = privacy.isWithheld
        // The published position also decides when to publish, because the timing of poses must not reveal movements
        // within a cell.
        publish(pose, at: published?.position ?? position, time)
        publishEvents()
    }

    private func publish(_ pose: PoseInterface.Pose, at position: GeodeticPosition, _ time: Int64) {
        let isPoseDue = poseRate.takes(position, at: time)
        let isLocationDue = settings.ownTracks && ownTracksRate.takes(position, at: time)
        guard isPoseDue || isLocationDue else { return }
        guard let published else {
            withheld += 1
            return
        }
        if isPoseDue {
            let body = PoseMessage.members(pose, at: published, isCoarse: privacy.isCoarse, into: &json)
            publisher.publish(.pose, time: time, body: body)
        }
        if isLocationDue {
            let body = OwnTracksMessage.members(
                pose, at: published, isCoarse: privacy.isCoarse, identifier: identifier, into: &json)
            publisher.publish(.ownTracks, time: time, body: body)
        }
    }

    private func take(_ scene: SceneNews) {
        publisher.state.readiness = scene.readiness
        publisher.state.route = scene.route
        missedEvents &+= Int64(scene.eventsDropped)
        let known = waiting.last?.sequence.map(Int64.init) ?? queue.cursor ?? .min
        waiting += scene.events.filter { $0.sequence.map { Int64($0) > known } ?? true }
        publishEvents()
    }

    /// Publishes waiting events in order. Each waits until the wearer's position at its time is known, up to a time
    /// limit.
    private func publishEvents() {
        let now = BootClock.nanoseconds
        while let event = waiting.first {
            let time = event.time.nanoseconds ?? 0
            guard newest >= time || now &- time > Self.patience || waiting.count > Self.maximumWaitingCount else {
                return
            }
            waiting.removeFirst()
            publish(event, at: time)
        }
    }

    private func publish(_ event: SceneInterface.Event, at time: Int64) {
        let cursor = event.sequence.map(Int64.init)
        let mayLeave = privacy.permitsEvent(at: time) && (newest >= time || !privacy.hasAreas)
        guard EventMessage.isPublished(event), mayLeave else {
            if EventMessage.isPublished(event) { withheld += 1 }
            if let cursor { queue.skipEvent(cursor: cursor) }
            return
        }
        // An event that the daemon has retained for this program may have happened at another position.
        let position = (newest &- time).magnitude < Self.nearby ? published : nil
        let body = EventMessage.members(event, at: position, isCoarse: privacy.isCoarse, into: &json)
        publisher.publishEvent(time: time, body: body, cursor: cursor)
    }

    /// Drops a position that is too old, and publishes events that have waited long enough.
    private func tick() {
        if queue.isDamaged { reactor.stop() }
        if published != nil || !privacy.isWithheld, BootClock.nanoseconds &- newest > Self.patience { losePosition() }
        publishEvents()
    }

    /// Adopts the UTC of the poses, which is better than the computer's clock once the receiver has set it.
    private func followClock(_ pose: PoseInterface.Pose, _ time: Int64) {
        let now = BootClock.nanoseconds
        guard clockChecked == .min || now &- clockChecked > Self.clockInterval else { return }
        clockChecked = now
        queue.setClock(
            pose.utc.map { ClockReading(offset: $0.nanoseconds &- time, quality: .gnss) } ?? .system)
    }

    private func losePosition() {
        published = nil
        privacy.lose()
        publisher.state.isWithheld = privacy.isWithheld
    }

    private func lose() {
        losePosition()
        status = nil
        publisher.state = StateMessage()
        publisher.state.isWithheld = privacy.isWithheld
    }

    private func publishHealth() {
        var health = HealthMessage()
        health.status = status
        health.counts = publisher.counts
        health.counts.withheld = withheld
        health.counts.lostEvents += missedEvents
        publisher.publish(health)
    }
}

extension ClockReading {
    /// Current reading of the computer's clock.
    static var system: ClockReading {
        ClockReading(
            offset: BootClock.realtimeOffsetNanoseconds,
            quality: BootClock.isRealtimeSynchronised == true ? .system : .unsynchronized)
    }
}
