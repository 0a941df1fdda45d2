import JSON
import Linux
import WaymarkClient
import WaymarkInterface
import Messages

/// Announcements of the daemon, each delivered once. After the daemon's end, it reconnects once a second and continues
/// after the last event.
final class AnnouncementSource {
    private let reactor: Reactor
    private let socket: String
    private let language: Language
    private let handler: (SceneInterface.Event) -> Void
    private var stream: DaemonStream?
    /// Sequence number of the last event. It is derived from the event's time in microseconds, so that the start time
    /// of this program is a valid initial value.
    private var cursor = Int(BootClock.nanoseconds / 1000)
    /// Last logged reason why the daemon does not answer.
    private var problem: String?

    /// Rate of messages, which limits the delay of an announcement. Unit: hertz.
    private static let rate = 4.0
    /// Duration of one second. Unit: ns.
    private static let second: Int64 = 1_000_000_000

    init(_ reactor: Reactor, socket: String, language: Language, handler: @escaping (SceneInterface.Event) -> Void) {
        (self.reactor, self.socket, self.language, self.handler) = (reactor, socket, language, handler)
        reactor.every(Self.second) { [weak self] in self?.open() }
        open()
    }

    func close() { stream?.close() }

    private func open() {
        guard stream?.hasEnded ?? true else { return }
        stream?.close()
        do throws(SystemError) {
            stream = try DaemonStream(
                reactor, socket: socket, answered: { [weak self] in self?.take($0) },
                ended: { [weak self] in self?.report("the daemon has ended the connection") })
        } catch {
            stream = nil
            return report(error.description)
        }
        stream?.call(
            SceneInterface.Subscribe(
                rate: Self.rate, hints: 0, eventsAfter: cursor, acceptLanguage: language.rawValue), more: true)
    }

    private func take(_ answer: DaemonStream.Answer) {
        switch answer {
        case .reply(let node):
            do throws(DocumentProblem) {
                let scene: SceneEvents = try node.required("scene")
                answers(scene)
            } catch {
                fail("an answer that cannot be read: \(error)")
            }
        case .error(let name): fail(name)
        }
    }

    private func answers(_ scene: SceneEvents) {
        if problem != nil { Log.notice("the daemon answers") }
        problem = nil
        for event in scene.events {
            cursor = max(cursor, event.sequence ?? cursor)
            handler(event)
        }
    }

    private func fail(_ text: String) {
        stream?.abandon()
        report(text)
    }

    private func report(_ text: String) {
        if problem != text { Log.warning("no announcements: \(text); trying again every second") }
        problem = text
    }
}

/// Parts of a scene message that are read. The placements, the largest part of the message, are not read.
private struct SceneEvents: JSONReadable {
    let events: [SceneInterface.Event]

    init(_ node: JSONNode) throws(DocumentProblem) { events = try node.required("events") }
}
