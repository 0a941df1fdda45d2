import Configuration
import Glibc
import Linux
import Sensors
import Service
import Synchronization
import WaymarkClient

/// Gathers all facts, one after the other, while another thread listens to gpsd.
struct FactGatherer {
    let configuration: ConfigurationSurvey
    let socket: String
    let seconds: Double
    let isWorn: Bool
    let signals: SignalDescriptor
    /// Whether the user has named the settings to check; they are then checked even if a running daemon uses others.
    private let isConfigurationChosen: Bool
    private let host = Host()

    init(config: String?, seconds: Double, isWorn: Bool, signals: SignalDescriptor) {
        configuration = ConfigurationSurvey(file: config)
        isConfigurationChosen = config != nil
        socket = DaemonSocket.path(configuration.settings.service)
        (self.seconds, self.isWorn, self.signals) = (seconds, isWorn, signals)
    }

    private var settings: Configuration { configuration.settings }

    func facts() throws -> BoardFacts {
        var facts = BoardFacts(version: Program.version)
        facts.isWorn = isWorn
        facts.configuration = configuration.facts
        // Surveyed before the socket, because connecting to the socket starts a stopped service.
        facts.unit = UnitSurvey(host: host, unit: UnitSurvey.daemon).facts()
        facts.navigatorUnit = UnitSurvey(host: host, unit: UnitSurvey.navigator).facts()
        facts.account = account(facts.unit)
        facts.changes = ChangeFacts(settings.service)
        facts.clock = ClockSurvey.facts()
        facts.storage = StorageSurvey.facts(settings)
        let (socket, client, status) = try lookAtSocket()
        facts.socket = socket
        if status?.demonstration == true { leaveOutBoard(&facts) }
        let isSimulation = status.map { $0.source == .simulation } ?? (settings.source.kind == .simulation)
        let gnss = receiverSettings(client)
        if gnss.enabled { facts.configuration?.readsReceiver = true }
        let receiver =
            isSimulation || !gnss.enabled
            ? nil
            : Work("gpsd", maximumSeconds: max(seconds, gnss.silenceSeconds) + 20) { [seconds] stop in
                ReceiverSurvey.facts(gnss, seconds: seconds, stop)
            }
        defer { receiver?.stop() }
        if !isSimulation, settings.iio.enabled, settings.source.samples.isEmpty {
            lookAtSensors(&facts, hasDaemon: status != nil)
        }
        if let client, let status {
            do {
                try look(at: client, status, &facts)
            } catch WaymarkError.cancelled {
                throw signals.interruption
            } catch let error as WaymarkError {
                // The daemon has ended or stopped answering. This becomes a finding, and the other checks continue.
                facts.socket?.outcome = SocketSurvey.outcome(of: error)
            }
        } else if !isSimulation {
            try lookAtOwn(&facts)
        }
        facts.routing = try routing()
        facts.receiver = try receiver?.value(signals)
        // Read after listening to gpsd, which may have taken seconds.
        facts.daemon?.receiverProblem = client.flatMap(receiverProblem)
        return facts
    }

    /// Omits facts that do not concern a demonstration: the service, its settings and its folders.
    private func leaveOutBoard(_ facts: inout BoardFacts) {
        facts.unit = nil
        facts.navigatorUnit = nil
        facts.account = nil
        facts.changes = nil
        facts.storage = nil
        if !isConfigurationChosen { facts.configuration = nil }
    }

    private func lookAtSocket() throws -> (SocketFacts, Waymark.Client?, Waymark.Status?) {
        do throws(WaymarkError) {
            return try SocketSurvey(path: socket, cancel: signals.descriptor).facts()
        } catch {
            throw signals.interruption
        }
    }

    private func routing() throws -> RoutingFacts? {
        do throws(RoutingSurvey.Cancelled) {
            return try RoutingSurvey.facts(settings.navigation, cancel: signals.descriptor)
        } catch {
            throw signals.interruption
        }
    }

    // MARK: with a daemon

    private func look(at client: Waymark.Client, _ status: Waymark.Status, _ facts: inout BoardFacts) throws {
        let survey = DaemonSurvey(path: socket, client: client, seconds: seconds, signals: signals)
        let sight = try survey.look(status)
        facts.daemon = sight.daemon
        facts.streams = sight.streams
        facts.calibrations = CalibrationSurvey(settings: settings).facts(client, status)
    }

    /// Returns the gpsd settings that the running daemon uses, as far as it reports them; otherwise the configured
    /// settings.
    private func receiverSettings(_ client: Waymark.Client?) -> Configuration.GNSS {
        guard !isConfigurationChosen, let devices = try? client?.devices(),
            let address = devices.lazy.compactMap({ GPSDAddress($0.identifier) }).first
        else { return settings.gnss }
        var gnss = settings.gnss
        guard !gnss.enabled || address != GPSDAddress(host: gnss.host, port: gnss.port) else { return gnss }
        (gnss.host, gnss.port, gnss.enabled) = (address.host, address.port, true)
        // The receiver that the settings require belongs to another gpsd.
        gnss.device = ""
        return gnss
    }

    /// Returns why the daemon has no data from the receiver; nil if it has data. The daemon lists the receiver with an
    /// identifier that begins with gpsd.
    private func receiverProblem(_ client: Waymark.Client) -> String? {
        let receiver = (try? client.devices())?.first { $0.identifier.hasPrefix("gpsd ") }
        guard let receiver, receiver.state != .streaming else { return nil }
        return receiver.detail ?? "\(receiver.state)"
    }

