import Configuration
import Glibc
import Linux
import WaymarkInterface

/// `waymark-bridge`: sends poses of the daemon in the protocols of other programs, on one thread.
///
/// An output that cannot start, for example because its port is in use, is retried while the others work. The daemon
/// may stop and start again.
package final class Bridge {
    /// Reason why the bridge cannot run as configured.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
        /// Whether the problem is in the settings, not in the state of the computer.
        package let isOfSettings: Bool
    }

    private struct Configured {
        let kind: OutputKind
        /// Address or path of the output.
        let value: String
        var output: (any BridgeOutput)?
        var problem: String?
    }

    let reactor: Reactor
    private let settings: Configuration
    let version: String
    let poses: PoseSource
    let statuses: StatusSource
    private let receiver: ReceiverSource?
    private var outputs: [Configured] = []
    private let signals: SignalWatch

    /// Interval between two attempts to start an output. Unit: ns.
    private static let pause: Int64 = 10_000_000_000

    /// Checks the settings and starts the outputs.
    ///
    /// - Throws: `Problem` if no output is configured, if an address is not permitted, or if no output can start;
    ///   `SystemError` if the event loop cannot start.
    package init(_ settings: Configuration, version: String) throws {
        try Self.check(settings.bridge)
        self.settings = settings
        self.version = version
        let reactor = try Reactor()
        self.reactor = reactor
        // The signals are blocked before other threads start, because threads inherit the signal mask.
        signals = try SignalWatch(reactor, [SIGINT, SIGTERM]) { [unowned reactor] _ in reactor.stop() }
        poses = PoseSource(path: settings.service.poseRingPath)
        statuses = StatusSource(socket: settings.service.socket)
        outputs = OutputKind.all.compactMap { kind in
            kind.value(settings.bridge).map { Configured(kind: kind, value: $0) }
        }
        let usesReceiver = settings.gnss.enabled && outputs.contains(where: \.kind.usesReceiver)
        receiver = usesReceiver ? ReceiverSource(settings.gnss) : nil
        startOutputs()
        guard outputs.contains(where: { $0.output != nil }) else {
            throw Problem(description: outputs.compactMap(\.problem).joined(separator: "; "), isOfSettings: false)
        }
    }

    /// Active outputs, for the service manager's status line.
    package var statusLine: String {
        outputs.map { $0.output?.description ?? "not started: \($0.problem ?? "")" }.joined(separator: ", ")
    }

    /// Serves until SIGINT or SIGTERM.
    ///
    /// - Parameter heartbeat: called by the event loop at this interval. Unit: ns.
    package func run(every interval: Int64?, heartbeat: @escaping () -> Void) {
        if let interval { reactor.every(interval, handler: heartbeat) }
        reactor.every(Self.pause) { [unowned self] in startOutputs() }
        reactor.run()
        for configured in outputs { configured.output?.close() }
    }

    // MARK: - Settings

    private static func check(_ section: Configuration.Bridge) throws(Problem) {
        let keys = OutputKind.all.map { "bridge.\($0.key)" }
        guard OutputKind.all.contains(where: { $0.value(section) != nil }) else {
            throw Problem(
                description: "no output is turned on: give an option such as --gpsd 127.0.0.1:2948, or set "
                    + keys.dropLast().joined(separator: ", ") + " or \(keys.last ?? "") in "
                    + Configuration.systemFile,
                isOfSettings: true)
        }
        for kind in OutputKind.all where kind.isAddress {
            guard let text = kind.value(section) else { continue }
            let address = try address(text, kind.key)
            guard address.isLoopback || section.allowRemote else {
                throw Problem(
                    description:
                        "bridge.\(kind.key): \(text) is reachable from other computers, and positions are personal "
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

    // MARK: - Outputs

    var section: Configuration.Bridge { settings.bridge }
    var sentences: LiveSentences { LiveSentences(talker: section.nmeaTalker) }
    var socketMode: mode_t { mode_t(settings.service.socketMode) }

    /// Starts outputs that are not running; each problem is logged once.
    private func startOutputs() {
        for index in outputs.indices where outputs[index].output == nil {
            do {
                let output = try outputs[index].kind.make(self, outputs[index].value)
                outputs[index].output = output
                outputs[index].problem = nil
                Log.info("serves \(output.description)")
            } catch {
                if outputs[index].problem == nil { Log.error("\(error); trying again every 10 s") }
                outputs[index].problem = "\(error)"
            }
        }
    }

    /// Group of sockets and terminals; nil if the settings name none, or one that does not exist.
    var group: gid_t? {
        settings.service.socketGroup.isEmpty ? nil : Accounts.group(named: settings.service.socketGroup)
    }

    /// Reports of the receiver whose fixes the poses use; empty for a recording.
    var receiverView: () -> ReceiverView {
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
