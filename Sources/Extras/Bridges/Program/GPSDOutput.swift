import Linux
import WaymarkClient
import WaymarkInterface

/// Serves the fused pose in gpsd's protocol.
package final class GPSDOutput: BridgeOutput {
    private typealias Server = StreamServer<GPSDRequest.Watch>

    private let reactor: Reactor
    private let poses: PoseSource
    private let receiver: () -> ReceiverView
    private let report: GPSDReportWriter
    private let listener: TCPListener
    private var sentences: LiveSentences
    private var server: Server!
    private var timer: TimerIdentifier?
    private let interval: Int64
    /// Last SKY report that was sent.
    private var sky: [UInt8]?

    /// Limits on the number of clients. The total is the same as in gpsd (its MAXSUBSCRIBERS).
    private static let places = ShareLimit(all: 64)
    private static let limits = StreamConnection.Limits(line: 4096, unsent: 65536)

    package var description: String { "gpsd's clients at \(listener.address)" }

    package var address: NetworkAddress { listener.address }

    /// Starts listening.
    ///
    /// - Parameter rate: number of reports per second.
    package init(
        _ reactor: Reactor, at address: NetworkAddress, rate: Double, version: String,
        sentences: LiveSentences = LiveSentences(), poses: PoseSource, receiver: @escaping () -> ReceiverView
    ) throws(SystemError) {
        self.reactor = reactor
        self.poses = poses
        self.receiver = receiver
        self.sentences = sentences
        report = GPSDReportWriter(version: version, rate: rate)
        interval = Int64(1e9 / rate)
        listener = try TCPListener(address)
        server = Server(
            reactor, name: "gpsd", limits: Self.limits, places: Self.places, separator: UInt8(ascii: ";"),
            state: { GPSDRequest.Watch() },
            handlers: Server.Handlers(
                opened: { [unowned self] in server.send(report.versionReport(), to: $0, isRequired: true) },
                line: { [unowned self] in answer($1, of: $0) }, closed: { [unowned self] _ in adjust() },
                isIdle: { !$0.state.isEnabled }))
        try server.listen(listener)
    }

    package func close() {
        server.close()
        adjust()
    }

    // MARK: - Requests

    private func answer(_ line: [UInt8], of peer: Server.Peer) {
        do throws(GPSDRequest.Refusal) {
            guard let request = try GPSDRequest.read(line) else { return }
            for reply in replies(to: request, of: peer) { server.send(reply, to: peer, isRequired: true) }
        } catch {
            server.send(report.errorReport(error), to: peer, isRequired: true)
        }
    }

    private func replies(to request: GPSDRequest, of peer: Server.Peer) -> [[UInt8]] {
        switch request {
        case .version: return [report.versionReport()]
        case .devices: return [report.devicesReport(activated: poses.newest?.utc)]
        case .device: return [report.deviceReport(activated: poses.newest?.utc)]
        case .poll: return [report.pollReport(poses.newest, receiver: receiver())]
        case .watch(let watch):
            guard let watch else { return [report.watchReport(peer.state)] }
            peer.state = watch
            adjust()
            let devices = report.devicesReport(activated: poses.newest?.utc)
            let sky = watch.isEnabled && watch.json ? report.skyReport(receiver()) : nil
            return [devices, report.watchReport(watch)] + (sky.map { [$0] } ?? [])
        }
    }

    // MARK: - Reports

    /// Acquires poses only while a client watches.
    private func adjust() {
        let isWatched = server.peers.contains { $0.state.isEnabled }
        if isWatched, timer == nil {
            poses.acquire()
            timer = reactor.every(interval) { [unowned self] in sendReports() }
        } else if !isWatched, let timer {
            reactor.cancel(timer)
            self.timer = nil
            poses.release()
        }
    }

    private func sendReports() {
        let pose = poses.newest
        let receiver = receiver()
        if server.peers.contains(where: { $0.state.isEnabled && $0.state.json }) { sendJSON(pose, receiver) }
        if server.peers.contains(where: { $0.state.isEnabled && $0.state.nmea }) {
            let text = sentences.write(pose, receiver: receiver)
            for peer in server.peers where peer.state.isEnabled && peer.state.nmea { server.send(text, to: peer) }
        }
    }

    private func sendJSON(_ pose: Waymark.Pose?, _ receiver: ReceiverView) {
        var text = report.positionReport(pose, receiver: receiver)
        text += pose.flatMap { report.attitudeReport($0) } ?? []
        if receiver.sky != sky {
            sky = receiver.sky
            text += report.skyReport(receiver) ?? []
        }
        for peer in server.peers where peer.state.isEnabled && peer.state.json { server.send(text, to: peer) }
    }
}
