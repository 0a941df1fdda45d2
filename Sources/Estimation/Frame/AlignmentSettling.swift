import Geometry

/// How the published alignment of the scene follows the filter's opinion of it, the target.
///
/// What a measurement corrects is mostly small against what is known of the target, and the next one takes it back. So
/// the published alignment is a low-pass of the target, and the slower the better a wearer would see it move: the slowest
/// across the line of sight of one who stands. What has gone beyond the target's deviation, or is so large that it points to
/// another house, is followed faster; and what is far beyond is a large correction, made at once and told. The alignment
/// always turns and shifts about the wearer.
struct AlignmentSettling: Sendable {
    private(set) var published = SceneAlignment(yaw: 0, translation: .zero)
    /// A large correction is under way.
    private(set) var isCorrecting = false
    /// Remaining turn from `published` to the target, counter-clockwise. Unit: radians.
    private var turn = 0.0
    /// Wearer's position by `published` minus that by the filter. Frame: ENU. Unit: metres.
    private var offset = Vector3.zero
    /// By the yaw of `published`.
    private var publishedTurn = Rotation2(yaw: 0)
    private var rate = AlignmentRate(turn: 0, shift: .zero)
    /// Unit: seconds.
    private var sinceLook = AlignmentSettling.interval
    /// One over the variances of the target's yaw, horizontal position per axis and height; 0 is not known.
    private var weight = (turn: 0.0, ground: 0.0, rise: 0.0)
    private let settings: EstimatorSettings.Scene

    init(settings: EstimatorSettings.Scene) { self.settings = settings }

    /// Remaining turn, and remaining horizontal shift at the wearer. Units: radians, metres.
    var remaining: (turn: Double, shift: Double) {
        (turn.magnitude, (offset.x * offset.x + offset.y * offset.y).squareRoot())
    }

    /// How long a large correction still takes at the least. Unit: seconds; 0 while none is under way.
    var correctionDuration: Double {
        guard isCorrecting else { return 0 }
        let distance = offset.norm
        let seen = turn.magnitude + distance / settings.slewNearDistance
        return max(seen / settings.slewRate, distance / settings.slewSpeed, settings.correctionSeconds)
    }

    mutating func snap(to target: SceneAlignment, _ targetTurn: Rotation2) {
        published = target
        publishedTurn = targetTurn
        turn = 0
        offset = .zero
        isCorrecting = false
        rate = AlignmentRate(turn: 0, shift: .zero)
        sinceLook = Self.interval
    }

    /// Follows a new origin of ENU, which lies at `-offset` in the old one.
    mutating func shift(by offset: Vector3) { published.translation += offset }

    /// Moves the published alignment at the present rates.
    ///
    /// - Parameter wearer: frame: scene. Unit: metres.
    @inline(__always)
    mutating func step(wearer: Vector3, over duration: Double) {
        sinceLook += duration
        let wearerLevel = Vector3(wearer.x, -wearer.z, wearer.y)
        let angle = rate.turn * duration
        let turned = publishedTurn.turned(bySmall: angle)
        published.translation += publishedTurn * wearerLevel - turned * wearerLevel - rate.shift * duration
        published.yaw += angle
        publishedTurn = turned
    }

    /// Looks at what is still to go, when it is time, and how fast.
    ///
    /// Equations: docs/filter.md (54), (55).
    ///
    /// - Parameters:
    ///   - wearer: frame: scene. Unit: metres.
    ///   - accuracy: of the target.
    ///   - bodyRate: unit: rad/s.
    @inline(__always)
    mutating func look(
        at target: SceneAlignment, wearer: Vector3, _ state: NavigationState, _ accuracy: PoseAccuracy,
        bodyRate: Double
    ) {
        guard sinceLook >= Self.interval else { return }
        sinceLook = 0
        published.yaw = Angle.wrapped(published.yaw)
        publishedTurn = Rotation2(yaw: published.yaw)
        turn = Angle.wrapped(target.yaw - published.yaw)
        offset = publishedTurn * Vector3(wearer.x, -wearer.z, wearer.y) + published.translation - state.position
        judge(accuracy)
        let pace = state.velocity.norm
        let near = max(settings.slewNearDistance, settings.slewNearSeconds * pace)
        rate = isCorrecting ? correction : settlement(state, pace: pace, widening: near / settings.slewNearDistance)
        rate.limit(
            turn: settings.slewRate + settings.slewShareOfTurning * bodyRate,
            shift: settings.slewSpeed + settings.slewShareOfSpeed * pace, near: near,
            share: isCorrecting ? correctedShare(near: near) : (0, 0))
    }

    /// The whole of what remains, within a time that eases its end.
    private var correction: AlignmentRate {
        AlignmentRate(turn: turn / settings.correctionSeconds, shift: offset / settings.correctionSeconds)
    }

