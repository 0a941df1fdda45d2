import Estimation
import Geometry
import Model

/// Published alignment of the scene. It follows its target, the alignment that the filter estimates.
///
/// Most corrections are small compared with the uncertainty of the target, and the next correction reverts them.
/// Therefore the published alignment is the target after a low-pass filter. It moves more slowly where its motion is
/// more visible, and slowest across the line of sight of a standing wearer. It moves faster if the difference exceeds
/// the target's standard deviation or makes content point to another house. A difference far beyond these limits is a
/// large correction, which starts immediately and is reported. The alignment rotates and shifts about the wearer.
struct AlignmentSettling: Sendable, Codable {
    private(set) var published = SceneAlignment(yaw: 0, translation: .zero)
    private(set) var isCorrecting = false
    /// Remaining turn from `published` to the target, counter-clockwise. Unit: radians.
    private var turn = 0.0
    /// Wearer's position according to `published` minus that according to the filter. Frame: ENU. Unit: metres.
    private var offset = Vector3.zero
    private var publishedTurn = Rotation2(yaw: 0)
    private var rate = AlignmentRate(turn: 0, shift: .zero)
    /// Time since the rates were last updated. Unit: seconds.
    private var sinceLook = AlignmentSettling.interval
    /// Inverse variances of the target's yaw, horizontal position per axis and height; 0 if unknown.
    private var weight = Weight()
    private let settings: PublicationSettings.Scene

    private struct Weight: Codable {
        var (turn, ground, rise) = (0.0, 0.0, 0.0)
    }

    init(settings: PublicationSettings.Scene) { self.settings = settings }

    /// Remaining turn and remaining horizontal shift at the wearer. Units: radians, metres.
    var remaining: (turn: Double, shift: Double) {
        (turn.magnitude, offset.horizontalNorm)
    }

