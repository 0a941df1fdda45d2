import Geometry
import Linux
import Measurements
import Synchronization

/// Fixes from gpsd: one for each epoch of the receiver.
///
/// gpsd may be missing, go and come back, and so may its receiver; what is the matter stands in the report.
public final class GPSDSource: MeasurementSource {
    /// Where gpsd is and how its statements are taken.
    public struct Settings: Hashable, Sendable {
        public var host = "localhost"
        public var port = 2947
        /// The receiver as gpsd names it; empty for the one that speaks first.
        public var device = ""
        /// A receiver that reports nothing for so long is silent.
        public var silenceSeconds = 5.0
        /// The probability that the truth lies within gpsd's errors; its source says 0.95.
        public var errorConfidence = 0.95
        /// From a fix's epoch to its arrival, where the clocks do not tell.
        public var latencySeconds = 0.2
        /// From the inertial sensor to the antenna. Frame: body. Unit: metres.
        public var antennaInBody = Vector3.zero

        public init() {}
    }

    private let settings: Settings
    private let queue: MeasurementQueue
    private let status: GPSDStatus
    private let thread = Mutex<WorkerThread?>(nil)

    public init(settings: Settings, queue: MeasurementQueue) {
        self.settings = settings
        self.queue = queue
        status = GPSDStatus(address: "\(settings.host):\(settings.port)")
    }

    public func start() {
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = WorkerThread(name: "gpsd") { [settings, queue, status] stop in
                GPSDClient(settings: settings, queue: queue, status: status).run(until: stop)
            }
        }
    }

    public func requestStop() { thread.withLock { $0?.requestStop() } }

    public func stop(timeoutSeconds: Double) {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        running?.stop(timeoutSeconds: timeoutSeconds)
    }

    public var reports: [DeviceReport] {
        var report = status.report
        report.dropped = queue.dropped
        return [report]
    }
}

/// What the thread found, for everybody to read; a change of state is logged once.
final class GPSDStatus: Sendable {
    private let shared: Mutex<DeviceReport>
    private let address: String
    /// A server or a receiver that comes and goes without end must not fill the journal.
    private let log = LogLimiter("gnss", lines: 12, interval: 60_000_000_000)

    init(address: String) {
        self.address = address
        var report = DeviceReport(name: "GNSS receiver", identifier: "gpsd \(address)", state: .searching)
        report.detail = "not connected yet"
        shared = Mutex(report)
    }

    var report: DeviceReport { shared.withLock { $0 } }

    /// - Parameters:
    ///   - detail: the rest of a sentence that begins with whom it is about, and what to do about it.
    ///   - priority: of the line, where there are no fixes.
    func change(
        to state: DeviceReport.State, _ detail: String?, device: String?, priority: Log.Priority = .warning
    ) {
        let identifier = "gpsd \(address)" + (device.map { " \($0)" } ?? "")
        let isNew = shared.withLock { report in
            let isNew = report.state != state || report.detail != detail
            report.state = state
            report.detail = detail
            report.identifier = identifier
            return isNew
        }
        guard isNew else { return }
        let line = "gnss: \(identifier) \(detail ?? "delivers fixes")"
        switch state {
        case .streaming, .polling: log.write(.notice, line)
        case .searching, .silent, .failed: log.write(priority, line)
        }
    }

    /// Counts a fix that was delivered.
    func count(_ fix: GNSSFix, isClockUsed: Bool, isGap: Bool, rate: Double?) {
        shared.withLock { report in
            report.samples += 1
            report.gaps += isGap ? 1 : 0
            report.grantedRate = rate
            report.clock = isClockUsed ? "realtime" : "host"
            report.lastSample = fix.epoch
        }
    }
}
