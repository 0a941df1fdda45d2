import Configuration
import Geometry
import Glibc
import JSON
import Linux
import Messages
import WaymarkInterface

/// Simulates wearers at a broker for a limited time. Each has its own queue and connection, as a board has.
package final class FleetSimulation {
    /// Maximum number of wearers. It is limited because libmosquitto waits with select(2), which accepts only
    /// descriptors below 1024, and a wearer has eight descriptors.
    package static let maximumWearerCount = 100

    package struct Plan: Sendable {
        /// The broker, or the nodes of a cluster.
        package var brokers: [BrokerAddress]
        package var wearers = 10
        /// Poses per second of each wearer.
        package var poseRate = 1.0
        /// Time between two events of a wearer; 0 for none. Unit: seconds.
        package var eventInterval = 10.0
        /// Duration. Unit: seconds.
        package var duration = 60.0
        /// First part of the topics.
        package var root = "waymark"
        /// Prefix of identifiers, followed by a number.
        package var prefix = "trial"
        /// Folder of the queues.
        package var folder: String
        /// Maximum size of one wearer's waiting messages. Unit: bytes.
        package var queueLimit = 4_000_000
        /// Identity of the wearers at the broker; the client identifier is replaced by each wearer's own.
        package var access = BrokerAccess(clientIdentifier: "")

        package init(brokers: [BrokerAddress], folder: String) {
            self.brokers = brokers
            self.folder = folder
        }
    }

    /// Results for the messages of all wearers.
    package struct Result: Sendable {
        package var poses: Int64 = 0
        package var events: Int64 = 0
        package var counts = HealthMessage.Counts()
        /// Processor time of this program. Unit: seconds.
        package var processorSeconds = 0.0
    }

    private struct Member {
        let walk: SimulatedWearer
        let queue: OutboundQueue
        let publisher: WearerPublisher
        var poses: Int64 = 0
        var events: Int64 = 0
    }

    private let reactor: Reactor
    private let plan: Plan
    private let signals: SignalWatch
    private var members: [Member] = []
    private var timers: [TimerIdentifier] = []
    private var privacy = PositionPrivacy(gridMetres: 0, areas: [])
    private var json = JSONWriter(capacity: 1024)
    private var isEnding = false

    /// Time for the queues to empty at the end. Unit: ns.
    private static let patience: Int64 = 30_000_000_000
    /// Zürich, as in the demonstration.
    private static let origin = GeodeticPosition(
        latitudeDegrees: 47.3769, longitudeDegrees: 8.5417, ellipsoidalHeight: 460)!

    /// Creates queues and connections.
    ///
    /// - Throws: `OutboundQueue.Problem`, and `SystemError` if a folder cannot be made.
    package init(_ plan: Plan, version: String) throws {
        self.plan = plan
        let reactor = try Reactor()
        self.reactor = reactor
        signals = try SignalWatch(reactor, [SIGINT, SIGTERM]) { [unowned reactor] _ in reactor.stop() }
        members.reserveCapacity(plan.wearers)
        for number in 0..<plan.wearers {
            members.append(try Self.member(number, plan, reactor, version))
        }
    }

    private static func member(
        _ number: Int, _ plan: Plan, _ reactor: Reactor, _ version: String
    ) throws -> Member {
        let identifier = "\(plan.prefix)-\(number)"
        let folder = "\(plan.folder)/\(identifier)"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemError("make \(folder)", code: errno) }
        let queue = try OutboundQueue(
            folder: folder, limit: plan.queueLimit, owner: identifier, bootIdentifier: BootClock.bootIdentifier,
            clock: .system, now: BootClock.nanoseconds)
        var access = plan.access
        access.clientIdentifier = identifier
        let topics = FleetTopics(root: plan.root, identifier: identifier)
        let publisher = try WearerPublisher(
            reactor, topics, access, brokers: plan.brokers, queue: queue, version: version)
        publisher.state.hasDaemon = true
        publisher.state.state = .localized
        publisher.state.readiness = .ready
        publisher.state.motion = .foot
        return Member(walk: SimulatedWearer(number: number, origin: origin), queue: queue, publisher: publisher)
    }

    /// Walks and publishes until the duration has passed or a signal arrives, and then waits until the queues are
    /// empty.
    ///
    /// - Parameter progress: called once a second with the results so far.
    package func run(progress: @escaping (Result) -> Void) -> Result {
        for index in members.indices { begin(index) }
        reactor.every(1_000_000_000) { [unowned self] in
            progress(result)
            if isEnding, isEmpty { reactor.stop() }
        }
        reactor.after(Int64(plan.duration * 1e9)) { [unowned self] in end() }
        reactor.run()
        for member in members { member.publisher.close() }
        return result
    }

    /// Starts the walk of a wearer; the starts are spread over the time between two poses, as in a real fleet.
    private func begin(_ index: Int) {
        let share = Double(index) / Double(max(plan.wearers, 1))
        start(index, every: 1 / plan.poseRate, after: share / plan.poseRate) { $0.publishPose(of: index) }
        guard plan.eventInterval > 0 else { return }
        start(index, every: plan.eventInterval, after: share * plan.eventInterval) { $0.publishEvent(of: index) }
    }

    private func start(
        _ index: Int, every interval: Double, after delay: Double, _ body: @escaping (FleetSimulation) -> Void
    ) {
        reactor.after(Int64(delay * 1e9)) { [unowned self] in
            guard !isEnding else { return }
            body(self)
            timers.append(reactor.every(Int64(interval * 1e9)) { [unowned self] in body(self) })
        }
    }

    private func publishPose(of index: Int) {
        let time = BootClock.nanoseconds
        let walk = members[index].walk
        let pose = walk.pose(at: time)
        guard let published = published(pose, time) else { return }
        members[index].poses += 1
        let body = PoseMessage.members(pose, at: published, isCoarse: false, into: &json)
        members[index].publisher.publish(.pose, time: time, body: body)
    }

    private func publishEvent(of index: Int) {
        let time = BootClock.nanoseconds
        let walk = members[index].walk
        members[index].events += 1
        let event = walk.arrival(number: members[index].events, at: time)
        let body = EventMessage.members(
            event, at: published(walk.pose(at: time), time), isCoarse: false, into: &json)
        members[index].publisher.publishEvent(time: time, body: body, cursor: nil)
    }

    private func published(_ pose: PoseInterface.Pose, _ time: Int64) -> PositionPrivacy.Published? {
        pose.geo.flatMap(GeodeticPosition.init).flatMap {
            privacy.publish(
                $0, horizontalAccuracy: pose.accuracy.horizontalAccuracy,
                verticalAccuracy: pose.accuracy.verticalAccuracy, at: time)
        }
    }

    private func end() {
        isEnding = true
        for timer in timers { reactor.cancel(timer) }
        reactor.after(Self.patience) { [unowned self] in reactor.stop() }
    }

    private var isEmpty: Bool { members.allSatisfy { $0.queue.counts.poses + $0.queue.counts.events == 0 } }

    private var result: Result {
        var result = Result()
        for member in members {
            let counts = member.publisher.counts
            result.poses += member.poses
            result.events += member.events
            result.counts.poses += counts.poses
            result.counts.events += counts.events
            result.counts.bytes += counts.bytes
            result.counts.droppedPoses += counts.droppedPoses
            result.counts.lostEvents += counts.lostEvents
            result.counts.published += counts.published
            result.counts.connections += counts.connections
        }
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        result.processorSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        return result
    }

    private func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
