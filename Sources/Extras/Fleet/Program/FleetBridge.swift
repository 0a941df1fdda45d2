import Configuration
import Geometry
import Glibc
import JSON
import Linux
import WaymarkInterface

/// `waymark-mqtt`: one wearer's poses, state and events at a broker, on the reactor's thread beside the one that talks
/// to the broker.
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
    /// Where the wearer is, as it may be published; nil while that is not known or withheld.
    private var published: PositionPrivacy.Published?
    private var status: StatusInterface.Status?
    private var withheld: Int64 = 0
    /// Events that the daemon no longer had when they were asked for.
    private var missedEvents: Int64 = 0
    private var json = JSONWriter(capacity: 1024)
    /// Events whose pose has not come yet, the oldest first.
    private var waiting: [SceneInterface.Event] = []
    /// When the clock was last compared with that of the poses. Unit: ns.
    private var clockChecked: Int64 = .min

    /// Time of the newest position, CLOCK_BOOTTIME. Unit: ns.
    private var newest: Int64 = 0

    /// Unit: ns.
    private static let clockInterval: Int64 = 10_000_000_000
    /// Time between an event and a position that are at the same place. Unit: ns.
    private static let nearby: UInt64 = 3_000_000_000
    /// Time that an event waits for the pose after it, and after which a position is too old. Unit: ns.
    private static let patience: Int64 = 3_000_000_000
    /// The most events that wait for a pose.
    private static let mostWaiting = 256
    private static let second: Int64 = 1_000_000_000

    /// Checks the settings, opens the queue and begins to connect.
    ///
    /// - Parameter version: of this program.
    /// - Throws: `FleetSettings.Problem` for settings that do not suffice; `OutboundQueue.Problem`; `SystemError` if
    ///   the event loop cannot start.
    package init(_ configuration: Configuration, version: String) throws {
        let settings = try FleetSettings(configuration.mqtt)
        self.settings = configuration.mqtt
        identifier = settings.topics.identifier
        privacy = settings.privacy
        poseRate = settings.poseRate
        ownTracksRate = settings.ownTracksRate
        let reactor = try Reactor()
        self.reactor = reactor
        // Before other threads start, which inherit what is blocked.
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

    /// For the service manager's status line.
    package var statusLine: String { "\(identifier): \(publisher.statusLine)" }

    /// Publishes until SIGINT or SIGTERM.
    ///
    /// - Parameter heartbeat: called this often by the event loop. Unit: ns.
    /// - Throws: `OutboundQueue.Problem` if the queue's file turns out to be damaged: the next start puts it aside.
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
        guard let geo = pose.geo,
            let position = GeodeticPosition(
                latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: geo.height)
        else { return losePosition() }
        published = privacy.publish(
            position, horizontalAccuracy: pose.accuracy.horizontalAccuracy,
            verticalAccuracy: pose.accuracy.verticalAccuracy, at: time)
        newest = time
        publisher.state.isWithheld = privacy.isWithheld
        // Movements within a cell must not show by when poses are published.
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

    /// Publishes the events that the wearer's position is known for, in order.
    private func publishEvents() {
        let now = BootClock.nanoseconds
        while let event = waiting.first {
            let time = event.time.nanoseconds ?? 0
            guard newest >= time || now &- time > Self.patience || waiting.count > Self.mostWaiting else { return }
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
        // One that the daemon had kept for this program happened elsewhere.
        let position = (newest &- time).magnitude < Self.nearby ? published : nil
        let body = EventMessage.members(event, at: position, isCoarse: privacy.isCoarse, into: &json)
        publisher.publishEvent(time: time, body: body, cursor: cursor)
    }

    /// Forgets a position that is too old to say where the wearer is.
    private func tick() {
        if queue.isDamaged { reactor.stop() }
        if published != nil || !privacy.isWithheld, BootClock.nanoseconds &- newest > Self.patience { losePosition() }
        publishEvents()
    }

    /// The poses' UTC, which the receiver has determined, is better than that of the computer's clock.
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
    /// The computer's clock as it is now.
    static var system: ClockReading {
        ClockReading(
            offset: BootClock.realtimeOffsetNanoseconds,
            quality: BootClock.isRealtimeSynchronised == true ? .system : .unsynchronized)
    }
}
