import JSON
import Linux
import WaymarkInterface

/// Connection to the daemon for one call with `more`, or for successive calls. It reconnects if the connection ends,
/// with one attempt per second.
package final class DaemonSubscription {
    private let reactor: Reactor
    private let socket: String
    private let outage: OutageLog
    private let ending: String?
    private let begin: (DaemonStream) -> Void
    private let lost: () -> Void
    private let take: (JSONNode) throws -> Void
    private var stream: DaemonStream?
    private var timer: TimerIdentifier?

    /// Interval between two connection attempts. Unit: ns.
    private static let interval: Int64 = 1_000_000_000

    /// Connects.
    ///
    /// - Parameters:
    ///   - ending: reason to log when the daemon ends the connection; nil to log none.
    ///   - begin: makes the first call on a new connection.
    ///   - lost: called when the connection has ended, and when an answer cannot be used.
    ///   - take: takes the parameters of a reply; if it throws, the connection is replaced.
    package init(
        _ reactor: Reactor, socket: String, outage: OutageLog, ending: String? = nil,
        begin: @escaping (DaemonStream) -> Void, lost: @escaping () -> Void = {},
        take: @escaping (JSONNode) throws -> Void
    ) {
        (self.reactor, self.socket, self.outage, self.ending) = (reactor, socket, outage, ending)
        (self.begin, self.lost, self.take) = (begin, lost, take)
        timer = reactor.every(Self.interval) { [weak self] in self?.open() }
        open()
    }

    /// Closes the connection for good.
    package func close() {
        if let timer { reactor.cancel(timer) }
        stream?.close()
    }

    /// Makes a further call, if there is a connection.
    package func call(_ method: some InterfaceMethod) { stream?.call(method, more: false) }

    private func open() {
        guard stream?.hasEnded ?? true else { return }
        stream?.close()
        do throws(SystemError) {
            let stream = try DaemonStream(
                reactor, socket: socket, answered: { [weak self] in self?.answered($0) },
                ended: { [weak self] in self?.ended() })
            self.stream = stream
            begin(stream)
        } catch {
            outage.report(error.description)
        }
    }

    private func ended() {
        if let ending { outage.report(ending) }
        lost()
    }

    private func answered(_ answer: DaemonStream.Answer) {
        switch answer {
        case .reply(let node):
            do {
                try take(node)
            } catch {
                abandon("an answer that cannot be read: \(error)")
            }
        case .error(let name): abandon(name)
        }
    }

    private func abandon(_ reason: String) {
        outage.report(reason)
        stream?.abandon()
        lost()
    }
}

/// Log of the reasons why the daemon does not answer, each of which is logged once.
package final class OutageLog {
    private let missing: String
    private var reason: String?

    /// - Parameter missing: what is not received while the daemon does not answer, such as "no poses".
    package init(_ missing: String) { self.missing = missing }

    package func report(_ reason: String) {
        if self.reason != reason { Log.warning("\(missing): \(reason); trying again every second") }
        self.reason = reason
    }

    /// Records that the daemon answers.
    package func end() {
        if reason != nil { Log.notice("the daemon answers") }
        reason = nil
    }
}
