import JSON
import Scene

/// Writes the messages of one view: one for all subscribers that have received the same.
package struct SceneWriter: Sendable {
    package private(set) var view: SceneView
    /// Number of messages that were written, each for one subscriber or several.
    package private(set) var count = 0

    /// Messages of the present scene: few, since only slow subscribers and new ones need one of their own.
    private var written: [(standing: SceneReader, message: SharedSceneMessage)] = []
    private var json = JSONWriter()

    package init(_ view: SceneView) { self.view = view }

    /// Replaces the scene and the events so far.
    package mutating func follow(
        _ content: SceneContent, events: EventHistory = EventHistory(), settings: SceneSettings.Placements
    ) {
        written.removeAll(keepingCapacity: true)
        view.events = events
        view.follow(content, settings: settings)
    }

    /// Discards removals that all of these have received; to be called now and then.
    package mutating func forget(knownTo readers: some Sequence<SceneReader>) { view.forget(knownTo: readers) }

    /// The reply to a subscriber, which is updated as having received it; nil where nothing has changed.
    package mutating func message(for reader: inout SceneReader) -> [UInt8]? {
        guard view.hasChanges(for: reader), let message = message(standing: reader) else { return nil }
        reader = view.updated(reader)
        return message.bytes(revision: reader.revision)
    }

    private mutating func message(standing reader: SceneReader) -> SharedSceneMessage? {
        if let known = written.first(where: { $0.standing == reader.standing }) { return known.message }
        guard let update = view.update(for: reader) else { return nil }
        let message = SharedSceneMessage(update, writer: &json)
        written.append((reader.standing, message))
        count += 1
        return message
    }
}
