import Geometry
import Linux
import Model
import Synchronization

/// Address of a gpsd, as in the identifier of its receiver.
package struct GPSDAddress: Hashable, Sendable {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `DeviceReport.identifier` of a receiver, `gpsd HOST:PORT` and the receiver's path; nil for other devices.
    package init?(_ identifier: String) {
        let words = identifier.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "gpsd", let colon = words[1].lastIndex(of: ":") else { return nil }
        guard let port = Int(words[1][words[1].index(after: colon)...]), colon > words[1].startIndex else { return nil }
        self.init(host: String(words[1][..<colon]), port: port)
    }
}

/// Measurement source for gpsd, with one fix per epoch of the receiver.
///
/// gpsd and its receiver may be missing, disappear and return; the report states the problem.
package final class GPSDSource: MeasurementSource {
    /// Address of gpsd, receiver and interpretation of its reports.
    package struct Settings: Hashable, Sendable {
        package var host = "localhost"
        package var port = 2947
        /// Path of the receiver as gpsd names it; empty to use the first receiver that reports.
        package var device = ""
        /// Time without a report after which a receiver counts as silent. Unit: s.
        package var silenceSeconds = 5.0
        /// Probability that the true value lies within gpsd's errors; 0.95 according to gpsd's source.
        package var errorConfidence = 0.95
        /// Typical time from a fix's epoch to its arrival, used if the clocks do not determine it. Unit: s.
        package var latencySeconds = 0.2
        /// Lever arm from the inertial sensor to the antenna. Frame: body. Unit: metres.
        package var antennaInBody = Vector3.zero
        /// Minimum wait for further reports of an epoch. It is longer in tests, which must not depend on the speed of a
        /// busy machine. Unit: ns.
        package var epochHoldNanoseconds = EpochAssembler.holdNanoseconds

        package init() {}
    }

    private let settings: Settings
    private let queue: MeasurementQueue
    private let status: GPSDStatus
    private let thread = Mutex<WorkerThread?>(nil)

    /// Prepares the source; `start` connects.
    package init(settings: Settings, queue: MeasurementQueue) {
        self.settings = settings
        self.queue = queue
        status = GPSDStatus(address: "\(settings.host):\(settings.port)")
    }

    package func start() {
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = WorkerThread(name: "gpsd") { [settings, queue, status] stop in
                GPSDClient(settings: settings, queue: queue, status: status).run(until: stop)
            }
        }
    }

    package func requestStop() { thread.withLock { $0?.requestStop() } }

    package func stop(timeoutSeconds: Double) {
        let running = thread.withLock { $0.take() }
        running?.stop(timeoutSeconds: timeoutSeconds)
    }

    package var reports: [DeviceReport] {
        var report = status.report
        report.dropped = queue.dropped
        return [report]
    }
}

/// Report of the receiver. The client's thread writes it, and any thread may read it. Each change of state is logged
/// once.
final class GPSDStatus: Sendable {
    private let shared: Mutex<DeviceReport>
    private let address: String
    /// Rate-limited, so that a server or receiver that is lost and found repeatedly does not flood the journal.
    private let log = LogLimiter("gnss", lines: 12, interval: 60_000_000_000)

    init(address: String) {
        self.address = address
        var report = DeviceReport(name: "GNSS receiver", identifier: "gpsd \(address)", state: .searching)
        report.detail = "not connected yet"
        shared = Mutex(report)
    }

    var report: DeviceReport { shared.withLock { $0 } }

    /// Sets state and detail; logs a line if one of them changed.
    ///
    /// - Parameters:
    ///   - detail: predicate of a sentence whose subject is gpsd, with the remedy; nil if fixes arrive.
    ///   - priority: priority of the log line if no fixes arrive.
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
