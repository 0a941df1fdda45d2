import Configuration
import Glibc
import Linux
import Model
import Recording

/// Keeps what the estimator learns from one run of the daemon to the next.
package final class WarmStartKeeper {
    /// Warm start that the estimator may begin with; nil without any.
    package let start: WarmStart?
    /// Why there is none; nil where there is one.
    package let absence: String?
    private let file: WarmStartFile
    private let writer: WarmStartWriter?
    private let boot = BootClock.bootIdentifier
    private var lastKept: Int64?

    /// Interval between two writes, so that a loss of power costs little and a card is not worn. Unit: nanoseconds.
    private static let interval: Int64 = 120_000_000_000

    /// Reads what the run before has left.
    ///
    /// - Parameter given: what a recording begins with; nothing is kept then.
    package init(_ settings: Configuration.State, given: WarmStart?, isLive: Bool) {
        file = WarmStartFile(directory: settings.directory)
        guard settings.warmStart, isLive else {
            (start, absence) = (given, given == nil ? isLive ? "disabled by state.warm_start" : "none recorded" : nil)
            writer = nil
            return
        }
        writer = WarmStartWriter(file)
        (start, absence) = Self.load(file, boot: boot)
    }

    private static func load(_ file: WarmStartFile, boot: String) -> (WarmStart?, String?) {
        do throws(WarmStartFile.Unreadable) {
            guard let bytes = try file.read() else { return (nil, "no file yet") }
            do throws(WarmStartMessage.Flaw) {
                var start = try WarmStartMessage.read(bytes)
                guard let moment = start.moment else { throw WarmStartMessage.Flaw("the time of writing is missing") }
                start.ageSeconds = WarmStartAge.seconds(
                    since: moment, bootTime: BootTime(nanoseconds: BootClock.nanoseconds), boot: boot,
                    utcSeconds: Double(time(nil)))
                return (start, nil)
            } catch {
                return (nil, setAside(file, "\(error)"))
            }
        } catch {
            return (nil, setAside(file, "\(error)"))
        }
    }

    private static func setAside(_ file: WarmStartFile, _ problem: String) -> String {
        do throws(FileError) {
            try file.setAside()
            Log.warning("\(file.path) is not a valid warm start and was moved to \(file.damagedPath): \(problem)")
        } catch {
            Log.warning("\(file.path) is not a valid warm start and cannot be moved away (\(error)): \(problem)")
        }
        return "the file is damaged: \(problem)"
    }

    /// Whether it is time to keep what is known by now.
    package var isDue: Bool {
        guard writer != nil else { return false }
        return lastKept.map { BootClock.nanoseconds - $0 >= Self.interval } ?? true
    }

    /// Has the learned state written; returns at once.
    package func keep(_ learned: WarmStart?, _ sensors: WarmStart.Sensors) {
        guard let writer, var kept = learned else { return }
        let now = BootClock.nanoseconds
        kept.moment = WarmStart.Moment(
            bootTime: BootTime(nanoseconds: now), boot: boot, utcSeconds: Double(time(nil)))
        kept.sensors = sensors
        kept.version = Waymark.version
        guard let bytes = WarmStartMessage.bytes(kept) else { return }
        lastKept = now
        writer.write(bytes)
    }

    package func requestEnd() { writer?.requestEnd() }

    package func end(timeoutSeconds: Double) { writer?.end(timeoutSeconds: timeoutSeconds) }
}