    // MARK: without one

    private func lookAtOwn(_ facts: inout BoardFacts) throws {
        let files = CalibrationFiles(state: settings.state.directory)
        if files.isReadable {
            facts.calibrations = CalibrationFacts(
                entries: files.entries(now: facts.clock?.now ?? 0), isApplied: settings.calibration.apply)
            facts.calibrations?.damaged = files.damaged
        } else {
            facts.skippedChecks.append("calibrations")
        }
        guard let devices = facts.devices, devices.problem == nil else { return }
        guard isOpenToCaller(devices) else {
            facts.skippedChecks += ["the sensors' samples", "the programs that use them"]
            return
        }
        guard mayOpen(devices) else { return }
        let own = OwnStreams(settings: settings.iio, calibrations: files.devices, seconds: seconds)
        facts.streams = try Work("sensors", maximumSeconds: seconds + 20) { own.look($0) }.value(signals) ?? []
    }

    /// Whether the devices may be opened. Local devices must be unused, because opening a device's buffer ends the
    /// buffer of another program. An iiod server shares its buffers.
    private func mayOpen(_ devices: DevicesFacts) -> Bool {
        guard devices.isLocal else { return true }
        let isFree = devices.sensors.allSatisfy { !$0.isTaken && $0.holders.isEmpty }
        return host.isReal && isFree && !hasDaemonProcess
    }

    /// Whether the caller has the permissions on local sensors that libiio needs. Without them each sensor would appear
    /// to have failed.
    private func isOpenToCaller(_ devices: DevicesFacts) -> Bool {
        guard devices.isLocal else { return true }
        let caller = AccountSurvey.caller
        return devices.sensors.allSatisfy { sensor in
            sensor.node?.permission?.allows(6, to: caller) ?? true
                && sensor.attributes.allSatisfy { $0.permission.allows(2, to: caller) }
        }
    }

    private var hasDaemonProcess: Bool { ProcessSurvey(host: host).processes.contains { $0.name == "waymarkd" } }

    // MARK: devices

    private func lookAtSensors(_ facts: inout BoardFacts, hasDaemon: Bool) {
        let context = settings.iio.context
        guard context.hasPrefix("local") else {
            facts.devices = remote(context)
            return
        }
        let survey = ProcessSurvey(host: host)
        let processes = survey.processes
        let daemon = processes.first { $0.name == "waymarkd" }
        facts.kernel = KernelSurvey(host: host).facts()
        var devices = LocalDevices(host: host, hasDaemon: hasDaemon || daemon != nil).facts()
        let holders = survey.holders(of: devices.sensors.map(\.identifier), among: processes)
        for place in devices.sensors.indices {
            devices.sensors[place].holders = holders[devices.sensors[place].identifier] ?? []
        }
        facts.devices = devices
    }

    /// Account that the daemon runs as: that of the unit if there is one, else that of a running daemon, else that of
    /// the caller, who would start the daemon.
    private func account(_ unit: UnitFacts?) -> AccountFacts {
        if let unit, unit.load == "loaded" { return AccountSurvey.named(unit.user.isEmpty ? "root" : unit.user) }
        let survey = ProcessSurvey(host: host)
        return survey.processes.first { $0.name == "waymarkd" }.flatMap(survey.account) ?? AccountSurvey.caller
    }

    private func remote(_ context: String) -> DevicesFacts {
        var facts = DevicesFacts(context: context)
        do throws(IIOError) {
            facts.sensors = try DeviceSurvey.read(context: context).compactMap { found in
                let kinds = found.kinds.compactMap { SensorFacts.Kind(rawValue: $0.rawValue) }
                guard !kinds.isEmpty else { return nil }
                var sensor = SensorFacts(name: found.name, identifier: found.identifier, kinds: kinds)
                sensor.label = found.label
                sensor.isBuffered = found.isBuffered
                sensor.mountProblem = found.mountProblem
                return sensor
            }
        } catch {
            facts.problem = "\(error)"
        }
        return facts
    }
}

/// Work on a thread of its own, such as listening to gpsd while other facts are gathered.
private final class Work<Value: Sendable>: Sendable {
    private final class Result: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private let result: Result
    private let worker: WorkerThread
    private let maximumSeconds: Double

    init(_ name: String, maximumSeconds: Double, _ body: @escaping @Sendable (StopFlag) -> Value) {
        let result = Result()
        (self.result, self.maximumSeconds) = (result, maximumSeconds)
        worker = WorkerThread(name: name) { stop in
            let value = body(stop)
            result.value.withLock { $0 = value }
        }
    }

    func stop() { worker.requestStop() }

    /// Waits for the end of the work and returns its result; nil if the work takes too long, in which case it is
    /// abandoned.
    func value(_ signals: SignalDescriptor) throws -> Value? {
        let end = Reactor.now + Int64(maximumSeconds * 1e9)
        while !worker.hasEnded, Reactor.now < end {
            let step = min(end, Reactor.now + 50_000_000)
            if try Waiting.wait(signals.descriptor, events: POLLIN, until: step) == .ready {
                worker.requestStop()
                throw signals.interruption
            }
        }
        return result.value.withLock { $0 }
    }
}

extension SignalDescriptor {
    /// Error that reports the interruption. Consumes the pending signals, so that none of them ends the program before
    /// the error is printed.
    var interruption: CommandError {
        while next() != nil {}
        return .failed("interrupted")
    }
}
