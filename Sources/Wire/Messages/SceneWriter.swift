import JSON
import Scene

/// Writes the messages of one view. All subscribers that have received the same updates share one message, or one per
/// language if it contains text in the reader's language.
package struct SceneWriter: Sendable {
    package private(set) var view: SceneView
    /// Number of messages written. Each may be for several subscribers.
    package private(set) var count = 0

    /// Messages of the current scene. There are few, because only slow and new subscribers need messages of their own.
    private var written: [Written] = []
    private var json = JSONWriter()

    private struct Written {
        var standing: SceneReader
        /// Language of the message; nil if it is the same in all languages.
        var language: Language?
        var message: SharedSceneMessage

        func serves(_ reader: SceneReader, _ reading: Language) -> Bool {
            standing == reader.standing && (language ?? reading) == reading
        }
    }

    package init(_ view: SceneView) { self.view = view }

    /// Replaces the scene and the history of events.
    package mutating func follow(
        _ content: SceneContent, events: EventHistory = EventHistory(), settings: SceneSettings.Placements
    ) {
        written.removeAll(keepingCapacity: true)
        view.events = events
        view.follow(content, settings: settings)
    }

    /// Discards removals that all of these readers have received. Has to be called regularly, because removals
    /// accumulate.
    package mutating func forget(knownTo readers: some Sequence<SceneReader>) { view.forget(knownTo: readers) }

    /// Writes the reply to a subscriber and updates its reader; nil if nothing has changed.
    package mutating func message(for reader: inout SceneReader, in language: Language) -> [UInt8]? {
        guard view.hasChanges(for: reader), let message = message(standing: reader, language) else { return nil }
        reader = view.updated(reader)
        return message.bytes(revision: reader.revision)
    }

    private mutating func message(standing reader: SceneReader, _ language: Language) -> SharedSceneMessage? {
        if let known = written.first(where: { $0.serves(reader, language) }) { return known.message }
        guard let update = view.update(for: reader) else { return nil }
        let message = SharedSceneMessage(update, in: language, writer: &json)
        written.append(
            Written(standing: reader.standing, language: update.hasWords ? language : nil, message: message))
        count += 1
        return message
    }
}
