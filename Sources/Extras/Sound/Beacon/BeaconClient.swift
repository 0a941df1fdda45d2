import Glibc
import Linux

/// `waymark-beacon`: renders the daemon's scene and poses as sound, on one thread. The daemon and the audio device may
/// come and go.
package final class BeaconClient {
    /// Reason why the beacon cannot run, or has ended early.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private let reactor: Reactor
    private let settings: BeaconSettings
    private let signals: SignalWatch
    private let pause: PauseSwitch
    private let scene: SceneFollower
    private let poses: PoseFollower
    private var sound: BeaconSound
    private var output: SoundOutput?
    private var recorder: WaveRecorder?
    private var meter = LatencyMeter()
    private var silence: Silence??
    private var problem: Problem?
    /// Time from the mixer to the ear. It is read only once a second, because the library takes a lock to read it.
    /// Unit: seconds.
    private var latency = 0.0

    /// Interval between poses: 90 Hz, which is faster than ears resolve, and a fifth of the daemon's rate. Unit: ns.
    private static let interval: Int64 = 11_111_111
    /// Interval between checks of the device. Unit: ns.
    private static let lookInterval: Int64 = 1_000_000_000

    /// Opens the output and starts connecting to the daemon.
    ///
    /// - Throws: `Problem` if OpenAL, the device or the file is not available; `SystemError` if the event loop cannot
    ///   start.
    package init(_ settings: BeaconSettings) throws {
        self.settings = settings
        let reactor = try Reactor()
        self.reactor = reactor
        sound = BeaconSound(volume: settings.volume)
        let pause = PauseSwitch()
        self.pause = pause
        // The signals are blocked before other threads start, because threads inherit the signal mask.
        signals = try SignalWatch(reactor, [SIGINT, SIGTERM, SIGUSR1]) { [unowned reactor] in
            $0 == SIGUSR1 ? pause.isPaused.toggle() : reactor.stop()
        }
        // The library reads the environment, so it must be opened before any thread may change the environment.
        output = try Self.open(settings)
        scene = SceneFollower(reactor, socket: settings.socket, choice: settings.choice)
        poses = PoseFollower(reactor, path: settings.ringSocket)
        if let path = settings.waveFile, let output { recorder = try WaveRecorder(path, output) }
        report()
    }

    /// Current activity, for the service manager's status line.
    package var statusLine: String {
        guard output != nil else { return "waits for an audio device" }
        if case .some(.some(let reason)) = silence { return text(reason) }
        return "sounds from \(scene.target?.id ?? "")"
    }

    /// Plays the beacon until SIGINT or SIGTERM, or until the configured duration ends. SIGUSR1 pauses and resumes it.
    ///
    /// - Parameter heartbeat: called by the event loop at this interval. Unit: ns.
    /// - Throws: `Problem` if the file cannot be written.
    package func run(every interval: Int64?, heartbeat: @escaping () -> Void) throws {
        if let interval { reactor.every(interval, handler: heartbeat) }
        reactor.every(Self.interval) { [unowned self] in advance() }
        reactor.every(Self.lookInterval) { [unowned self] in look() }
        if let seconds = settings.seconds { reactor.after(Int64(seconds * 1e9)) { [unowned self] in reactor.stop() } }
        reactor.run()
        scene.close()
        try recorder?.finish()
        if let text = meter.text(period: output?.period ?? 0, latency: latency) { Log.info(text) }
        if let problem { throw problem }
    }

    // MARK: - Output

    private static func open(_ settings: BeaconSettings) throws(Problem) -> SoundOutput {
        do throws(SoundOutput.Problem) {
            return try SoundOutput(settings.waveFile == nil ? .device(settings.device) : .memory)
        } catch {
            throw Problem(description: error.description)
        }
    }

    private func report() {
        guard let output else { return }
        if !output.hasHRTF {
            Log.warning(
                "OpenAL has no filters of heads (HRTF) for this device: the beacon is panned between left and right, and "
                    + "front and back sound the same. Install libopenal-data, and choose a device with two channels")
        }
        latency = output.latency
        if recorder == nil { Log.info("sounds at \(output.name)") }
    }

    /// Reopens the device if it has disappeared.
    private func look() {
        guard recorder == nil else { return }
        if let output, output.isConnected { return latency = output.latency }
        if output != nil { Log.warning("the audio device has gone; trying again every second") }
        output = nil
        output = try? Self.open(settings)
        report()
    }

    // MARK: - Each pose

    private func advance() {
        guard let output else { return }
        let now = BootClock.nanoseconds
        let pose = poses.pose(at: now, ahead: latency + output.period)
        if pose != nil { meter.add(poses.age) }
        sound.isPaused = pause.isPaused
        let frame = sound.advance(
            to: now, pose: pose, target: scene.target, ended: scene.hasArrived ? .arrived : nil)
        note(frame.silence)
        output.play(frame)
        do throws(FileError) {
            try recorder?.render(output, until: now)
        } catch {
            problem = Problem(description: "\(settings.waveFile ?? ""): \(error)")
            reactor.stop()
        }
    }

    private func note(_ reason: Silence?) {
        if case .some(let known) = silence, known == reason { return }
        silence = .some(reason)
        Log.info(reason.map(text) ?? "sounds")
    }

    private func text(_ reason: Silence) -> String {
        guard reason == .noTarget else { return "silent: \(reason.text)" }
        return "silent: the scene has no \(settings.choice); waymark scene lists what it has"
    }
}

/// Whether the wearer has paused the beacon, by a signal.
private final class PauseSwitch {
    var isPaused = false
}
