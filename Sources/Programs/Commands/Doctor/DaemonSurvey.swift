import Glibc
import Linux
import Recording
import WaymarkClient
import WaymarkInterface

/// Surveys a running daemon: its devices, and several seconds of its samples. Opens no sensor, because that would end
/// the daemon's own buffer.
struct DaemonSurvey {
    let path: String
    let client: Waymark.Client
    let seconds: Double
    let signals: SignalDescriptor

    /// Result of the survey.
    struct Sight {
        var daemon: DaemonFacts
        var streams: [StreamFacts]
    }

    /// Time for an idle daemon to return to its full rates. Unit: seconds.
    private static let wakeSeconds = 1.0

    /// Interval of the progress line during a wait. Unit: nanoseconds.
    private static let step: Int64 = 250_000_000

    func look(_ first: Waymark.Status) throws -> Sight {
        // A subscription keeps the daemon from being idle.
        let watcher = try? Waymark.Client(path: path, cancel: signals.descriptor)
        let watch = try? watcher?.poses(rate: 1)
        defer { withExtendedLifetime(watch) {} }
        try pause(Self.wakeSeconds)
        let before = try client.devices()
        let started = BootClock.nanoseconds
        let (summaries, refusal) = try samples()
        let after = try client.devices()
        let passed = Double(BootClock.nanoseconds - started) * 1e-9
        let status = try client.status()
        var daemon = DaemonFacts(
            version: status.version, state: "\(status.state)", poses: Self.growth(status.poses, since: first.poses))
        daemon.isSimulation = status.source == .simulation
        daemon.isDemonstration = status.demonstration ?? false
        daemon.reasons = status.reasons.words
        daemon.advice = status.advice
        daemon.refusal = refusal
        daemon.damagedPlaces = (status.damagedPlaces ?? []).map {
            ($0.path, $0.places, $0.complete)
        }
        daemon.damagedPlans = status.damagedPlans ?? []
        daemon.uptime = status.uptime
        daemon.ringProblem = status.poseRing?.problem
        // Without a route both facts keep their defaults, because no navigator is needed.
        let route = try? client.call(SceneInterface.GetRoute(from: 0, limit: 0))
        daemon.hasNavigator = route?.navigator
        daemon.lacksNavigator = route?.navigator == false && route?.destination?.foundBy == .known(.navigator)
        let found = after.flatMap { device in
            streams(device, since: before.first { $0.identifier == device.identifier } ?? device, passed, summaries)
        }
        return Sight(daemon: daemon, streams: found)
    }

    /// Returns the increase of a counter that another program reports, which may have any value; 0 if the counter has
    /// fallen, for example after a restart.
    private static func growth(_ count: Int, since first: Int) -> Int {
        let (difference, isTooLarge) = count.subtractingReportingOverflow(first)
        return isTooLarge ? 0 : max(0, difference)
    }

    private func streams(
        _ device: Waymark.Device, since first: Waymark.Device, _ passed: Double,
        _ summaries: [SensorFacts.Kind: SampleSummary]
    ) -> [StreamFacts] {
        let counted = Double(Self.growth(device.samples, since: first.samples)) / max(passed, 0.001)
        let dropped = Self.growth(device.dropped, since: first.dropped)
        return SensorKinds.of(channels: device.channels.map(\.name), name: device.name).map { kind in
            var stream = StreamFacts(kind, of: device)
            stream.dropped = dropped
            stream.countedRate = stream.isOffered || device.channels.contains { $0.format != nil } ? counted : nil
            stream.summary = summaries[kind]
            return stream
        }
    }

    // MARK: samples

    /// Returns statistics of samples that the daemon records into an unnamed file, or the reason why it cannot record
    /// them. Without permission to record, or during another recording, there are no statistics, and only the devices'
    /// counters are used.
    private func samples() throws -> ([SensorFacts.Kind: SampleSummary], DaemonFacts.Refusal?) {
        guard let file = ScratchRecording.file() else {
            try pause(seconds)
            return ([:], DaemonFacts.Refusal(.room, "cannot create a temporary file in any folder"))
        }
        let recorder: Waymark.Client
        do throws(WaymarkError) {
            // A signal does not cancel the calls of this client, so that a recording that was started is always
            // stopped.
            recorder = try Waymark.Client(path: path)
            try recorder.startRecording(descriptor: file.descriptor, name: "samples for waymark doctor")
        } catch {
            try pause(seconds)
            return ([:], Self.refusal(error))
        }
        var interruption: (any Error)?
        do { try pause(seconds) } catch { interruption = error }
        var problem: DaemonFacts.Refusal?
        do throws(WaymarkError) { _ = try recorder.stopRecording() } catch { problem = Self.refusal(error) }
        if let interruption { throw interruption }
        do {
            return (try read(file), problem)
        } catch {
            return ([:], problem ?? DaemonFacts.Refusal(.other, "its recording cannot be read: \(error)"))
        }
    }

