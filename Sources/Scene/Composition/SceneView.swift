import Geometry
import Model

/// The scene as a display sees it, and what displays of that kind have been told.
///
/// All readers with equal wishes share one view: it follows the scene once for all of them (`follow`), and makes each of them
/// its update by what that one has been told (`update(for:)`), which is the same for those who read in time. A reader's first
/// update is all of the scene, and so is the first of another generation; the others say what has changed. One that is not
/// asked for, because its reader has not taken the one before, is covered by the next.
public struct SceneView: Sendable {
    public let camera: Camera
    /// Range of the display's radar, metres; nil without one.
    public let radarRange: Double?
    /// Of the display's labels; nil for that of the settings.
    public let labelSize: LabelSize?
    /// The most hints that the display shows; nil for the settings' number.
    public let mostHints: Int?
    public let takesEvents: Bool

    /// Whether its readers want just what those of another one want, and so may share it.
    public func hasSameWishes(as other: SceneView) -> Bool {
        camera == other.camera && radarRange == other.radarRange && labelSize == other.labelSize
            && mostHints == other.mostHints && takesEvents == other.takesEvents
    }

    private struct Shown: Sendable {
        let id: String
        /// The view's revision with which it came.
        let since: UInt64
        /// Its `revision` is the view's, of the last change; nil until it has been looked at.
        var sent: ViewedPlacement?
        var tracker = HintTracker()
        var memory = HintMemory()
    }

    /// Rises with all that is worth an update, from 1.
    public private(set) var revision: UInt64 = 0
    /// The revision with which this generation began: who knows none since then is told all.
    private var beginning: UInt64 = 1
    private var shown: [Shown] = []
    private var gone = GonePlacements()
    private var board = HintBoard()
    private var roll = LabelRoll()
    /// What is neither placed nor happens, as it was told last and as it is now.
    private var last: SceneUpdate?
    private var present: SceneUpdate?
    private var events = EventQueue(most: Self.mostEvents)
    /// The newest event that revisions up to now tell.
    private var eventsTold: UInt64 = 0
    private var reader = SceneReader()

    /// So many events wait for a slow reader.
    static let mostEvents = 64
    /// A reader hears about so often at the least, so that it knows that nothing has changed. Unit: seconds.
    static let longestSilence = 1.0

    public init(
        camera: Camera, radarRange: Double? = nil, labelSize: LabelSize? = nil, mostHints: Int? = nil,
        takesEvents: Bool = true
    ) {
        self.camera = camera
        self.radarRange = radarRange
        self.labelSize = labelSize
        self.mostHints = mostHints
        self.takesEvents = takesEvents
    }

    /// Who reads from now on: events of before are not theirs.
    public func newReader() -> SceneReader { SceneReader(events: events.count) }

    /// Something has happened; the next update says it.
    public mutating func add(_ event: TimedEvent) {
        if takesEvents { events.add(event) }
    }

    // MARK: one reader

    /// The only reader has not taken the update before: this one is left out, and covered by the next.
    public mutating func skip() { reader.missed += 1 }

    /// What to tell the only reader now; nil when nothing is worth it.
    public mutating func update(to content: SceneContent, settings: SceneSettings.Placements) -> SceneUpdate? {
        follow(content, settings: settings)
        guard hasNews(for: reader), let update = update(for: reader) else { return nil }
        reader = told(reader)
        return update
    }

    // MARK: many readers

    /// The scene is another one.
    public mutating func follow(_ content: SceneContent, settings: SceneSettings.Placements) {
        let begins = last?.generation != content.generation
        if begins {
            shown.removeAll(keepingCapacity: true)
            gone.removeAll()
        }
        let header = SceneUpdate(content, labelRoll: roll.update(content.rotationSceneFromBody, at: content.time))
        let interval = present.map { header.time.seconds(since: $0.time) } ?? 0
        present = header
        let hasChanged = look(at: content, settings, as: revision + 1)
        guard begins || hasChanged || isWorthSending(header, after: interval) else { return }
        revision += 1
        if begins { beginning = revision }
        last = header
        eventsTold = events.count
    }

    /// Whether there is anything that a reader has not been told.
    public func hasNews(for reader: SceneReader) -> Bool { reader.known != revision }

    /// All that a reader has not been told, by the last scene; nil before the first.
    ///
    /// It is the same for readers who are alike but for their own revision.
    public func update(for reader: SceneReader) -> SceneUpdate? {
        guard var update = present else { return nil }
        update.revision = reader.revision + 1
        update.isSnapshot = reader.known < beginning
        let known = update.isSnapshot ? 0 : reader.known
        for each in shown {
            guard var viewed = each.sent, viewed.revision > known else { continue }
            viewed.revision = update.revision
            update.changed.append(viewed)
        }
        if !update.isSnapshot {
            update.removed = gone.since(known) { id in shown.contains { $0.id == id } }
        }
        (update.events, update.eventsDropped) = events.since(reader.events)
        update.missed = reader.missed
        return update
    }

