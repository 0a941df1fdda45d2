import Geometry
import Model

/// Periods of rest and of movement over a long record.
struct RestRecord: Sendable {
    /// A period in which the board moved. Unit: seconds since the first sample.
    struct Movement: Hashable, Sendable {
        var begin: Double
        var end: Double
    }

    /// Largest number of movements that are listed one by one.
    private static let maximumListedCount = 3

    private(set) var begin: BootTime?
    private(set) var last: BootTime?
    private(set) var lastRate: BootTime?
    private(set) var lastForce: BootTime?
    private(set) var windows = 0
    private(set) var movedWindows = 0
    private(set) var movements: [Movement] = []
    private(set) var movementCount = 0
    private var isMoving = false
    /// The first windows. They show whether the board sways throughout the record.
    private var sample: [RestWindow] = []

    mutating func see(_ time: BootTime) {
        if begin == nil { begin = time }
        last = max(last ?? time, time)
    }

    mutating func seeRate(_ time: BootTime) { lastRate = max(lastRate ?? time, time) }
    mutating func seeForce(_ time: BootTime) { lastForce = max(lastForce ?? time, time) }

    mutating func add(_ window: RestWindow, after before: RestWindow?, isMoved: Bool) {
        windows += 1
        if sample.count < 600 { sample.append(window) }
        defer { isMoving = isMoved }
        guard isMoved else { return }
        movedWindows += 1
        let start = seconds(to: window.begin)
        if isMoving, let last = movements.indices.last, movementCount == movements.count {
            movements[last].end = start + NoiseLimits.window
        } else if !isMoving {
            movementCount += 1
            guard movements.count < Self.maximumListedCount else { return }
            movements.append(Movement(begin: start, end: start + NoiseLimits.window))
        }
    }

    func seconds(to time: BootTime) -> Double { begin.map { time.seconds(since: $0) } ?? 0 }

    /// Time from the first measurement to the last. Unit: seconds.
    var seconds: Double { last.map { seconds(to: $0) } ?? 0 }

    var movedShare: Double { windows > 0 ? Double(movedWindows) / Double(windows) : 0 }

    /// Whether the means of the windows wander as if the board were held in a hand or lay in a vehicle.
    var swaysThroughout: Bool {
        RestBaseline.sway(sample.map(\.rate)) > RestLimits.swayRatio
            && RestBaseline.sway(sample.map(\.force)) > RestLimits.swayRatio
    }

    /// Text that lists the movements: `at 1:02:03 for 4 s, at 2:00:00 for 1 s and 5 more times`.
    var text: String {
        var parts = movements.map { "at \(Self.clock($0.begin)) for \(Int(($0.end - $0.begin).rounded())) s" }
        let more = movementCount - movements.count
        if more > 0 { parts.append("\(more) more time\(more == 1 ? "" : "s")") }
        guard let last = parts.popLast() else { return "" }
        return parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
    }

    /// Text of a time since the first measurement as hours, minutes and seconds.
    static func clock(_ seconds: Double) -> String {
        let whole = Int64(min(max(0, seconds), 1e12))
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(whole % 60))"
    }
}
