import JSON
import Linux
import WaymarkClient
import WaymarkInterface
import Messages

/// Delivers each announcement of the daemon once. When the daemon restarts, the source continues after the last event
/// that it has received.
final class AnnouncementSource {
    private var subscription: DaemonSubscription?
    /// Sequence number of the last event. It is derived from the event's time in microseconds, so that the start time
    /// of this program is a valid initial value.
    private var cursor = Int(BootClock.nanoseconds / 1000)

    /// Rate of messages, which limits the delay of an announcement. Unit: hertz.
    private static let rate = 4.0

    init(_ reactor: Reactor, socket: String, language: Language, handler: @escaping (SceneInterface.Event) -> Void) {
        let outage = OutageLog("no announcements")
        subscription = DaemonSubscription(
            reactor, socket: socket, outage: outage, ending: "the daemon has ended the connection",
            begin: { [unowned self] stream in
                stream.call(
                    SceneInterface.Subscribe(
                        rate: Self.rate, hints: 0, eventsAfter: cursor, acceptLanguage: language.rawValue), more: true)
            },
            take: { [unowned self] node in
                let scene: SceneEvents = try node.required("scene")
                outage.end()
                for event in scene.events {
                    cursor = max(cursor, event.sequence ?? cursor)
                    handler(event)
                }
            })
    }

    func close() { subscription?.close() }
}

/// The parts of a scene message that are read. The placements, which are the largest part, are not read.
private struct SceneEvents: JSONReadable {
    let events: [SceneInterface.Event]

    init(_ node: JSONNode) throws(DocumentProblem) { events = try node.required("events") }
}
