import Model

/// Height of the wearer's level, measured by air pressure. It reveals a change of level.
///
/// Only short-term differences are used, because weather and doors change the measured height by a metre within
/// minutes.
struct LevelHeight: Sendable, Codable {
    /// Height of the level, which slowly follows the measured height. Unit: metres.
    private var level: Double?
    /// Height at the start of the current stretch of `steadyDistance`. Unit: metres.
    private var mark = 0.0
    /// Height at the newest step. Unit: metres.
    private var last = 0.0
    /// Distance since the start of this stretch. Unit: metres.
    private var way = 0.0
    /// Time since the height of the level was last updated. Unit: seconds.
    private var elapsed = 0.0

    /// Distance over which the height must stay constant before a level counts as reached. Unit: metres.
    private static let steadyDistance = 3.0
    /// Largest change of the height within `steadyDistance` that counts as staying on one level. Unit: metres.
    private static let steadyChange = 0.6
    /// Change of the height within a step that indicates a lift, or an escalator that carries the wearer. Unit: metres.
    private static let carried = 1.0
    /// Least height of a storey. Unit: metres.
    private static let minimumStoreyHeight = 2.4
    /// Largest difference that the height of the level follows. Half a storey or more is attributed to stairs. Unit:
    /// metres.
    private static let drift = 1.2
    /// Time constant with which the height of the level follows the drift of the measured height. Unit: seconds.
    private static let driftSeconds = 10.0
    /// Drift that the weather causes in the measured height. Unit: m/s. Origin: 1 hPa in an hour.
    private static let weather = 0.0023

    /// Adds elapsed time. Unit: seconds.
    mutating func pass(_ time: Double) { elapsed += min(1e4, max(0, time)) }

    /// Processes a step.
    ///
    /// - Parameters:
    ///   - height: height by air pressure; nil without a barometer. Unit: metres.
    ///   - length: length of the step. Unit: metres.
    /// - Returns: height difference to the new level, negative if downwards; nil on the same level. Unit: metres.
    mutating func follow(_ height: Double?, length: Double) -> Double? {
        guard let height else {
            self = LevelHeight()
            return nil
        }
        defer { last = height }
        guard let level, (height - last).magnitude < Self.carried else {
            if level == nil { level = height }
            (mark, way) = (height, 0)
            return nil
        }
        way += length
        guard way >= Self.steadyDistance else { return nil }
        let isSteady = (height - mark).magnitude < Self.steadyChange
        (mark, way) = (height, 0)
        let (change, drift) = (height - level, Self.weather * elapsed)
        if isSteady, change.magnitude >= Self.minimumStoreyHeight + drift {
            (self.level, elapsed) = (height, 0)
            return change
        }
        if change.magnitude < Self.drift + drift {
            self.level = level + change * min(1, elapsed / Self.driftSeconds)
            elapsed = 0
        }
        return nil
    }
}

extension LevelHeight: CheckedState {
    mutating func settle() -> Bool { max((level ?? 0).magnitude, mark.magnitude, last.magnitude, elapsed) <= 1e9 }
}
