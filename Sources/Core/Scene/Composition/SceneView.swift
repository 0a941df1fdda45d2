import Geometry
import Model

/// Scene as a display sees it, with the state that was sent to displays of that kind.
///
/// All readers with equal options share one view. The view follows the scene once for all of them (`follow`) and makes
/// each reader's update from that reader's state (`update(for:)`), so that readers that keep up get equal updates. The
/// first update of a reader, or of a generation, is a snapshot; other updates contain changes. An update is skipped if
/// its reader has not taken the previous one; the next update then includes it.
public struct SceneView: Sendable {
    package let camera: Camera
    /// Range of the display's radar in metres; nil without a radar.
    public let radarRange: Double?
    /// Size of the display's labels; nil for the size in the settings.
    public let labelSize: LabelSize?
    /// Maximum number of hints on the display; nil for the number in the settings.
    public let maximumHintCount: Int?
    package let hintTexts: HintTextSize
    package let takesEvents: Bool

    /// Whether another view has the same options, so that its readers can share this one.
    public func hasSameOptions(as other: SceneView) -> Bool {
        camera == other.camera && radarRange == other.radarRange && labelSize == other.labelSize
            && maximumHintCount == other.maximumHintCount && hintTexts == other.hintTexts
            && takesEvents == other.takesEvents
    }

    private struct Shown: Sendable {
        let id: String
        /// Revision of the view in which the placement appeared.
        let since: UInt64
        /// State that was last sent, with the view's revision at the last change; nil before the first evaluation.
        var sent: ViewedPlacement?
        var tracker = HintTracker()
        var memory = HintMemory()
    }

    /// Events so far, which several views may share. The next update contains the events since the last update.
    public var events = EventHistory()
    /// Revision, which starts at 1 and increases with each change that is worth an update.
    public private(set) var revision: UInt64 = 0
    /// Revision in which the current generation began. Readers with an earlier revision get a snapshot.
    private var beginning: UInt64 = 1
    private var shown: [Shown] = []
    private var removed = RemovedPlacements()
    private var hintLayout = HintLayout()
    private var hintTextLayout = HintTextLayout()
    private var sightMotion = SightMotion()
    private var roll = LabelRoll()
    /// State without placements and events, as last sent and as it is now.
    private var last: SceneUpdate?
    private var present: SceneUpdate?
    /// Number of events that were included in revisions so far.
    private var includedEvents: UInt64 = 0
    private var reader = SceneReader(events: EventHistory())

    /// Interval after which an update is sent even if nothing has changed, as a sign of life. Unit: seconds.
    static let maximumSilence = 1.0

    package init(
        camera: Camera, radarRange: Double? = nil, labelSize: LabelSize? = nil, maximumHintCount: Int? = nil,
        hintTexts: HintTextSize = .usual, takesEvents: Bool = true
    ) {
        self.camera = camera
        self.radarRange = radarRange
        self.labelSize = labelSize
        self.maximumHintCount = maximumHintCount
        self.hintTexts = hintTexts
        self.takesEvents = takesEvents
    }

    // MARK: one reader

    /// Skips an update for the only reader, because it has not taken the previous one. The next update includes it.
    public mutating func skip() { reader.missed += 1 }

    /// Returns the update for the only reader; nil if no change is worth an update.
    public mutating func update(to content: SceneContent, settings: SceneSettings.Placements) -> SceneUpdate? {
        follow(content, settings: settings)
        guard hasChanges(for: reader), let update = update(for: reader) else { return nil }
        reader = updated(reader)
        return update
    }

    // MARK: many readers

    package mutating func follow(_ content: SceneContent, settings: SceneSettings.Placements) {
        let begins = last?.generation != content.generation
        if begins {
            shown.removeAll(keepingCapacity: true)
            removed.removeAll()
        }
        let header = SceneUpdate(content, labelRoll: roll.update(content.rotationSceneFromBody, at: content.time))
        let interval = present.map { header.time.seconds(since: $0.time) } ?? 0
        present = header
        let hasChanged = storeChanges(at: content, settings, as: revision + 1)
        guard begins || hasChanged || isWorthSending(header, after: interval) else { return }
        revision += 1
        if begins { beginning = revision }
        last = header
        includedEvents = events.count
    }

    package func hasChanges(for reader: SceneReader) -> Bool { reader.known != revision }

