/// What moved the scene frame against the earth.
public enum FrameCause: UInt8, Hashable, Sendable, CaseIterable {
    case gnssPosition
    case gnssVelocity
    case magnetometer
    case steps
    case barometer
    /// The body rested.
    case rest
    /// Without satellites the wearer was thought to stay where he was.
    case unaided
    /// Another answer to where north is proved right.
    case headingSearch
    /// The monitor of the axes contradicted the heading for long.
    case headingMonitor
    /// The estimate began with what an earlier run had learned.
    case warmStart
    /// Another calibration was put in force.
    case calibration
    /// A position was known for the first time, or no more.
    case firstPosition
    /// The heading was known for the first time, or no more.
    case firstHeading
    /// The frame was set anew: placements of the one before mean nothing here.
    case newGeneration
    /// The origin of east, north and up came along with the wearer; the scene itself stayed.
    case reanchor
}

/// A set of causes.
@frozen
public struct FrameCauses: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public init(_ cause: FrameCause) { self.init(rawValue: 1 << UInt16(cause.rawValue)) }

    /// What happens once and is told by itself, as against measurements that correct all the time.
    public static let events: FrameCauses = [
        FrameCauses(.warmStart), FrameCauses(.firstPosition), FrameCauses(.firstHeading), FrameCauses(.newGeneration),
        FrameCauses(.reanchor), FrameCauses(.calibration),
    ]

    public func contains(_ cause: FrameCause) -> Bool { contains(FrameCauses(cause)) }

    /// In the order of the enumeration; nil in an empty set.
    package var first: FrameCause? { isEmpty ? nil : FrameCause(rawValue: UInt8(rawValue.trailingZeroBitCount)) }

    /// Those in the set, in the order of the enumeration.
    public var list: [FrameCause] { FrameCause.allCases.filter(contains) }
}
