import Configuration
import Glibc
import Linux
import Model
import Recording
import Sensors

/// Keeps the estimator's learned states from one run of the daemon to the next.
package final class WarmStartRepository {
    /// Warm start for the estimator; nil if there is none.
    package let start: WarmStart?
    /// Reason why there is no warm start; nil if there is one.
    package let absence: String?
    private let file: WholeFile
    /// Thread for writing, because a disk may block; nil if nothing is written.
    private let worker: SerialWorker?
    private let boot = BootClock.bootIdentifier
    private var lastKept: Int64?

    /// Interval between two writes: short enough that a loss of power costs little, and long enough that a card does
    /// not wear out. Unit: nanoseconds.
    private static let interval: Int64 = 120_000_000_000
    private static let log = LogLimiter("warm start", lines: 1, interval: 3_600_000_000_000)

    /// Reads the warm start of the previous run.
    ///
    /// - Parameters:
    ///   - given: warm start of a recording; nil for a live daemon, or if the recording has none.
    ///   - isLive: whether the daemon has a board. In a replay, `given` takes the place of the file, and nothing is
    ///     written.
    package init(
        _ reactor: Reactor, _ settings: Configuration.State, given: WarmStart?, isLive: Bool
    ) throws(SystemError) {
        file = .warmStart(directory: settings.directory)
        guard settings.warmStart, isLive else {
            (start, absence) = (given, given == nil ? isLive ? "disabled by state.warm_start" : "none recorded" : nil)
            worker = nil
            return
        }
        worker = try SerialWorker(reactor, name: "warm start")
        (start, absence) = Self.load(file, boot: boot)
    }

    private static func load(_ file: WholeFile, boot: String) -> (WarmStart?, String?) {
        do {
            guard let bytes = try file.readWarmStart() else { return (nil, "no file yet") }
            var start = try WarmStartMessage.read(bytes)
            guard let moment = start.moment else { throw WarmStartMessage.Problem("the time of writing is missing") }
            start.ageSeconds = WarmStartAge.seconds(
                since: moment, bootTime: BootTime(nanoseconds: BootClock.nanoseconds), boot: boot,
                utcSeconds: Double(time(nil)))
            return (start, nil)
        } catch {
            Log.warning(file.movedAside("not a valid warm start", "\(error)").text)
            return (nil, "the file is damaged: \(error)")
        }
    }

    /// Whether the next write is due. It is not due while an earlier one waits for the disk.
    package var isDue: Bool {
        guard let worker, worker.waiting == 0 else { return false }
        return lastKept.map { BootClock.nanoseconds - $0 >= Self.interval } ?? true
    }

    /// Requests that the learned state be written, and returns immediately.
    package func keep(_ learned: WarmStart?, _ sensors: WarmStart.Sensors) {
        guard let worker, var kept = learned else { return }
        let now = BootClock.nanoseconds
        kept.moment = WarmStart.Moment(
            bootTime: BootTime(nanoseconds: now), boot: boot, utcSeconds: Double(time(nil)))
        kept.sensors = sensors
        kept.version = Release.version
        guard let bytes = WarmStartMessage.bytes(kept) else { return }
        lastKept = now
        worker.perform { [file] in Self.write(bytes, to: file) }
    }

    private static func write(_ bytes: [UInt8], to file: WholeFile) {
        do throws(FileError) {
            try file.replace(with: bytes)
        } catch {
            log.write(.warning, "\(file.path) cannot be written; the next start will be a cold start: \(error)")
        }
    }

    /// Asks the thread to write pending data and then to end.
    package func requestEnd() { worker?.requestEnd() }

    package func end(timeoutSeconds: Double) { worker?.end(timeoutSeconds: timeoutSeconds) }
}

extension WholeFile {
    /// Returns the file of the learned states in the daemon's own directory.
    package static func warmStart(directory: String) -> WholeFile {
        WholeFile(path: directory + "/warm-start.json")
    }

    package func readWarmStart() throws(Unreadable) -> [UInt8]? {
        try read(maximumLength: WarmStartMessage.maximumSize)
    }
}

/// Age of a stored warm start.
package enum WarmStartAge {
    /// Minimum age of a warm start from an earlier boot. A clock without a battery continues from its last value, so
    /// the time for which the device was off is unknown. Unit: seconds.
    package static let minimumAgeAfterReboot = 6 * 3600.0

    /// Returns the age in seconds. It is negative if the warm start is so far in the future that a clock reset between
    /// two boots does not explain it.
    ///
    /// - Parameters:
    ///   - bootTime: current time.
    ///   - boot: identifier of the current boot; empty if unknown.
    ///   - utcSeconds: current time by the system clock.
    package static func seconds(
        since moment: WarmStart.Moment, bootTime: BootTime, boot: String, utcSeconds: Double
    ) -> Double {
        if !boot.isEmpty, moment.boot == boot { return bootTime.seconds(since: moment.bootTime) }
        let passed = utcSeconds - moment.utcSeconds
        return passed < -WarmStart.clockTolerance ? passed : max(passed, minimumAgeAfterReboot)
    }
}

extension WarmStart.Sensors {
    /// Sensors that the sources report. The name of each includes its mount, because stored values are in body axes.
    /// Sensors that have not appeared yet have no name.
    package init(_ reports: [DeviceReport]) {
        self.init()
        for report in reports {
            for channel in report.channels.map(\.name) {
                if channel.hasPrefix("anglvel") { gyroscope = Self.name(.gyroscope, report) }
                if channel.hasPrefix("accel") { accelerometer = Self.name(.accelerometer, report) }
                if channel.hasPrefix("magn") { magnetometer = Self.name(.magnetometer, report) }
            }
            if report.identifier.hasPrefix("gpsd ") { receiver = WarmStartMessage.plain(report.identifier) }
        }
    }

    private static func name(_ kind: SensorKind, _ report: DeviceReport) -> String {
        let own = report.axes.first { $0.kind == kind }
        let matrix = (own?.mountMatrix ?? report.mountMatrix ?? []).map { "\($0)" }.joined(separator: " ")
        let sign = own?.sign == -1 ? "-" : ""
        return WarmStartMessage.plain(report.name + (matrix.isEmpty ? "" : " \(sign)[\(matrix)]"))
    }

    /// Creates the sensors of a simulated walk. Each seed is a separate board.
    package init(_ simulation: Configuration.Simulation) {
        self.init()
        let name = "simulated, seed \(simulation.seed)"
        (gyroscope, accelerometer, magnetometer, receiver) = (name, name, name, name)
    }
}
