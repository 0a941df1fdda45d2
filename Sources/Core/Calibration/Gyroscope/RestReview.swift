import Geometry

import Glibc

/// Searches a short record for the start of the rest, and for movement after that start.
struct RestReview {
    /// Kind of movement for which a calibration is refused.
    enum Movement {
        /// The board never came to rest.
        case always
        /// A movement that begins some seconds after the first sample. It has a duration and a largest deviation of the
        /// rate.
        case at(begin: Double, seconds: Double, most: Double)
        /// The means of the windows wander as if the board were held in a hand.
        case sways
        /// A steady slow rotation that shows in gravity or the field. Unit: radians.
        case turns(Double)
        /// A steady rotation faster than any bias. Unit: that of the rate.
        case spins(Double)
    }

    /// Index of the first window of the rest.
    private(set) var start: Int?
    private(set) var movement: Movement?

    /// - Parameters:
    ///   - hasScale: whether the samples are in rad/s and m/s².
    ///   - maySettle: whether the board may still be put down.
    init(_ windows: [RestWindow], hasScale: Bool, maySettle: Bool) {
        guard let first = windows.first, windows.count >= GyroscopeLimits.firstWindows else { return }
        let baseline = RestBaseline(windows)
        let moved = windows.indices.map { index in
            baseline.isMoved(windows[index], after: index > 0 ? windows[index - 1] : nil)
                || Self.shakes(windows[index], hasScale)
        }
        let settling = windows.prefix { $0.begin.seconds(since: first.begin) <= GyroscopeLimits.settle }.count
        start = (0..<settling).first { begin in
            let end = begin + GyroscopeLimits.firstWindows
            // The first window of a rest differs from the movement before it, so that it is tested on its own.
            return end <= windows.count && !moved[(begin + (begin > 0 ? 1 : 0))..<end].contains(true)
                && (begin == 0 || !Self.isMoving(windows[begin], baseline, hasScale))
        }
        guard let start else {
            movement = maySettle ? nil : .always
            return
        }
        let rest = Array(windows[start...])
        movement = Self.break(rest, Array(moved[start...]), origin: first) ?? Self.slow(rest, hasScale: hasScale)
    }

    private static func isMoving(_ window: RestWindow, _ baseline: RestBaseline, _ hasScale: Bool) -> Bool {
        baseline.isMoved(window, after: nil) || shakes(window, hasScale)
    }

    private static func shakes(_ window: RestWindow, _ hasScale: Bool) -> Bool {
        let rate = hasScale ? RestLimits.maximumShake : .infinity
        let force = RestLimits.maximumForceShake * window.force.mean.norm
        return window.rate.variance > rate * rate || (window.force.count > 1 && window.force.variance > force * force)
    }

    private static func `break`(_ rest: [RestWindow], _ moved: [Bool], origin: RestWindow) -> Movement? {
        guard let begin = moved.indices.dropFirst().first(where: { moved[$0] }) else { return nil }
        let end = moved[begin...].firstIndex(of: false) ?? moved.count
        let quiet = rest[..<begin].reduce(Vector3.zero) { $0 + $1.rate.mean } / Double(begin)
        let most = rest[begin...].map { ($0.rate.mean - quiet).norm + $0.rate.variance.squareRoot() }.max() ?? 0
        return .at(
            begin: rest[begin].begin.seconds(since: origin.begin),
            seconds: Double(end - begin) * GyroscopeLimits.window,
            most: most)
    }

    /// Finds movement that is too slow to show in any single window.
    private static func slow(_ rest: [RestWindow], hasScale: Bool) -> Movement? {
        if RestBaseline.sway(rest.map(\.rate)) > RestLimits.swayRatio { return .sways }
        let rate = rest.reduce(Vector3.zero) { $0 + $1.rate.mean } / Double(rest.count)
        if hasScale, rate.norm > RestLimits.maximumRate { return .spins(rate.norm) }
        if let tilt = directions(\.force, rest).map({ angle($0) }).max(), tilt > RestLimits.maximumTilt {
            return .turns(tilt)
        }
        guard hasScale, let turned = evenTurn(directions(\.field, rest)), turned > RestLimits.maximumFieldTurn,
            let first = rest.first, let last = rest.last,
            turned < RestLimits.fieldQuickness * rate.norm * last.begin.seconds(since: first.begin)
        else { return nil }
        return .turns(turned)
    }

    /// Mean direction in each fifth of the rest, paired with the mean direction in the first fifth.
    private static func directions(
        _ sensor: KeyPath<RestWindow, Moments>, _ rest: [RestWindow]
    ) -> [(first: Vector3, other: Vector3)] {
        let means = rest.map { $0[keyPath: sensor] }.filter { $0.count > 0 }.map(\.mean)
        let count = means.count / 5
        guard count > 0 else { return [] }
        let parts = (0..<5).compactMap { part in
            means[part * count..<(part + 1) * count].reduce(Vector3.zero, +).normalized
        }
        guard parts.count == 5 else { return [] }
        return parts.map { (parts[0], $0) }
    }

    /// Angle between the two directions of a pair. Unit: radians.
    private static func angle(_ pair: (first: Vector3, other: Vector3)) -> Double {
        atan2(pair.first.cross(pair.other).norm, pair.first.dot(pair.other))
    }

    /// Total rotation of a direction; nil if its steps differ too much. An approaching magnet also turns the field, but
    /// unevenly. Unit: radians.
    private static func evenTurn(_ pairs: [(first: Vector3, other: Vector3)]) -> Double? {
        guard !pairs.isEmpty else { return nil }
        let steps = zip(pairs.dropFirst(), pairs).map { angle(($0.1.other, $0.0.other)) }
        let sum = steps.reduce(0, +)
        guard let least = steps.min(), least > RestLimits.minimumEvenness * sum / Double(steps.count) else {
            return nil
        }
        // The steps lead from the middle of the first fifth to the middle of the last. The rotation in the two outer
        // halves is added.
        return sum * Double(pairs.count) / Double(steps.count)
    }
}
