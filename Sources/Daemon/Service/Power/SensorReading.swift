import Linux
import Sensors

/// Has the reactor's thread read the buffers of local sensors itself: as samples arrive, or at the interval of a pace.
final class SensorReading {
    private let reactor: Reactor
    private let sources: [any MeasurementSource]
    private var watches: [Reactor.Watch] = []
    private var timer: TimerIdentifier?
    /// Interval of a pace at which the buffers are read; nil if they are read as samples arrive. Unit: s.
    private var interval: Double?
    private var take: () -> Void = {}

    init(_ reactor: Reactor, environment: DaemonEnvironment) {
        self.reactor = reactor
        sources = environment.sources
    }

    /// Begins to call `take`, which has to call `collect`, when measurements may be there. The daemon also calls it at
    /// each heartbeat.
    func begin(take: @escaping () -> Void) throws(SystemError) {
        self.take = take
        for descriptor in sources.compactMap(\.descriptor) {
            watches.append(
                try reactor.watch(descriptor, interval == nil ? .reading : [], precedence: .first) { _ in take() })
        }
        setTimer()
    }

    /// Moves what the sensors hold to their queues.
    func collect() {
        for source in sources { source.collect() }
    }

    func follow(_ pace: SamplingPace) {
        guard interval != pace.readingInterval else { return }
        interval = pace.readingInterval
        for watch in watches { reactor.change(watch, to: interval == nil ? .reading : []) }
        setTimer()
        // A client that takes poses more often from now on does not wait for the end of the previous interval.
        take()
    }

    /// Notices sensors that have come or gone; to be called a few times a second.
    func look() { if (timer != nil) != needsTimer { setTimer() } }

    private var needsTimer: Bool {
        interval.map { Int64($0 * 1e9) < Daemon.heartbeat } == true && sources.contains(where: \.needsCollecting)
    }

    private func setTimer() {
        if let timer { reactor.cancel(timer) }
        timer = needsTimer ? interval.map { reactor.every(Int64($0 * 1e9), handler: take) } : nil
    }
}
