import WaymarkInterface

package struct Utterance: Equatable {
    /// Subject. A newer utterance replaces an older one about the same subject.
    package enum Subject: Equatable {
        case start
        case turn
        case destination
        /// Whether the wearer is on the route.
        case route
        /// A subject that this version does not know.
        case other
    }

    /// Urgency, the most urgent first.
    package enum Priority: Comparable {
        /// Must be heard immediately.
        case now
        /// Announces what is ahead.
        case ahead
        case other
    }

    package let text: String
    package let subject: Subject
    package let priority: Priority
    /// Time of the event, CLOCK_BOOTTIME. Unit: ns.
    package let time: Int64

    /// Makes the utterance for an event; nil if the event is not an announcement.
    package init?(_ event: SceneInterface.Event) {
        guard event.kind.known == .announcement, let text = event.text, !text.isEmpty, let time = event.time.nanoseconds
        else { return nil }
        self.text = text
        self.time = time
        let usual: Priority
        switch event.about?.known {
        case .start, .resumed: (subject, usual) = (.start, .other)
        case .turn: (subject, usual) = (.turn, .ahead)
        // An announcement with a side is given near the destination, which is then the next thing ahead.
        case .destination: (subject, usual) = (.destination, event.side == nil ? .other : .ahead)
        case .arrived: (subject, usual) = (.destination, .ahead)
        case .offRoute: (subject, usual) = (.route, .now)
        case .backOnRoute: (subject, usual) = (.route, .other)
        case nil: (subject, usual) = (.other, .other)
        }
        // `isNow` applies to any subject, because the start may be announced together with a turn that has already been
        // reached.
        priority = event.isNow == true ? .now : usual
    }

    /// Returns the same utterance, to be spoken again at a later time.
    package func repeated(at time: Int64) -> Utterance { Utterance(self, time: time) }

    private init(_ other: Utterance, time: Int64) {
        (text, subject, priority, self.time) = (other.text, other.subject, other.priority, time)
    }
}