    /// Returns the changes up to the last scene that a reader has not received; nil before the first scene.
    ///
    /// The update is equal for readers that differ only in their own revision.
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
            update.removed = removed.since(known) { id in shown.contains { $0.id == id } }
        }
        if takesEvents { (update.events, update.eventsDropped) = events.since(reader.events) }
        update.missed = reader.missed
        return update
    }

    /// Returns the state of a reader after its update was sent.
    public func updated(_ reader: SceneReader) -> SceneReader {
        SceneReader(revision: reader.revision + 1, known: revision, events: events.end)
    }

    /// Discards removed placements that no reader has any more. It should be called now and then.
    public mutating func forget(knownTo readers: some Sequence<SceneReader>) {
        guard removed.isLarge else { return }
        removed.keep(knownAt: Set(readers.map(\.known)))
    }

    /// Stores changes that are worth sending. Returns whether there are any.
    private mutating func storeChanges(
        at content: SceneContent, _ settings: SceneSettings.Placements, as revision: UInt64
    ) -> Bool {
        var hasChanged = match(content.placements, as: revision)
        let slots = labelSize.flatMap { content.slots[$0] }
        let hints = hints(at: content, slots, settings)
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

    /// Matches the stored states to the placements, both in order of identifiers. Returns whether any was removed.
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
        removed.add(each.id, from: each.since, to: revision)
    }

    /// Returns the hint of each placement, with the box of its text; nil for most placements.
    /// - Parameter slots: slots for the display's label size; nil to use those of the placements.
    private mutating func hints(
        at content: SceneContent, _ slots: [LabelSlot?]?, _ settings: SceneSettings.Placements
    ) -> [OffscreenHint?] {
        let rotationBodyFromScene = content.rotationSceneFromBody.inverse
        let upInBody = rotationBodyFromScene * Vector3(0, 1, 0)
        let border = DisplayBorder(camera, inset: settings.hintInset)
        let importance = HintImportance(content.placements)
        var candidates: [HintCandidate] = []
        for (index, placement) in content.placements.enumerated() {
            let pointInBody =
                placement.lock == .head
                ? placement.position : rotationBodyFromScene * (placement.position - content.eye)
            let hint = shown[index].tracker.update(
                pointInBody: pointInBody, upInBody: upInBody, border: border, settings: settings
            ).hint
            if let hint, let importance = importance.of(placement) {
                candidates.append(
                    HintCandidate(
                        index: index, id: placement.id, importance: importance, distance: placement.distance,
                        hint: hint,
                        memory: shown[index].memory))
            } else {
                shown[index].memory = HintMemory()
            }
        }
        var hints = [OffscreenHint?](repeating: nil, count: shown.count)
        // The spacing is a fraction of the display's height, while arcs are in units of half the height.
        let spacing = 2 * settings.hintSpacing
        let found = hintLayout.update(
            &candidates, border: border, maximum: maximumHintCount ?? settings.maximumHintCount, spacing: spacing,
            at: content.time)
        for candidate in candidates { shown[candidate.index].memory = candidate.memory }
        let boxes = boxes(of: found, at: content, slots, border: border, spacing: spacing)
        for (number, (index, hint)) in found.enumerated() {
            hints[index] = hint
            hints[index]?.box = boxes[number]
        }
        return hints
    }

    /// Returns the boxes of the hints' texts, in the order of the hints.
    private mutating func boxes(
        of hints: [(index: Int, hint: OffscreenHint)], at content: SceneContent, _ slots: [LabelSlot?]?,
        border: DisplayBorder, spacing: Double
    ) -> [HintBox?] {
        let sights = sightMotion.sights(
            EyeSight(eye: content.eye, rotationSceneFromBody: content.rotationSceneFromBody), at: content.time)
        guard !hints.isEmpty else { return [] }
        let occupied = OccupiedAreas(camera, sights: sights).areas(of: content.placements, slots: slots)
        let requests = hints.map { index, hint in
            HintTextLayout.Request(id: content.placements[index].id, x: hint.u * camera.aspect, y: hint.v)
        }
        return hintTextLayout.update(
            requests, size: hintTexts, border: border, spacing: spacing, besides: occupied, at: content.time)
    }

    private func radar(of placement: Placement, heading: Double?) -> ViewedPlacement.RadarPoint? {
        guard let radarRange, let heading, let bearing = placement.bearing, placement.lock == .scene else { return nil }
        let point = Radar.point(
            bearing: bearing, heading: heading, distance: placement.distance, range: radarRange)
        return ViewedPlacement.RadarPoint(x: point.x, y: point.y)
    }

    /// - Parameter interval: time since the previous scene in seconds.
    private func isWorthSending(_ update: SceneUpdate, after interval: Double) -> Bool {
        guard let last else { return true }
        let hasEvents = takesEvents && events.count != includedEvents
        return hasEvents || update.readiness != last.readiness || update.route != last.route
            || update.motion != last.motion || update.left != last.left
            || update.sun?.daylight != last.sun?.daylight
            || Angle.wrapped(update.labelRoll - last.labelRoll).magnitude > PlacementChange.roll
            // The update is sent shortly before the end of the interval, because the first scene after it may be much
            // later. The magnitude covers the case that the clock was set back.
            || update.time.seconds(since: last.time).magnitude >= Self.maximumSilence - 0.75 * interval
    }
}
