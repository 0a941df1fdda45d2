import Glibc
import Linux
import Configuration
import WaymarkClient
import Messages

extension Command {
    private static let announcements = Flag(
        "announcements", help: "Show the announcements of the route as well")

    static let notify = Command(
        "notify", "Show a notification of the desktop when a place is reached.", options: [announcements],
        notes: """
            It waits for the daemon, and goes on after its restart. Notifications are shown by the program of the desktop
            that owns org.freedesktop.Notifications on the session bus.
            """
    ) { options in
        let signals = try SignalDescriptor.ofInterruption()
        do throws(DesktopNotifications.Failure) {
            let watch = EventNotifications(
                try DesktopNotifications(), withAnnouncements: options[announcements], signals: signals)
            watch.run()
            return .done
        } catch {
            throw CommandError.failed(error.description)
        }
    }
}

/// Shows the events of the scene as notifications, each once, until a signal arrives.
private final class EventNotifications {
    private let desktop: DesktopNotifications
    private let withAnnouncements: Bool
    /// Retained, since the signals are blocked as long as it lives.
    private let signals: SignalDescriptor
    private var cancel: Int32 { signals.descriptor }
    /// Number of the last event. Numbers are derived from the event's time in microseconds, so this program's start
    /// time is a valid initial value. Events between the start and the first connection are also shown.
    private var last = Int(BootClock.nanoseconds / 1000)
    private var complaint: String?

    /// Maximum rate of messages; the daemon sends one at least once a second in any case. Unit: hertz.
    private static let rate = 1.0
    /// Pause before the next attempt to connect.
    private static let pause: Duration = .seconds(1)

    init(_ desktop: DesktopNotifications, withAnnouncements: Bool, signals: SignalDescriptor) {
        self.desktop = desktop
        self.withAnnouncements = withAnnouncements
        self.signals = signals
    }

    func run() {
        // An unread signal would end the program once it is unblocked.
        defer { while signals.next() != nil {} }
        while true {
            do throws(WaymarkError) {
                try follow()
            } catch .cancelled {
                return
            } catch {
                complain("waiting for the daemon: \(error)")
            }
            let end = Reactor.now + Self.pause.components.seconds * 1_000_000_000
            if (try? Waiting.wait(cancel, events: POLLIN, until: end)) == .ready { return }
        }
    }

    private func follow() throws(WaymarkError) {
        let scenes = try Waymark.Client(cancel: cancel).scenes(
            rate: Self.rate, hints: 0, eventsAfter: last, acceptLanguage: Language.ofSession.rawValue)
        while let scene = try scenes.next() {
            complaint = nil
            for event in scene.events { try take(event) }
        }
    }

    private func take(_ event: Waymark.Event) throws(WaymarkError) {
        if let sequence = event.sequence {
            guard sequence > last else { return }
            last = sequence
        }
        switch event.kind.known {
        case .proximityEntered:
            show(
                .place(
                    name: event.text ?? "", distance: event.distance, kind: try kind(event.id), in: .ofSession),
                insteadOf: event.id ?? "")
        case .announcement where withAnnouncements:
            if let text = event.text { show(NotificationText(summary: text, body: ""), insteadOf: "announcement") }
        default: break
        }
    }

    /// Asks the daemon for the kind of the place; nil if the place has been deleted meanwhile.
    private func kind(_ id: String?) throws(WaymarkError) -> String? {
        guard let id else { return nil }
        do {
            return try Waymark.Client(cancel: cancel).place(id: id).kind
        } catch .cancelled {
            throw .cancelled
        } catch {
            return nil
        }
    }

    private func show(_ text: NotificationText, insteadOf key: String) {
        do {
            try desktop.show(text, insteadOf: key)
            complaint = nil
        } catch {
            complain(error.description)
        }
    }

    /// Prints a problem, unless it was the last one that was printed.
    private func complain(_ problem: String) {
        guard problem != complaint else { return }
        complaint = problem
        Terminal.complain("waymark notify: " + Words.line(problem))
    }
}
