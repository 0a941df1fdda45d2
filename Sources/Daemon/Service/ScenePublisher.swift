import Linux
import Messages
import Model
import Scene
import Varlink

/// Sends the scene to its subscribers. The scene is composed once for all of them, and only if at least one takes it.
///
/// Subscribers with equal requests share a view and one message. The message is encoded once for all subscribers that
/// read in time, or once per language if it contains the daemon's own texts. Each message has the changes since the
/// subscriber's last message. If a subscriber has not taken its last message, nothing is encoded for it, and its next
/// message contains the changes that it missed. So a slow subscriber costs nothing and delays no other.
final class ScenePublisher {
    private final class Subscriber {
        let stream: ReplyStream
        var divider: RateDivider
        var reader: SceneReader
        let languages: AcceptedLanguages?
        /// Language of the texts that the subscriber gets, chosen from `languages`.
        var language = Language.english
        let user: UInt32

        init(
            _ stream: ReplyStream, rate: Double, reader: SceneReader, languages: AcceptedLanguages?, user: UInt32
        ) {
            self.stream = stream
            self.languages = languages
            self.user = user
            divider = RateDivider(rate: rate)
            self.reader = reader
        }
    }

    /// Subscribers with equal requests.
    private final class Audience {
        let rate: Double
        var writer: SceneWriter
        var subscribers: [Subscriber] = []

        init(rate: Double, view: SceneView) {
            self.rate = rate
            writer = SceneWriter(view)
        }
    }

    /// Maximum number of different label sizes that displays request in place of the settings' size.
    private static let sizes = ShareLimit(all: 8, ofUser: 4, reserve: 1)
    /// Maximum rate at which scenes are composed. Unit: Hz.
    static let maximumRate = 60.0

    private let driver: EngineDriver
    var settings: SceneSettings.Placements
    /// Language of subscribers that request none, or only languages without a catalogue.
    var language: Language {
        didSet {
            for subscriber in audiences.lazy.flatMap(\.subscribers) {
                subscriber.language = language(of: subscriber.languages)
            }
        }
    }
    private var audiences: [Audience] = []
    private var events = EventHistory()
    private var ticks = RateDivider(rate: maximumRate)

    init(driver: EngineDriver, settings: SceneSettings.Placements, language: Language) {
        self.driver = driver
        self.language = language
        self.settings = settings
    }

    /// Highest rate of a subscriber; 0 without subscribers. Unit: Hz.
    var highestRate: Double { audiences.lazy.map(\.rate).max() ?? 0 }

    /// Returns the limit that one more subscriber with labels of this size would exceed, if any.
    func reachedLimit(ofLabelSizes size: LabelSize?, user: UInt32) -> ShareLimit.Reached? {
        guard let size else { return nil }
        let used = audiences.lazy.flatMap { audience in
            audience.subscribers.lazy.compactMap { subscriber in
                audience.writer.view.labelSize.map { (user: subscriber.user, value: $0) }
            }
        }
        return Self.sizes.reached(by: user, size, used: used)
    }

    private var labelSizes: Set<LabelSize> { Set(audiences.compactMap(\.writer.view.labelSize)) }

    /// Sends the scene to a user's `stream` until it ends, at most `rate` times a second.
    ///
    /// - Parameters:
    ///   - sequence: sequence number of the last event that the subscriber has; nil to send later events only.
    ///   - languages: languages for the texts; nil for the language of the settings.
    func add(
        _ stream: ReplyStream, rate: Double, view: SceneView, eventsAfter sequence: Int64?,
        languages: AcceptedLanguages?, user: UInt32
    ) {
        let audience = audience(rate: rate, view: view)
        let subscriber = Subscriber(
            stream, rate: rate, reader: SceneReader(events: events, after: sequence), languages: languages, user: user)
        subscriber.language = language(of: languages)
        stream.onEnd = { [weak self, unowned audience, unowned subscriber] in
            audience.subscribers.removeAll { $0 === subscriber }
            guard let self, audience.subscribers.isEmpty else { return }
            audiences.removeAll { $0 === audience }
            driver.engine.setLabelSizes(labelSizes)
        }
        audience.subscribers.append(subscriber)
        driver.engine.setLabelSizes(labelSizes)
    }

    /// Returns the audience with this request, or makes a new one.
    private func audience(rate: Double, view: SceneView) -> Audience {
        if let present = audiences.first(where: { $0.rate == rate && $0.writer.view.hasSameOptions(as: view) }) {
            return present
        }
        let audience = Audience(rate: rate, view: view)
        audiences.append(audience)
        return audience
    }

    /// Composes and sends the scene to subscribers that are due; to be called when there may be a new pose.
    func publish() {
        guard !audiences.isEmpty, let time = driver.engine.pose?.time, ticks.takes(time) else { return }
        var content: SceneContent?
        for audience in audiences {
            let due = due(audience, at: time)
            guard !due.isEmpty else { continue }
            content = content ?? driver.engine.compose()
            guard let content else { return }
            publish(content, to: due, of: audience)
        }
    }

    /// Returns the subscribers that take a message now. Counts a message as missed for those that are due but still
    /// busy.
    private func due(_ audience: Audience, at time: BootTime) -> [Subscriber] {
        audience.subscribers.filter { subscriber in
            guard subscriber.divider.takes(time) else { return false }
            guard !subscriber.stream.isIdle else { return true }
            subscriber.reader.missed += 1
            subscriber.stream.countMissed()
            return false
        }
    }

    private func publish(_ content: SceneContent, to subscribers: [Subscriber], of audience: Audience) {
        audience.writer.follow(content, events: events, settings: settings)
        for subscriber in subscribers {
            let reply = audience.writer.message(for: &subscriber.reader, in: subscriber.language)
            guard let reply else { continue }
            subscriber.stream.offer(EncodedMessage(parameters: reply))
        }
        audience.writer.forget(knownTo: audience.subscribers.lazy.map(\.reader))
    }

    private func language(of languages: AcceptedLanguages?) -> Language {
        languages?.language(otherwise: language) ?? language
    }

    /// Adds an event to the next message of each subscriber.
    func publish(_ event: TimedEvent) { events.add(event) }

    /// Returns the whole scene as the reply to GetScene; nil before the first pose.
    func snapshot(_ view: SceneView, languages: AcceptedLanguages?) -> [UInt8]? {
        let sizes = labelSizes
        if let size = view.labelSize { driver.engine.setLabelSizes(sizes.union([size])) }
        defer { driver.engine.setLabelSizes(sizes) }
        guard let content = driver.engine.compose() else { return nil }
        var writer = SceneWriter(view)
        var reader = SceneReader(events: EventHistory())
        writer.follow(content, settings: settings)
        return writer.message(for: &reader, in: language(of: languages))
    }
}
