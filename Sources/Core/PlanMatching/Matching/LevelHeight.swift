import Model

/// Height of the wearer's level by air pressure: it shows when the wearer has come to another.
///
/// Only differences count, within minutes; the weather and doors move the height by a metre meanwhile.
struct LevelHeight: Sendable, Codable {
    /// Height of the level, followed slowly. Unit: metres.
    private var level: Double?
    /// Height at the mark. Unit: metres.
    private var mark = 0.0
    /// Height at the newest step. Unit: metres.
    private var last = 0.0
    /// Way since the mark. Unit: metres.
    private var way = 0.0
    /// Time since the level was followed. Unit: seconds.
    private var elapsed = 0.0

    /// Way over which the height must stay before a level is reached. Unit: metres.
    private static let steadyWay = 3.0
    /// Change of the height over that way on one level. Unit: metres.
    private static let steadyChange = 0.6
    /// Change of the height within a step by a lift, or an escalator on which the wearer stands. Unit: metres.
    private static let carried = 1.0
    /// Least height of a storey. Unit: metres.
    private static let leastStorey = 2.4
    /// Difference that the level follows: half the height of a storey and more is stairs. Unit: metres.
    private static let drift = 1.2
    /// Time constant with which the drift is followed. Unit: seconds.
    private static let driftSeconds = 10.0
    /// Change of the height by the weather. Unit: m/s. Origin: 1 hPa in an hour.
    private static let weather = 0.0023

    /// Takes note of time that has passed. Unit: seconds.
    mutating func pass(_ time: Double) { elapsed += min(1e4, max(0, time)) }

    /// Follows a step.
    ///
    /// - Parameters:
    ///   - height: by air pressure; nil without a barometer. Unit: metres.
    ///   - length: of the step. Unit: metres.
    /// - Returns: height by which the wearer has come up to another level, or, negative, down; nil on the same. Unit:
    ///   metres.
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
        guard way >= Self.steadyWay else { return nil }
        let isSteady = (height - mark).magnitude < Self.steadyChange
        (mark, way) = (height, 0)
        let (change, drift) = (height - level, Self.weather * elapsed)
        if isSteady, change.magnitude >= Self.leastStorey + drift {
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