    /// Shortest possible remaining duration of a large correction; 0 if none is under way. Unit: seconds.
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

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) { published.translation += offset }

    /// Moves the published alignment at the current rates.
    ///
    /// - Parameter wearer: position of the wearer. Frame: scene. Unit: metres.
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

    @inline(__always)
    var isLookDue: Bool { sinceLook >= Self.interval }

    /// Updates the remaining difference and the rates if this is due.
    ///
    /// Equations: docs/filter.md (54), (55).
    ///
    /// - Parameters:
    ///   - wearer: position of the wearer. Frame: scene. Unit: metres.
    ///   - shift: shift added to the filter's position. Frame: ENU. Unit: metres.
    ///   - accuracy: accuracy of the target.
    ///   - bodyRate: angular rate of the body. Unit: rad/s.
    ///   - isTracked: whether a camera tracks the motion.
    @inline(__always)
    mutating func look(
        at target: SceneAlignment, wearer: Vector3, _ state: NavigationState, shift: Vector3,
        _ accuracy: PoseAccuracy, bodyRate: Double, isTracked: Bool
    ) {
        guard isLookDue else { return }
        sinceLook = 0
        published.yaw = Angle.wrapped(published.yaw)
        publishedTurn = Rotation2(yaw: published.yaw)
        turn = Angle.wrapped(target.yaw - published.yaw)
        let position = state.position + shift
        offset = publishedTurn * Vector3(wearer.x, -wearer.z, wearer.y) + published.translation - position
        weigh(accuracy)
        let pace = state.velocity.norm
        let near = max(settings.slewNearDistance, settings.slewNearSeconds * pace)
        rate =
            isCorrecting
            ? correction
            : settlement(
                state, pace: pace, widening: near / settings.slewNearDistance,
                share: isTracked ? settings.trackedShare : 1)
        if isTracked, !isCorrecting { rate.limit(turn: settings.trackedRate, shift: settings.trackedSpeed) }
        rate.limit(
            turn: settings.slewRate + settings.slewShareOfTurning * bodyRate,
            shift: settings.slewSpeed + settings.slewShareOfSpeed * pace, near: near,
            share: isCorrecting ? correctedShare(near: near) : (0, 0))
    }

    /// Rate of a large correction, which ends exponentially.
    private var correction: AlignmentRate {
        AlignmentRate(turn: turn / settings.correctionSeconds, shift: offset / settings.correctionSeconds)
    }

    /// Lower limit of the rate of a large correction. It is needed because content that is clearly in the wrong place
    /// misleads until it has moved.
    private func correctedShare(near: Double) -> (seen: Double, shift: Double) {
        let distance = offset.norm
        let isEvident =
            turn.magnitude > Self.evident * settings.largeTurn || distance > Self.evident * settings.largeShift
        let seconds = isEvident ? settings.correctionSeconds : Self.maximumSeconds
        return ((turn.magnitude + distance / near) / seconds, distance / seconds)
    }

    /// Rate of small corrections: slow enough to stay unnoticed, and faster beyond the target's standard deviation.
    ///
    /// - Parameters:
    ///   - widening: factor by which the assumed viewing distance grows for a fast wearer; a shift appears smaller by
    ///     this factor.
    ///   - share: factor by which the rates are multiplied; 1 if no camera tracks.
    private func settlement(
        _ state: NavigationState, pace: Double, widening: Double, share: Double
    ) -> AlignmentRate {
        let ratio = pace / settings.hidingPace
        let hidden = share * min(1, settings.standingShare + ratio * ratio)
        let gaze = state.rotationENUFromBody * Vector3(0, 0, -1)
        let ahead = Vector3(gaze.x, gaze.y, 0)
        let ground = Vector3(offset.x, offset.y, 0)
        // A shift along the line of sight is hardly visible.
        let along = ahead * ahead.dot(ground)
        let across = ground - along
        let standardDeviations = settings.settlingStandardDeviations
        // Factor by which to multiply a squared difference. The product is 1 for a difference of `size` or of
        // `standardDeviations` standard deviations of the target, whichever is smaller.
        func factor(_ weight: Double, _ size: Double) -> Double {
            max(weight / (standardDeviations * standardDeviations), 1 / (size * size))
        }
        let level = settlingRate(
            across.norm, settings.settlingSpeed,
            beyond: ground.squaredNorm * factor(weight.ground, settings.settlingShift))
        let visibleRise = settings.settlingRiseShare * offset.z
        let rise = settlingRate(
            offset.z.magnitude, settings.settlingSpeed,
            beyond: visibleRise * visibleRise * factor(weight.rise, settings.settlingShift))
        let yaw = settlingRate(
            turn.magnitude, settings.settlingRate, beyond: turn * turn * factor(weight.turn, settings.settlingTurn))
        return AlignmentRate(
            turn: turn * (hidden * yaw),
            shift: along * (share * widening / settings.settlingSeconds) + across * (hidden * widening * level)
                + Vector3(0, 0, offset.z * (hidden * rise)))
    }

    /// Returns the inverse time constant with which a component settles.
    ///
    /// - Parameters:
    ///   - size: remaining difference. Unit: that of `speed` times seconds.
    ///   - square: squared remaining difference, scaled so that the rate doubles at 1.
    private func settlingRate(_ size: Double, _ speed: Double, beyond square: Double) -> Double {
        let usual = 1 / settings.settlingSeconds
        return (size * usual > speed ? speed / size : usual) + square * square * usual
    }

    /// Weights the difference by the accuracy of the target, and decides whether it is a large correction.
    private mutating func weigh(_ accuracy: PoseAccuracy) {
        weight.turn = Self.weight(accuracy.yaw)
        weight.ground = Self.weight(accuracy.horizontal.map { $0 / PoseAccuracy.radius68 })
        weight.rise = Self.weight(accuracy.vertical)
        isCorrecting =
            isLarge(turn * turn, settings.largeTurn, weight.turn)
            || isLarge(offset.x * offset.x + offset.y * offset.y, settings.largeShift, weight.ground)
    }

    private func isLarge(_ square: Double, _ threshold: Double, _ weight: Double) -> Bool {
        let share = square / (threshold * threshold)
        if isCorrecting { return share > Self.ended * Self.ended }
        let limit = settings.largeStandardDeviations * settings.largeStandardDeviations
        return share > 1 && (square * weight > limit || share > Self.evident * Self.evident)
    }

    /// Interval between two updates, in which slow quantities hardly change. It is slightly reduced for rounding.
    /// Unit: seconds.
    private static let interval = 0.0475
    /// Share of `largeTurn` and `largeShift` below which a large correction ends.
    private static let ended = 0.25
    /// Multiple of `largeTurn` and `largeShift` beyond which a correction is large even if the target is uncertain.
    private static let evident = 5.0
    /// Largest time constant of a large correction. Unit: seconds.
    private static let maximumSeconds = 2.0

    private static func weight(_ standardDeviation: Double?) -> Double {
        guard let standardDeviation, standardDeviation > 0 else { return 0 }
        return 1 / (standardDeviation * standardDeviation)
    }
}

/// Rate at which the published alignment moves about the wearer.
private struct AlignmentRate: Codable {
    /// Rotation about up, counter-clockwise. Unit: rad/s.
    var turn: Double
    /// Speed of the position at the wearer. Frame: ENU. Unit: m/s.
    var shift: Vector3

    /// Limits turn and shift separately. Units: rad/s, m/s.
    mutating func limit(turn maximumTurn: Double, shift maximumShift: Double) {
        turn = max(-maximumTurn, min(maximumTurn, turn))
        let speed = shift.norm
        if speed > maximumShift { shift = shift * (maximumShift / speed) }
    }

    /// Limits turn and shift together to what a wearer tolerates. They share one limit, because a shift moves content
    /// at the distance `near` (metres) as a rotation does.
    ///
    /// - Parameters:
    ///   - limit: largest apparent rotation, rad/s.
    ///   - maximumShift: largest shift, m/s.
    ///   - share: turn and shift that are always allowed, in the same units.
    mutating func limit(
        turn limit: Double, shift maximumShift: Double, near: Double, share: (seen: Double, shift: Double)
    ) {
        let speed = shift.norm
        let seen = turn.magnitude + speed / near
        let (limit, maximumShift) = (max(limit, share.seen), max(maximumShift, share.shift))
        guard seen > limit || speed > maximumShift else { return }
        let kept = limit / max(seen, limit)
        turn *= kept
        shift = shift * min(kept, maximumShift / max(speed, maximumShift))
    }
}