    /// A reader after the update that it is sent.
    public func told(_ reader: SceneReader) -> SceneReader {
        SceneReader(revision: reader.revision + 1, known: revision, events: events.count, missed: 0)
    }

    /// Forgets what is gone and known to nobody any more; to be called now and then.
    public mutating func forget(knownTo readers: some Sequence<SceneReader>) {
        guard gone.isLarge else { return }
        gone.keep(knownAt: Set(readers.map(\.known)))
    }

    /// Takes over what is worth telling, and says whether anything is.
    private mutating func look(
        at content: SceneContent, _ settings: SceneSettings.Placements, as revision: UInt64
    ) -> Bool {
        var hasChanged = match(content.placements, as: revision)
        let hints = hints(at: content, settings)
        let slots = labelSize.flatMap { content.slots[$0] }
        for (index, var placement) in content.placements.enumerated() {
            if let slots { placement.slot = slots[index] }
            let isVisible = shown[index].tracker.isVisible
            let radar = radar(of: placement, heading: content.heading)
            if let sent = shown[index].sent {
                guard
                    sent.isVisible != isVisible || PlacementChange.isWorthSending(hints[index], after: sent.hint)
                        || PlacementChange.isWorthSending(radar, after: sent.radar)
                        || PlacementChange.isWorthSending(placement, after: sent.placement)
                else { continue }
            }
            shown[index].sent = ViewedPlacement(
                placement: placement, revision: revision, isVisible: isVisible, hint: hints[index], radar: radar)
            hasChanged = true
        }
        return hasChanged
    }

    /// Brings what is shown in line with the placements, one for one. Both are in the order of their ids.
    /// Returns whether any has gone.
    private mutating func match(_ placements: [Placement], as revision: UInt64) -> Bool {
        var hasChanged = false
        var index = 0
        for placement in placements {
            while index < shown.count, shown[index].id < placement.id {
                leave(shown.remove(at: index), revision)
                hasChanged = true
            }
            if index == shown.count || shown[index].id != placement.id {
                shown.insert(Shown(id: placement.id, since: revision), at: index)
            }
            index += 1
        }
        for each in shown[index...] { leave(each, revision) }
        hasChanged = hasChanged || index < shown.count
        shown.removeSubrange(index...)
        return hasChanged
    }

    private mutating func leave(_ each: Shown, _ revision: UInt64) {
        gone.add(each.id, from: each.since, to: revision)
    }

    /// Of each placement: nil for most.
    private mutating func hints(at content: SceneContent, _ settings: SceneSettings.Placements) -> [OffscreenHint?] {
        let rotationBodyFromScene = content.rotationSceneFromBody.inverse
        let upInBody = rotationBodyFromScene * Vector3(0, 1, 0)
        let border = DisplayBorder(camera, inset: settings.hintInset)
        let importance = HintImportance(content.placements)
        var candidates: [HintCandidate] = []
        for (index, placement) in content.placements.enumerated() {
            let pointInBody =
                placement.lock == .head
                ? placement.position : rotationBodyFromScene * (placement.position - content.eye)
            let way = shown[index].tracker.update(
                pointInBody: pointInBody, upInBody: upInBody, border: border, settings: settings
            ).hint
            if let way, let importance = importance.of(placement) {
                candidates.append(
                    HintCandidate(
                        index: index, id: placement.id, importance: importance, distance: placement.distance, hint: way,
                        memory: shown[index].memory))
            } else {
                shown[index].memory.rest()
            }
        }
        var hints = [OffscreenHint?](repeating: nil, count: shown.count)
        // The spacing is a share of the display's height, of which arcs count the half.
        let found = board.update(
            &candidates, border: border, most: mostHints ?? settings.mostHints, spacing: 2 * settings.hintSpacing,
            at: content.time)
        for candidate in candidates { shown[candidate.index].memory = candidate.memory }
        for (index, hint) in found { hints[index] = hint }
        return hints
    }

    private func radar(of placement: Placement, heading: Double?) -> ViewedPlacement.RadarPoint? {
        guard let radarRange, let heading, let bearing = placement.bearing, placement.lock == .scene else { return nil }
        let point = Radar.point(
            bearing: bearing, heading: heading, distance: placement.distance, range: radarRange)
        return ViewedPlacement.RadarPoint(x: point.x, y: point.y)
    }

    /// - Parameter interval: since the scene before, seconds.
    private func isWorthSending(_ update: SceneUpdate, after interval: Double) -> Bool {
        guard let last else { return true }
        return events.count != eventsTold || update.readiness != last.readiness || update.route != last.route
            || update.motion != last.motion || update.left != last.left
            || update.sun?.daylight != last.sun?.daylight
            || Angle.wrapped(update.labelRoll - last.labelRoll).magnitude > PlacementChange.roll
            // Not the first one after the silence, which may be much later, but about the last one within it. Either way, for
            // a clock may be set back.
            || update.time.seconds(since: last.time).magnitude >= Self.longestSilence - 0.75 * interval
    }
}