    /// What is very far off would take too long at the rates that are bearable: so much of it is made all the same.
    private func correctedShare(near: Double) -> (seen: Double, shift: Double) {
        let distance = offset.norm
        return ((turn.magnitude + distance / near) / Self.longestSeconds, distance / Self.longestSeconds)
    }

    /// A low-pass that is slow enough not to be noticed, and faster for what is beyond the target's deviation.
    ///
    /// - Parameter widening: factor on the viewing distance of a fast wearer, whose view of a shift shrinks by it.
    private func settlement(_ state: NavigationState, pace: Double, widening: Double) -> AlignmentRate {
        let ratio = pace / settings.hidingPace
        let hidden = min(1, settings.standingShare + ratio * ratio)
        let gaze = state.rotationENUFromBody * Vector3(0, 0, -1)
        let ahead = Vector3(gaze.x, gaze.y, 0)
        let ground = Vector3(offset.x, offset.y, 0)
        // Towards the wearer and away, what is shifted is hardly seen to move.
        let along = ahead * ahead.dot(ground)
        let across = ground - along
        let (deviations, shift) = (settings.settlingDeviations, settings.settlingShift)
        let level = settlingRate(
            across.norm, settings.settlingSpeed,
            beyond: ground.squaredNorm * max(weight.ground / (deviations * deviations), 1 / (shift * shift)))
        let felt = settings.settlingRiseShare * offset.z
        let rise = settlingRate(
            offset.z.magnitude, settings.settlingSpeed,
            beyond: felt * felt * max(weight.rise / (deviations * deviations), 1 / (shift * shift)))
        let yaw = settlingRate(
            turn.magnitude, settings.settlingRate,
            beyond: turn * turn
                * max(weight.turn / (deviations * deviations), 1 / (settings.settlingTurn * settings.settlingTurn)))
        return AlignmentRate(
            turn: turn * (hidden * yaw),
            shift: along * (widening / settings.settlingSeconds) + across * (hidden * widening * level)
                + Vector3(0, 0, offset.z * (hidden * rise)))
    }

    /// One over the time constant.
    ///
    /// - Parameters:
    ///   - size: of what remains, in the unit of `speed` times seconds.
    ///   - square: of what remains, 1 where the rate is that of the plain low-pass again.
    private func settlingRate(_ size: Double, _ speed: Double, beyond square: Double) -> Double {
        let usual = 1 / settings.settlingSeconds
        return (size * usual > speed ? speed / size : usual) + square * square * usual
    }

    /// Takes how well the target is known, and decides by it whether what remains is a large correction.
    private mutating func judge(_ accuracy: PoseAccuracy) {
        weight.turn = Self.weight(accuracy.yaw)
        weight.ground = Self.weight(accuracy.horizontal.map { $0 / PoseAccuracy.radius68 })
        weight.rise = Self.weight(accuracy.vertical)
        isCorrecting =
            isLarge(turn * turn, settings.largeTurn, weight.turn)
            || isLarge(offset.x * offset.x + offset.y * offset.y, settings.largeShift, weight.ground)
    }

    private func isLarge(_ square: Double, _ least: Double, _ weight: Double) -> Bool {
        let share = square / (least * least)
        if isCorrecting { return share > Self.ended * Self.ended }
        let limit = settings.largeDeviations * settings.largeDeviations
        return share > 1 && (square * weight > limit || share > Self.evident * Self.evident)
    }

    /// Between two looks: nothing that lasts for seconds changes within it. Less by rounding. Unit: seconds.
    private static let interval = 0.0475
    /// Share of `largeTurn` and `largeShift` below which a large correction has ended.
    private static let ended = 0.25
    /// Multiple of `largeTurn` and `largeShift` beyond which a correction is large at any uncertainty of the target.
    private static let evident = 5.0
    /// Time constant of a large correction at the most. Unit: seconds.
    private static let longestSeconds = 2.0

    private static func weight(_ deviation: Double?) -> Double {
        guard let deviation, deviation > 0 else { return 0 }
        return 1 / (deviation * deviation)
    }
}

/// How fast the published alignment moves about the wearer.
private struct AlignmentRate {
    /// Counter-clockwise about up. Unit: rad/s.
    var turn: Double
    /// Frame: ENU. Unit: m/s.
    var shift: Vector3

    /// Keeps both to what a wearer can bear: a shift turns what is `near`, in metres, as a turn does, and the two share it.
    ///
    /// - Parameters:
    ///   - limit: of all that is seen to turn, rad/s.
    ///   - largest: of the shift, m/s.
    ///   - share: what both may be at the least, in the same units.
    mutating func limit(
        turn limit: Double, shift largest: Double, near: Double, share: (seen: Double, shift: Double)
    ) {
        let speed = shift.norm
        let seen = turn.magnitude + speed / near
        let (limit, largest) = (max(limit, share.seen), max(largest, share.shift))
        guard seen > limit || speed > largest else { return }
        let kept = limit / max(seen, limit)
        turn *= kept
        shift = shift * min(kept, largest / max(speed, largest))
    }
}
