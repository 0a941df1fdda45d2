import Geometry
import Measurements

/// The scene as one display sees it, and what that display has been told.
///
/// The first update is all of the scene, and so is the first of another generation; the others say what has changed. One
/// that is not asked for, because its reader has not taken the one before, is covered by the next.
public struct SceneView: Sendable {
    public let camera: Camera
    /// Range of the display's radar, metres; nil without one.
    public let radarRange: Double?
    /// Of the display's labels; nil for that of the settings.
    public let labelSize: LabelSize?
    /// The most hints that the display shows; nil for the settings' number.
    public let mostHints: Int?
    public let takesEvents: Bool

    private struct Shown: Sendable {
        let id: String
        /// Nil until the display has been told of it.
        var sent: ViewedPlacement?
        var tracker = HintTracker()
        var memory = HintMemory()
    }

    private var shown: [Shown] = []
    private var board = HintBoard()
    private var roll = LabelRoll()
    private var last: SceneUpdate?
    private var events: [TimedEvent] = []
    private var eventsDropped = 0
    private var missed = 0

    /// So many events wait for a slow reader.
    static let mostEvents = 64
    /// A reader hears at least so often, so that it knows that nothing has changed. Unit: seconds.
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

    /// Something has happened; the next update says it.
    public mutating func add(_ event: TimedEvent) {
        guard takesEvents else { return }
        if events.count == Self.mostEvents {
            events.removeFirst()
            eventsDropped += 1
        }
        events.append(event)
    }

    /// Its reader has not taken the update before: this one is left out, and covered by the next.
    public mutating func skip() { missed += 1 }

    /// What to tell the display now; nil when nothing is worth it.
    public mutating func update(to content: SceneContent, settings: SceneSettings.Placements) -> SceneUpdate? {
        let isSnapshot = last?.generation != content.generation
        if isSnapshot { shown.removeAll(keepingCapacity: true) }
        var update = SceneUpdate(
            revision: (last?.revision ?? 0) + 1, isSnapshot: isSnapshot, time: content.time,
            generation: content.generation, readiness: content.readiness, route: content.route,
            motion: content.motion, sun: content.sun,
            labelRoll: roll.update(content.rotationSceneFromBody, at: content.time), changed: [], removed: [],
            events: events,
            eventsDropped: eventsDropped, missed: missed, left: content.left)
        look(at: content, settings, &update)
        guard isSnapshot || isWorthSending(update) else { return nil }
        last = update
        last?.changed = []
        events.removeAll(keepingCapacity: true)
        eventsDropped = 0
        missed = 0
        return update
    }

    private mutating func look(
        at content: SceneContent, _ settings: SceneSettings.Placements, _ update: inout SceneUpdate
    ) {
        match(content.placements, &update)
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
            let viewed = ViewedPlacement(
                placement: placement, revision: update.revision, isVisible: isVisible, hint: hints[index], radar: radar)
            shown[index].sent = viewed
            update.changed.append(viewed)
        }
    }

    /// Brings what is shown in line with the placements, one for one. Both are in the order of their ids.
    private mutating func match(_ placements: [Placement], _ update: inout SceneUpdate) {
        var index = 0
        for placement in placements {
            while index < shown.count, shown[index].id < placement.id {
                update.removed.append(shown.remove(at: index).id)
            }
            if index == shown.count || shown[index].id != placement.id {
                shown.insert(Shown(id: placement.id), at: index)
            }
            index += 1
        }
        for gone in shown[index...] { update.removed.append(gone.id) }
        shown.removeSubrange(index...)
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

    private func isWorthSending(_ update: SceneUpdate) -> Bool {
        guard let last else { return true }
        return !update.changed.isEmpty || !update.removed.isEmpty || !update.events.isEmpty
            || update.readiness != last.readiness || update.route != last.route || update.motion != last.motion
            || update.left != last.left
            || update.sun?.daylight != last.sun?.daylight
            || Angle.wrapped(update.labelRoll - last.labelRoll).magnitude > PlacementChange.turn
            // Either way: a clock may be set back.
            || update.time.seconds(since: last.time).magnitude >= Self.longestSilence
    }
}
