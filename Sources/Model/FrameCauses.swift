/// Cause of a motion of the scene frame relative to the earth.
public enum FrameCause: UInt8, Hashable, Sendable, CaseIterable {
    case gnssPosition
    case gnssVelocity
    case magnetometer
    case steps
    case barometer
    /// A zero-velocity update, or another constraint of the motion.
    case rest
    /// Pseudo-measurements of a stationary wearer without satellites.
    case unaided
    /// A hypothesis of another heading has won.
    case headingSearch
    /// The yaw monitor has contradicted the heading for long.
    case headingMonitor
    /// A part of the warm start was removed.
    case warmStart
    /// Another calibration is active.
    case calibration
    /// The position has become known, or was lost.
    case firstPosition
    /// The heading has become known, or was lost.
    case firstHeading
    /// The scene frame was placed again: earlier placements are invalid.
    case newGeneration
    /// The origin of ENU has moved along with the wearer; the scene itself stayed.
    case reanchor
}

/// Set of causes.
@frozen
public struct FrameCauses: OptionSet, Hashable, Sendable {
    /// Bits of the set.
    public let rawValue: UInt16

    /// Makes a set of its bits.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Makes a set of one cause.
    public init(_ cause: FrameCause) { self.init(rawValue: 1 << UInt16(cause.rawValue)) }

    /// Events, which happen once and are announced, unlike measurements that correct continuously.
    public static let events: FrameCauses = [
        FrameCauses(.warmStart), FrameCauses(.firstPosition), FrameCauses(.firstHeading), FrameCauses(.newGeneration),
        FrameCauses(.reanchor), FrameCauses(.calibration),
    ]

    /// Whether the set has a cause.
    public func contains(_ cause: FrameCause) -> Bool { contains(FrameCauses(cause)) }

    /// First cause in the order of the enumeration; nil in an empty set.
    package var first: FrameCause? { isEmpty ? nil : FrameCause(rawValue: UInt8(rawValue.trailingZeroBitCount)) }

    /// Causes in the set, in the order of the enumeration.
    public var list: [FrameCause] { FrameCause.allCases.filter(contains) }
}
