import WaymarkInterface

/// Announcement that is to be spoken.
package struct Utterance: Equatable {
    /// What it is about: a newer one about the same replaces it.
    package enum Subject: Equatable {
        case start
        case turn
        case destination
        /// Whether the wearer is on the route.
        case route
        /// What this version does not know.
        case other
    }

    /// Urgency, the most urgent first.
    package enum Priority: Comparable {
        /// Has to be heard here and now.
        case now
        /// What comes next.
        case ahead
        case other
    }

    /// What is said.
    package let text: String
    /// What it is about.
    package let subject: Subject
    /// How urgent it is.
    package let priority: Priority
    /// Time of its event, CLOCK_BOOTTIME. Unit: ns.
    package let time: Int64

    /// What an event has to be spoken as; nil for one that is no announcement.
    package init?(_ event: SceneInterface.Event) {
        guard event.kind.known == .announcement, let text = event.text, !text.isEmpty, let time = event.time.nanoseconds
        else { return nil }
        self.text = text
        self.time = time
        let usual: Priority
        switch event.about?.known {
        case .start, .resumed: (subject, usual) = (.start, .other)
        case .turn: (subject, usual) = (.turn, .ahead)
        // With its side it is near, and what comes next.
        case .destination: (subject, usual) = (.destination, event.side == nil ? .other : .ahead)
        case .arrived: (subject, usual) = (.destination, .ahead)
        case .offRoute: (subject, usual) = (.route, .now)
        case .backOnRoute: (subject, usual) = (.route, .other)
        case nil: (subject, usual) = (.other, .other)
        }
        // Of any subject: the start may come with a turn that is reached already.
        priority = event.isNow == true ? .now : usual
    }

    /// An utterance that is to be spoken again, at another time.
    package func repeated(at time: Int64) -> Utterance { Utterance(self, time: time) }

    private init(_ other: Utterance, time: Int64) {
        (text, subject, priority, self.time) = (other.text, other.subject, other.priority, time)
    }
}
