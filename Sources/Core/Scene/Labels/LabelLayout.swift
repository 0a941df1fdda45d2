import Geometry
import Glibc
import Model

/// Layout of labels in slots of elevation. No label covers another label or its own mark, and labels move as seldom as
/// possible. If a label's own mark moves into its slot, the label goes to another slot. Slots in which a label would
/// cover another placement's mark are used only if all good slots cover such a mark. If such a mark appears later, the
/// label leaves its slot, but only a limited number of times.
///
/// A label keeps its slot until another label overlaps it there. Then one of the two moves. It is preferably the label
/// that has made fewer recent moves, and that finds a slot in which it stays free for longer while the wearer walks on.
/// If there is no slot, the label of lower priority is hidden, or the farther one if their priorities are equal.
/// Without a conflict, a label moves only to a clearly lower slot that has been free for a while and will stay free.
public struct LabelLayout: Sendable {
    private let rules: LabelRules
    private var memories: [String: LabelMemory] = [:]
    private var velocity = (east: 0.0, north: 0.0)
    private var lastTime: BootTime?
    private var lastCleaning: BootTime?

    /// Time constant with which the wearer's velocity is smoothed to remove the sway of walking. Unit: seconds.
    private static let smoothingSeconds = 2.0
    /// Time for which the slot of an absent label is remembered. It equals the period in which moves are counted. If it
    /// were shorter, the members of a cluster that forms and dissolves could move again each time. Unit: seconds.
    private static let absenceSeconds = LabelRules.moveSeconds
    /// Interval between removals of labels that have been absent for longer than `absenceSeconds`. Unit: seconds.
    private static let cleaningSeconds = 30.0
    /// Maximum number of absent labels that are remembered.
    private static let maximumAbsentCount = 1024

    /// Makes a layout without labels.
    ///
    /// - Parameter size: size of the labels; nil for the size in the settings.
    public init(settings: SceneSettings.Labels, size: LabelSize? = nil) {
        rules = LabelRules(settings, size: size ?? LabelSize(settings))
    }

    /// Returns the slots by identifier. A label without a slot is hidden.
    ///
    /// - Parameters:
    ///   - labels: labels in any order. If several labels have the same identifier, the first is used. Labels with a
    ///     value that is not finite get no slot.
    ///   - marks: marks of placements without a label.
    ///   - wearerVelocity: velocity of the wearer, from which future overlaps are predicted. Frame: scene. Unit: m/s.
    public mutating func place(
        _ labels: [LabelRequest], besides marks: [LabelMark] = [], wearerVelocity: Vector3 = .zero, at time: BootTime
    ) -> [String: LabelSlot] {
        follow(wearerVelocity, at: time)
        var table = table(of: labels, marks, at: time)
        table.clearOwnMarks()
        table.separate()
        table.admit()
        table.improve()
        remember(table)
        var slots: [String: LabelSlot] = [:]
        slots.reserveCapacity(table.labels.count)
        for label in table.labels {
            guard let slot = label.memory.slot else { continue }
            slots[label.id] = rules.places[slot]
        }
        return slots
    }

    private mutating func follow(_ wearerVelocity: Vector3, at time: BootTime) {
        guard wearerVelocity.isFinite else { return }
        let seconds = lastTime.map { max(0, time.seconds(since: $0)) } ?? .infinity
        let share = 1 - exp(-seconds / Self.smoothingSeconds)
        velocity.east += share * (wearerVelocity.x - velocity.east)
        velocity.north += share * (-wearerVelocity.z - velocity.north)
        lastTime = time
    }

    private func table(of requests: [LabelRequest], _ marks: [LabelMark], at time: BootTime) -> LabelTable {
        var labels: [LabelTable.Label] = []
        labels.reserveCapacity(requests.count)
        var ids = Set<String>(minimumCapacity: requests.count)
        for request in requests where request.isFinite {
            guard ids.insert(request.id).inserted else { continue }
            var memory = memories[request.id] ?? LabelMemory(seen: time)
            memory.seen = time
            memory.moves.removeAll { time.seconds(since: $0) >= LabelRules.moveSeconds }
            labels.append(
                LabelTable.Label(
                    id: request.id, sight: LabelSight(azimuth: request.azimuth, distance: request.distance),
                    distance: request.distance, priority: request.priority, mark: request.mark,
                    choice: rules.choice(beside: request.mark), memory: memory))
        }
        return LabelTable(labels, marks: marks, rules: rules, velocity: velocity, time: time)
    }

    private mutating func remember(_ table: LabelTable) {
        forget(at: table.time, present: table.labels.count)
        for label in table.labels {
            memories[label.id] = label.memory
            memories[label.id]?.isNew = false
        }
    }

    private mutating func forget(at time: BootTime, present: Int) {
        let absent = memories.count - present
        if absent > Self.maximumAbsentCount { memories = [:] }
        if let lastCleaning, (0..<Self.cleaningSeconds).contains(time.seconds(since: lastCleaning)) { return }
        lastCleaning = time
        if absent > 0 { memories = memories.filter { time.seconds(since: $0.value.seen) < Self.absenceSeconds } }
    }
}
