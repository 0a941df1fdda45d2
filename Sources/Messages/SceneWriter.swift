import JSON
import Scene

/// Writes the messages of one view: one for all readers who have been told the same.
public struct SceneWriter: Sendable {
    public private(set) var view: SceneView
    /// So many messages have been written, each for one reader or many.
    public private(set) var count = 0

    /// Messages of the present scene by reader state: few, since only slow and new readers need their own.
    private var written: [(standing: SceneReader, message: SharedSceneMessage)] = []
    private var json = JSONWriter()

    public init(_ view: SceneView) { self.view = view }

    /// The scene is another one.
    public mutating func follow(_ content: SceneContent, settings: SceneSettings.Placements) {
        written.removeAll(keepingCapacity: true)
        view.follow(content, settings: settings)
    }

    /// Something has happened; the next messages say it.
    public mutating func add(_ event: TimedEvent) { view.add(event) }

    /// What is gone and known to none of these is forgotten; to be called now and then.
    public mutating func forget(knownTo readers: some Sequence<SceneReader>) { view.forget(knownTo: readers) }

    /// The reply for a reader, who is sent it; nil when there is nothing to tell.
    public mutating func message(for reader: inout SceneReader) -> [UInt8]? {
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
