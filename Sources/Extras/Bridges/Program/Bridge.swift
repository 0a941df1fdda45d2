import Configuration
import Glibc
import Linux
import WaymarkInterface

/// `waymark-bridge`: poses of the daemon in the protocols of other programs, on one thread.
///
/// An output that cannot start, such as at a port in use, is tried again; the others work meanwhile. The daemon may
/// come and go.
package final class Bridge {
    /// Why the bridge cannot run as it is configured.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong, and what to do.
        package let description: String
        /// Whether the settings are to be changed, and not the computer.
        package let isOfSettings: Bool
    }

    /// What the settings turn on.
    private enum Kind {
        case gpsd(NetworkAddress)
        case nmeaTCP(NetworkAddress)
        case nmeaSocket(String)
        case nmeaTerminal(String)
        case openTrack(NetworkAddress)
        case mavlink(NetworkAddress)
        case metrics(NetworkAddress)
        case sensorProxy
    }

    /// An output that is configured.
    private struct Configured {
        let kind: Kind
        var output: (any BridgeOutput)?
        var problem: String?
    }

    private let reactor: Reactor
    private let settings: Configuration
    private let version: String
    private let poses: PoseSource
    private let statuses: StatusSource
    private let receiver: ReceiverSource?
    private var outputs: [Configured] = []
    private let signals: SignalWatch

    /// Between two attempts to start an output. Unit: ns.
    private static let pause: Int64 = 10_000_000_000

    /// Checks the settings and starts the outputs.
    ///
    /// - Parameter version: of this program.
    /// - Throws: `Problem` without an output, for an address that is not permitted, and if no output can start;
    ///   `SystemError` if the event loop cannot.
    package init(_ settings: Configuration, version: String) throws {
        try Self.check(settings.bridge)
        self.settings = settings
        self.version = version
        let reactor = try Reactor()
        self.reactor = reactor
        // Before other threads start, which inherit what is blocked.
        signals = try SignalWatch(reactor, [SIGINT, SIGTERM]) { [unowned reactor] _ in reactor.stop() }
        poses = PoseSource(path: settings.service.poseRingPath)
        statuses = StatusSource(socket: settings.service.socket)
        receiver = settings.gnss.enabled && Self.usesReceiver(settings.bridge) ? ReceiverSource(settings.gnss) : nil
        outputs = Self.kinds(settings.bridge).map { Configured(kind: $0) }
        startOutputs()
        guard outputs.contains(where: { $0.output != nil }) else {
            throw Problem(description: outputs.compactMap(\.problem).joined(separator: "; "), isOfSettings: false)
        }
    }

    /// What it serves, for the service manager's status line.
    package var statusLine: String {
        outputs.map { $0.output?.description ?? "not started: \($0.problem ?? "")" }.joined(separator: ", ")
    }

    /// Serves until SIGINT or SIGTERM.
    ///
    /// - Parameter heartbeat: called this often by the event loop. Unit: ns.
    package func run(every interval: Int64?, heartbeat: @escaping () -> Void) {
        if let interval { reactor.every(interval, handler: heartbeat) }
        reactor.every(Self.pause) { [unowned self] in startOutputs() }
        reactor.run()
        for configured in outputs { configured.output?.close() }
    }

    // MARK: - Settings

    private static func check(_ section: Configuration.Bridge) throws(Problem) {
        guard !section.isOff else {
            throw Problem(
                description: "no output is turned on: give an option such as --gpsd 127.0.0.1:2948, or set "
                    + "bridge.gpsd, bridge.nmea_tcp, bridge.nmea_socket, bridge.nmea_terminal, bridge.opentrack, "
                    + "bridge.mavlink, bridge.metrics or bridge.sensor_proxy in \(Configuration.systemFile)",
                isOfSettings: true)
        }
        let addresses = [
            ("gpsd", section.gpsd), ("nmea_tcp", section.nmeaTCP), ("opentrack", section.openTrack),
            ("mavlink", section.mavlinkAddress), ("metrics", section.metrics),
        ]
        for (key, text) in addresses where !text.isEmpty {
            let address = try address(text, key)
            guard address.isLoopback || section.allowRemote else {
                throw Problem(
                    description: "bridge.\(key): \(text) is reachable from other computers, and positions are personal "
                        + "data: use 127.0.0.1, or permit it by --allow-remote or bridge.allow_remote = true",
                    isOfSettings: true)
            }
        }
    }

    private static func address(_ text: String, _ key: String) throws(Problem) -> NetworkAddress {
        do throws(NetworkAddress.Problem) {
            return try NetworkAddress(text)
        } catch {
            throw Problem(description: "bridge.\(key): '\(text)' \(error)", isOfSettings: true)
        }
    }

    /// Whether an output reports satellites, or heights above the sea.
    private static func usesReceiver(_ section: Configuration.Bridge) -> Bool {
        ![section.gpsd, section.nmeaTCP, section.nmeaSocket, section.nmeaTerminal, section.mavlink]
            .allSatisfy(\.isEmpty)
    }

    // MARK: - Outputs

    private static func kinds(_ section: Configuration.Bridge) -> [Kind] {
        func address(_ text: String, _ kind: (NetworkAddress) -> Kind) -> Kind? {
            (try? NetworkAddress(text)).map(kind)
        }
        func path(_ text: String, _ kind: (String) -> Kind) -> Kind? { text.isEmpty ? nil : kind(text) }
        return [
            address(section.gpsd, Kind.gpsd), address(section.nmeaTCP, Kind.nmeaTCP),
            path(section.nmeaSocket, Kind.nmeaSocket), path(section.nmeaTerminal, Kind.nmeaTerminal),
            address(section.openTrack, Kind.openTrack), address(section.mavlinkAddress, Kind.mavlink),
            address(section.metrics, Kind.metrics),
            section.sensorProxy ? .sensorProxy : nil,
        ].compactMap { $0 }
    }

    private func start(_ kind: Kind) throws -> any BridgeOutput {
        let section = settings.bridge
        let sentences = LiveSentences(talker: section.nmeaTalker)
        switch kind {
        case .gpsd(let address):
            return try GPSDOutput(
                reactor, at: address, rate: section.rateHz, version: version, sentences: sentences, poses: poses,
                receiver: receiverView)
        case .nmeaTCP(let address):
            return try NMEAOutput(
                reactor, TCPListener(address), rate: section.rateHz, sentences: sentences, poses: poses,
                receiver: receiverView)
        case .nmeaSocket(let path):
            let listener = try UnixListener(path: path, mode: mode_t(settings.service.socketMode), group: group)
            return try NMEAOutput(
                reactor, listener, rate: section.rateHz, sentences: sentences, poses: poses, receiver: receiverView)
        case .nmeaTerminal(let path):
            let terminal = try PseudoTerminal(path: path, group: group)
            return NMEATerminalOutput(
                reactor, terminal, rate: section.rateHz, sentences: sentences, poses: poses, receiver: receiverView)
        case .openTrack(let address):
            return OpenTrackOutput(
                reactor, try DatagramSender(to: address), rate: section.openTrackRateHz,
                sendsPosition: section.openTrackPosition, poses: poses)
        case .mavlink(let address):
            return MAVLinkOutput(
                reactor, try DatagramSender(to: address), system: UInt8(section.mavlinkSystem), poses: poses,
                receiver: receiverView)
        case .metrics(let address): return try MetricsOutput(at: address, statuses: statuses)
        case .sensorProxy:
            return SensorProxyOutput(reactor, poses: poses) { [unowned self] in
                // The first pose ends the state.
                statuses.newest.map { $0.status.state != .initializing } ?? false
            }
        }
    }

    /// Starts those that do not run; each problem is logged once.
    private func startOutputs() {
        for index in outputs.indices where outputs[index].output == nil {
            do {
                let output = try start(outputs[index].kind)
                outputs[index].output = output
                outputs[index].problem = nil
                Log.info("serves \(output.description)")
            } catch {
                if outputs[index].problem == nil { Log.error("\(error); trying again every 10 s") }
                outputs[index].problem = "\(error)"
            }
        }
    }

    /// Group of sockets and terminals, if this process belongs to it.
    private var group: gid_t? {
        settings.service.socketGroup.isEmpty ? nil : Accounts.group(named: settings.service.socketGroup)
    }

    /// What is known of the receiver that poses come from; of that of a recording nothing.
    private var receiverView: () -> ReceiverView {
        { [unowned self] in
            var view = ReceiverView()
            guard let answer = statuses.newest else {
                view.isSeparationAwaited = true
                return view
            }
            switch answer.status.source {
            case .known(.sensors): return receiver?.view ?? view
            case .known(.simulation): return .simulated
            default:
                view.isSimulated = true
                return view
            }
        }
    }
}
