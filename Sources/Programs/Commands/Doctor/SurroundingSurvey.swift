import Configuration
import Documents
import Glibc
import Linux
import Sensors

/// Surveys gpsd itself, in addition to what the daemon reports. gpsd serves many clients at the same time.
enum ReceiverSurvey {
    /// Number of fixes to wait for: a second one shows that the first was no accident.
    private static let fixes = 2

    static func facts(_ settings: Configuration.GNSS, seconds: Double, _ stop: StopFlag) -> ReceiverFacts {
        // An IPv6 address is in brackets, as in a URL, so that the port is not taken for the address's last group.
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        var facts = ReceiverFacts(address: "\(host):\(settings.port)", wanted: settings.device)
        facts.isLocal = settings.host == "localhost" || settings.host == "::1" || settings.host.hasPrefix("127.")
        let sight = GPSDSurvey(
            host: settings.host, port: settings.port, device: settings.device,
            seconds: max(seconds, settings.silenceSeconds), fixes: fixes, stop: stop)
        facts.problem = sight.problem
        facts.refusal = sight.refusal
        facts.receivers = sight.receivers
        facts.device = sight.device
        facts.reports = sight.reports
        facts.fixes = sight.fixes
        facts.standingFixes = sight.standingFixes
        facts.timelessFixes = sight.timelessFixes
        facts.isSimulated = sight.isSimulated
        facts.position = sight.position
        facts.time = sight.time
        facts.age = sight.age
        return facts
    }
}

enum ClockSurvey {
    static func facts() -> ClockFacts {
        let now = Double(BootClock.nanoseconds + BootClock.realtimeOffsetNanoseconds) * 1e-9
        return ClockFacts(now: now, isSynchronised: BootClock.isRealtimeSynchronised)
    }
}

/// The daemon's folders.
enum StorageSurvey {
    static func facts(_ settings: Configuration) -> StorageFacts {
        StorageFacts(
            state: folder(settings.state.directory), recordings: folder(settings.recording.directory),
            recordingMinimum: UInt64(clamping: settings.recording.minimumFreeMegabytes) << 20)
    }

    private static func folder(_ path: String) -> StorageFacts.Folder {
        var present = path
        var information = stat()
        while stat(present, &information) != 0, present != "/", let end = present.lastIndex(of: "/") {
            present = end == present.startIndex ? "/" : String(present[..<end])
        }
        var folder = StorageFacts.Folder(path: path, exists: present == path)
        folder.permission = Permission(information)
        var room = statvfs()
        guard statvfs(present, &room) == 0 else { return folder }
        folder.isReadOnly = room.f_flag & UInt(ST_RDONLY) != 0
        // Some file systems report neither the number of blocks nor that of inodes.
        if room.f_blocks > 0 {
            folder.free = UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize)).partialValue
        }
        folder.hasNoNodes = room.f_files > 0 && room.f_favail == 0
        return folder
    }
}

/// Calibrations in the daemon's folder that this user may read; no file is moved or repaired.
struct CalibrationFiles {
    private(set) var devices: [DeviceCalibration] = []
    private(set) var damaged: [String] = []
    /// Whether the folder and its files can be read, or the folder does not exist yet.
    private(set) var isReadable = true

    /// Maximum number of files, the same as the daemon's.
    private static let maximumFileCount = 256

    init(state: String) {
        let folder = state + "/calibration"
        let names: [String]
        do throws(FileError) {
            names = try File.names(in: folder)
        } catch {
            isReadable = error.isMissing
            return
        }
        for name in names.sorted().prefix(Self.maximumFileCount) where !name.hasPrefix(".") {
            if name.hasSuffix(".damaged") { damaged.append("\(folder)/\(name)") }
            if name.hasSuffix(".json") { take("\(folder)/\(name)") }
        }
    }

    private mutating func take(_ path: String) {
        do {
            guard let bytes = try WholeFile(path: path).read(maximumLength: CalibrationDocument.maximumSize) else {
                return
            }
            devices += try CalibrationDocument.read(bytes).devices
        } catch is WholeFile.Unreadable {
            isReadable = false
        } catch {
            damaged.append(path)
        }
    }

    /// - Parameter now: seconds since 1970 UTC.
    func entries(now: Double) -> [CalibrationFacts.Entry] {
        devices.flatMap { calibration in
            calibration.sensors.map { records in
                CalibrationFacts.Entry(
                    sensor: records.sensor.rawValue,
                    device: calibration.device?.name ?? CalibrationFacts.Entry.anyDevice,
                    age: max(0, now - records.present.time), isInForce: records.present.flaw == nil ? nil : false)
            }
        }
    }
}
