import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Stacks labels in slots of elevation, so that none covers another or the mark that it names, and none jumps about.
///
/// A label upon whose slot its own mark has come goes to another one. Slots in which it would cover the mark of something else
/// are taken where there is no good one without; upon a mark that comes later a label leaves, but not time and again.
///
/// A label keeps its slot until another comes upon it there. Then one of the two goes: the one that finds a slot in which it
/// will be alone for longer while the wearer walks on, and that has moved less of late. Who finds none is not shown: of the
/// lower priority, else the farther. A label moves of its own accord only to a clearly lower slot, after that one has been
/// free for a while and if it will stay so.
public struct LabelLayout: Sendable {
    private let rules: LabelRules
    private var memories: [String: LabelMemory] = [:]
    private var velocity = (east: 0.0, north: 0.0)
    private var lastTime: BootTime?
    private var lastCleaning: BootTime?

    /// Of the wearer's velocity, against the sway of the walk. Unit: seconds.
    private static let smoothingSeconds = 2.0
    /// The slot of who is away is remembered for as long as moves count: a cluster that forms and falls apart would otherwise
    /// let its members move as often again each time. Unit: seconds.
    private static let absenceSeconds = LabelRules.moveSeconds
    /// Who has been away for longer is looked for no more often. Unit: seconds.
    private static let cleaningSeconds = 30.0
    /// Of who is away, so many are remembered.
    private static let mostAbsent = 1024

    /// - Parameter size: of the labels; nil for that of the settings.
    public init(settings: SceneSettings.Labels, size: LabelSize? = nil) {
        rules = LabelRules(settings, size: size ?? LabelSize(settings))
    }

    /// Slots by id; a label without one is not to be shown.
    ///
    /// - Parameters:
    ///   - labels: in any order; of one id the first counts. Those with a figure that is not finite get no slot.
    ///   - marks: of what has no label.
    ///   - wearerVelocity: frame: scene; unit: m/s. Tells who is going to meet whom.
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
        if absent > Self.mostAbsent { memories = [:] }
        if let lastCleaning, (0..<Self.cleaningSeconds).contains(time.seconds(since: lastCleaning)) { return }
        lastCleaning = time
        if absent > 0 { memories = memories.filter { time.seconds(since: $0.value.seen) < Self.absenceSeconds } }
    }
}