    private static func refusal(_ error: WaymarkError) -> DaemonFacts.Refusal {
        let cause: DaemonFacts.Refusal.Cause =
            switch error {
            case .service(.permissionDenied), .connectionDenied: .permission
            case .recording(.alreadyRecording): .recording
            case .recording(.cannotRecord): .room
            default: .other
            }
        return DaemonFacts.Refusal(cause, "\(error)")
    }

    private func read(_ file: borrowing File) throws(RecordingError) -> [SensorFacts.Kind: SampleSummary] {
        let reader = try RecordingReader(path: "/proc/self/fd/\(file.descriptor)")
        var samples = Samples()
        while let measurement = try reader.next() { samples.take(measurement) }
        return samples.summaries
    }

    private func pause(_ seconds: Double) throws {
        let (start, progress) = (Reactor.now, ProgressLine())
        defer { progress.end() }
        let end = start + Int64(seconds * 1e9)
        while Reactor.now < end {
            let passed = Double(Reactor.now - start) * 1e-9
            progress.show(passed / seconds, "samples of \(seconds.fixed(0)) s")
            if try Waiting.wait(signals.descriptor, events: POLLIN, until: min(end, Reactor.now + Self.step)) == .ready
            {
                throw signals.interruption
            }
        }
    }
}

extension StreamFacts {
    /// Makes facts from what a device reports about one of its sensors.
    init(_ kind: SensorFacts.Kind, of device: Waymark.Device) {
        self.init(kind: kind, device: device.name, state: "\(device.state)")
        detail = device.detail
        (requestedRate, grantedRate, rateProblem) = (device.requestedRate, device.grantedRate, device.rateProblem)
        sampling = device.sampling.map { SamplingText.line($0, trigger: device.trigger, reason: nil) }
        pollingReason = device.sampling?.known == .polling ? device.samplingReason : nil
        isOffered = device.sampling?.known == .program
        isTriggerMissing = device.triggerMissing ?? false
        clock = device.clock?.description
        let axes = device.axes?.first { "\($0.sensor)" == kind.rawValue }
        mountOrigin = axes.map { "\($0.origin)" } ?? device.mountMatrixOrigin?.description
        mountMatrix = axes?.mountMatrix
        isMountMirrored = axes?.mirrored ?? false
        // The daemon is another program, and may report any number.
        sign = axes?.sign == -1 ? -1 : 1
    }
}

/// Sensor kinds of a device, from the kernel's names of its channels.
enum SensorKinds {
    static let prefixes: [(SensorFacts.Kind, String)] = [
        (.accelerometer, "accel"), (.gyroscope, "anglvel"), (.magnetometer, "magn"),
    ]

    /// - Parameter name: name of the device, or the kind of the missing sensor if no device was found for it.
    static func of(channels: [String], name: String) -> [SensorFacts.Kind] {
        let kinds = prefixes.filter { prefix in channels.contains { $0.hasPrefix(prefix.1 + "_") } }.map(\.0)
        return kinds.isEmpty ? SensorFacts.Kind(rawValue: name).map { [$0] } ?? [] : kinds
    }
}

/// Destination of the doctor's recording: the folder with the most free space, or memory if no folder on a disk can be
/// used.
enum ScratchRecording {
    private static let folders = ["/var/tmp", "/tmp"]
    private static let memory = "/dev/shm"

    /// Opens an unnamed file; nil if no folder supports it.
    static func file() -> File? {
        let roomiest = folders.map { ($0, room($0)) }.sorted { $0.1 > $1.1 }
        for (folder, room) in roomiest + [(memory, room(memory))] where room > 0 {
            if let file = try? File.nameless(in: folder) { return file }
        }
        return nil
    }

    private static func room(_ folder: String) -> UInt64 {
        var information = statvfs()
        guard statvfs(folder, &information) == 0 else { return 0 }
        return UInt64(information.f_bavail).multipliedReportingOverflow(by: UInt64(information.f_frsize)).partialValue
    }
}
