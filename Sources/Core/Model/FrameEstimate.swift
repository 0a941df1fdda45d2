import Geometry

/// Alignment of the scene frame with the earth. Points: `pointENU = Rz(yaw) · B · pointScene + translation`, with B the
/// fixed map (x, y, z) → (x, −z, y) from scene axes to ENU axes.
///
/// Equation: docs/filter.md (53).
@frozen
public struct SceneAlignment: Hashable, Sendable, Codable {
    /// Rotation about up from the scene's axes to ENU, counter-clockwise. Unit: radians.
    public var yaw: Double
    /// Position of the scene's origin. Frame: ENU at `FrameEstimate.origin`. Unit: metres.
    public var translation: Vector3

    /// Makes an alignment, in the frames and units of the properties.
    @inlinable
    public init(yaw: Double, translation: Vector3) {
        self.yaw = yaw
        self.translation = translation
    }

    /// Returns the position of a scene point. Frame: ENU at `FrameEstimate.origin`. Unit: metres.
    public func pointENU(ofScene point: Vector3) -> Vector3 {
        Rotation2(yaw: yaw) * Vector3(point.x, -point.z, point.y) + translation
    }
}

/// Scene frame relative to the earth: the published alignment, the target alignment, and what moved the target.
public struct FrameEstimate: Hashable, Sendable, Codable {
    /// Number of the scene frame. It increases when the frame is placed again, which makes older positions invalid.
    public var generation: UInt32
    /// Origin of the ENU frame; nil until a position is known.
    public var origin: GeodeticPosition?
    /// Alignment that is used to display placements.
    public var published: SceneAlignment
    /// Alignment from the filter, which `published` follows through a low-pass filter.
    public var target: SceneAlignment
    /// Earliest time at which a large correction can be complete; nil if there is no large correction.
    public var slewEnd: BootTime?
    /// Horizontal accuracy (radius, 68 %) of content that `published` displays around the wearer. It combines the
    /// accuracy of `target` with the shift that remains from `published` to `target`. Nil if unknown. Unit: metres.
    public var horizontalAccuracy: Double?
    /// Yaw accuracy (half-width, 68 %) of this content. Unit: radians.
    public var yawAccuracy: Double?
    /// Target of the previous announcement, converted to the current `origin`. The correction since then is the
    /// difference from `before` to `target`.
    public var before: SceneAlignment
    /// Causes of the motion of the target since the previous announcement; empty while only `published` moves.
    public var causes: FrameCauses
    /// Cause that moved the target the most.
    public var mainCause: FrameCause?

    /// Makes an estimate of the scene frame.
    ///
    /// - Parameter before: target of the previous announcement; nil for the first.
    @inlinable
    public init(
        generation: UInt32, origin: GeodeticPosition?, published: SceneAlignment, target: SceneAlignment,
        slewEnd: BootTime?, before: SceneAlignment? = nil, causes: FrameCauses = [], mainCause: FrameCause? = nil
    ) {
        self.generation = generation
        self.origin = origin
        self.published = published
        self.target = target
        self.slewEnd = slewEnd
        self.before = before ?? target
        self.causes = causes
        self.mainCause = mainCause
    }
}

/// Cause of a motion of the scene frame relative to the earth.
public enum FrameCause: UInt8, Hashable, Sendable, CaseIterable, Codable {
    case gnssPosition
    case gnssVelocity
    case magnetometer
    case steps
    case barometer
    /// Odometry of a camera.
    case camera
    /// Measurement from another program: a position, a sighting, a range, a heading or a height.
    case aid
    /// A floor plan on which the wearer's steps are followed.
    case plan
    /// A path, or the line of the route, along which the wearer walks.
    case path
    /// A zero-velocity update, or another constraint on the motion.
    case rest
    /// Pseudo-measurements that hold the wearer in place without satellites.
    case unaided
    /// A hypothesis with a different heading has won.
    case headingSearch
    /// The yaw monitor has contradicted the heading for a long time.
    case headingMonitor
    /// A part of the warm start was discarded.
    case warmStart
    /// A different calibration has become active.
    case calibration
    /// The position has become known, or was lost.
    case firstPosition
    /// The heading has become known, or was lost.
    case firstHeading
    /// The scene frame was placed again: earlier placements are invalid.
    case newGeneration
    /// The origin of ENU has moved along with the wearer; the scene itself has not moved.
    case reanchor
}

/// Set of causes.
@frozen
public struct FrameCauses: OptionSet, Hashable, Sendable, Codable {
    /// Bits of the set.
    public let rawValue: UInt32

    /// Makes a set from its bits.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Makes a set of one cause.
    public init(_ cause: FrameCause) { self.init(rawValue: 1 << UInt32(cause.rawValue)) }

    /// Causes that are events: they happen once and are announced, unlike measurements, which correct continuously.
    public static let events: FrameCauses = [
        FrameCauses(.warmStart), FrameCauses(.firstPosition), FrameCauses(.firstHeading), FrameCauses(.newGeneration),
        FrameCauses(.reanchor), FrameCauses(.calibration),
    ]

    /// Whether the set contains a cause.
    public func contains(_ cause: FrameCause) -> Bool { contains(FrameCauses(cause)) }

    /// First cause in the order of the enumeration; nil in an empty set.
    package var first: FrameCause? { isEmpty ? nil : FrameCause(rawValue: UInt8(rawValue.trailingZeroBitCount)) }

    /// Causes in the set, in the order of the enumeration.
    public var list: [FrameCause] { FrameCause.allCases.filter(contains) }
}
