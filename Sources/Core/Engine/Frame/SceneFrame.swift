import Estimation
import Geometry
import Model

/// Scene frame. Its axes were X east, Y up and Z south, as estimated when the frame was set. It has been continuous
/// since then.
///
/// The pose in this frame is pure odometry: inertial rotation and displacement, using the filter's biases and velocity.
/// Corrections change the alignment of the scene with ENU instead. The exact alignment is the target. The published
/// alignment settles towards the target, rotating about the wearer, so that content never jumps.
package struct SceneFrame: Sendable, Codable {
    package private(set) var rotationSceneFromBody: Rotation3
    /// Position of the body in the scene. Unit: metres.
    package private(set) var position = Vector3.zero
    /// Alignment that the filter estimates.
    package private(set) var target = SceneAlignment(yaw: 0, translation: .zero)
    private var settling: AlignmentSettling
    private var targetTurn = Rotation2(yaw: 0)
    private let settings: PublicationSettings.Scene

    /// Rotation from scene axes to ENU axes: (x, y, z) → (x, −z, y).
    package static let rotationENUFromScene = Rotation3.exp(Vector3(.pi / 2, 0, 0))

    package init(
        _ state: NavigationState, correction: Vector3 = .zero, settings: PublicationSettings.Scene
    ) {
        self.settings = settings
        settling = AlignmentSettling(settings: settings)
        rotationSceneFromBody = Self.rotationENUFromScene.inverse * state.rotationENUFromBody
        snap(to: state, correction: correction)
    }

    package var published: SceneAlignment {
        @inline(__always) get { settling.published }
    }

    package var isLookDue: Bool {
        @inline(__always) get { settling.isLookDue }
    }

    /// Rotation and horizontal shift at the wearer that remain between `published` and the target. Units: radians,
    /// metres.
    package var remaining: (turn: Double, shift: Double) {
        @inline(__always) get { settling.remaining }
    }

    package var isCorrecting: Bool {
        @inline(__always) get { settling.isCorrecting }
    }

    /// Starts a new frame that has its origin at the wearer and its axes as estimated.
    ///
    /// - Parameter correction: shift to add to the filter's position. It is passed separately to avoid a copy of the
    ///   state. Frame: ENU. Unit: metres.
    package mutating func restart(_ state: NavigationState, correction: Vector3 = .zero) {
        self = SceneFrame(state, correction: correction, settings: settings)
    }

    /// Sets the published alignment to the target, because the previous alignment was not valid.
    ///
    /// - Parameter correction: see `restart`.
    package mutating func snap(to state: NavigationState, correction: Vector3 = .zero) {
        updateTarget(state, correction)
        settling.snap(to: target, targetTurn)
    }

    /// Moves the ENU origin by `-offset`, so that all ENU coordinates grow by `offset`; the scene itself does not
    /// change.
    package mutating func shift(by offset: Vector3) {
        settling.shift(by: offset)
        target.translation += offset
    }

    /// Changes the body axes. `turn` rotates from the current axes to the new axes.
    package mutating func turnBody(by turn: Rotation3) {
        rotationSceneFromBody = rotationSceneFromBody * turn.inverse
    }

    /// Moves the scene frame by one inertial step.
    ///
    /// Equations: docs/filter.md (51), (52).
    ///
    /// - Parameters:
    ///   - correction: see `restart`.
    ///   - followsNorth: whether the heading is known but no position has ever been known.
    package mutating func step(
        _ increment: InertialIncrement, _ state: NavigationState, correction: Vector3 = .zero,
        followsNorth: Bool = false
    ) {
        rotationSceneFromBody = rotationSceneFromBody * increment.turn
        position += sceneFromENU(increment.displacement)
        followTilt(state, over: increment.duration)
        if followsNorth { followNorth(over: increment.duration) }
        updateTarget(state, correction)
        settling.step(wearer: position, over: increment.duration)
    }

    /// Updates the rates of the published alignment if this is due.
    ///
    /// - Parameters:
    ///   - correction: see `restart`.
    ///   - accuracy: accuracy of the target.
    ///   - rate: angular rate of the body. Unit: rad/s.
    ///   - isTracked: whether a camera tracks the motion.
    @inline(__always)
    package mutating func look(
        _ state: NavigationState, correction: Vector3 = .zero, _ accuracy: PoseAccuracy, rate: Double,
        isTracked: Bool = false
    ) {
        settling.look(
            at: target, wearer: position, state, shift: correction, accuracy, bodyRate: rate, isTracked: isTracked)
    }

    /// Returns the accuracy of content that the published alignment places, given the accuracy of its target.
    package func accuracy(of target: PoseAccuracy) -> (horizontal: Double?, yaw: Double?) {
        let (turn, shift) = remaining
        return (
            target.horizontal.map { ($0 * $0 + shift * shift).squareRoot() },
            target.yaw.map { min(.pi, ($0 * $0 + turn * turn).squareRoot()) }
        )
    }

    /// Converts an ENU vector to scene axes, using the target's yaw.
    package func sceneFromENU(_ vector: Vector3) -> Vector3 {
        let level = targetTurn.inverse * vector
        return Vector3(level.x, level.z, -level.y)
    }

    /// Corrects the tilt towards the tilt of the filter, too slowly to be visible.
    private mutating func followTilt(_ state: NavigationState, over duration: Double) {
        let upInBody = state.rotationENUFromBody.inverse * Vector3(0, 0, 1)
        let error = (rotationSceneFromBody * upInBody).cross(Vector3(0, 1, 0))
        let size = error.norm
        guard size > 1e-12 else { return }
        let share = min(1, duration / settings.tiltSeconds, settings.tiltRate * duration / size)
        rotationSceneFromBody = Rotation3.exp(error * share) * rotationSceneFromBody
    }

    /// Rotates the scene's axes, not its alignment, towards east and south. Until a position is known, nothing is
    /// placed on the earth, and the wearer's track in the scene should have the true direction.
    private mutating func followNorth(over duration: Double) {
        let limit = settings.northRate * duration
        let turn = max(-limit, min(limit, target.yaw))
        rotationSceneFromBody = Rotation3.exp(Vector3(0, turn, 0)) * rotationSceneFromBody
    }

    private mutating func updateTarget(_ state: NavigationState, _ correction: Vector3) {
        let levelFromBody = Self.rotationENUFromScene * rotationSceneFromBody
        let rotation = state.rotationENUFromBody * levelFromBody.inverse
        targetTurn = Rotation2(nearest: rotation)
        target = SceneAlignment(
            yaw: rotation.yawAboutZ, translation: state.position + correction - enu(position, targetTurn))
    }

    /// Rotates a point of the scene to ENU axes. Unit: metres.
    private func enu(_ point: Vector3, _ turn: Rotation2) -> Vector3 {
        turn * Vector3(point.x, -point.z, point.y)
    }

    /// Shortest possible remaining duration of a large correction; 0 if none is under way. Unit: seconds.
    package var correctionDuration: Double { settling.correctionDuration }
}

extension SceneFrame: CheckedState {
    package mutating func settle() -> Bool {
        // The same bound as in `NavigationState.isOnEarth`.
        position.squaredNorm < 1e14
    }
}

/// Decides when changes of the scene alignment are large enough to be announced, and records their causes.
package struct FrameAnnouncer: Sendable, Codable {
    private let settings: PublicationSettings.Scene
    /// Newest announcement; nil before the first.
    private(set) var last: FrameEstimate?
    private var lastTime: BootTime?
    private var lastInfluence = FrameInfluence()
    /// Events since the last announcement.
    private var events = FrameCauses()
    /// Whether a large correction was under way at the last announcement.
    private var wasCorrecting = false

    package init(settings: PublicationSettings.Scene) { self.settings = settings }

    /// Records an event, so that it is announced immediately.
    mutating func note(_ cause: FrameCause) { events.insert(FrameCauses(cause)) }

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) {
        last?.target.translation += offset
        last?.published.translation += offset
    }

    /// Whether an announcement is due.
    ///
    /// - Parameters:
    ///   - scene: scene to read. It is not changed: a scene that is passed as a value is copied.
    ///   - accuracy: accuracy of the target.
    @inline(__always)
    mutating func isDue(
        _ scene: inout SceneFrame, _ accuracy: PoseAccuracy, origin: GeodeticPosition?, generation: UInt32,
        at time: BootTime
    ) -> Bool {
        // All of `last` is read only when a difference would be announced, because that copies it.
        guard let lastTime, let lastGeneration = last?.generation else { return true }
        let lastOrigin = last?.origin
        if lastGeneration != generation { note(.newGeneration) }
        if let known = lastOrigin, known != origin { note(.reanchor) }
        guard events.isEmpty, lastOrigin == origin, scene.isCorrecting == wasCorrecting else { return true }
        guard time.seconds(since: lastTime) >= settings.announceSeconds, let last else { return false }
        return Self.differs(last.published, scene.published, settings)
            || Self.differs(last.target, scene.target, settings)
            || Self.differs(last.yawAccuracy, scene.accuracy(of: accuracy).yaw)
    }

    /// Whether two accuracies clearly differ, as yaw accuracies do before and after motion confirms the compass.
    private static func differs(_ a: Double?, _ b: Double?) -> Bool {
        guard let a, let b else { return (a == nil) != (b == nil) }
        return max(a, b) > otherAccuracy * min(a, b)
    }

    /// Ratio of two accuracies beyond which their difference is announced.
    private static let otherAccuracy = 2.0

    /// Makes an announcement, which is then the `last`.
    ///
    /// - Parameter accuracy: accuracy of the target.
    mutating func announce(
        _ scene: SceneFrame, _ accuracy: PoseAccuracy, _ influence: FrameInfluence, origin: GeodeticPosition?,
        generation: UInt32, at time: BootTime
    ) {
        let duration = scene.correctionDuration
        // A duration of centuries cannot be represented.
        let length = duration > 0 ? Int64(exactly: (duration * 1e9).rounded(.towardZero)) : nil
        let isSame = last?.generation == generation
        var frame = FrameEstimate(
            generation: generation, origin: origin, published: scene.published, target: scene.target,
            slewEnd: length.map(time.shifted), before: isSame ? last?.target : nil)
        (frame.horizontalAccuracy, frame.yawAccuracy) = scene.accuracy(of: accuracy)
        tellCauses(&frame, influence)
        last = frame
        lastTime = time
        lastInfluence = influence
        wasCorrecting = scene.isCorrecting
        events = []
    }

    private func tellCauses(_ frame: inout FrameEstimate, _ influence: FrameInfluence) {
        let found = influence.causes(since: lastInfluence, shift: settings.announceShift, yaw: settings.announceYaw)
        let isMoved = Self.differs(frame.before, frame.target, settings)
        frame.causes = isMoved ? found.all.union(events) : events
        frame.mainCause = events.first ?? (isMoved ? found.main : nil)
    }

    private static func differs(
        _ a: SceneAlignment, _ b: SceneAlignment, _ settings: PublicationSettings.Scene
    ) -> Bool {
        Angle.wrapped(a.yaw - b.yaw).magnitude > settings.announceYaw
            || (a.translation - b.translation).norm > settings.announceShift
    }
}

/// Slew of the published attitude from the axes of one mount to those of the next. It is about as fast as the slew of
/// the scene alignment, so that content does not jump.
///
/// `E` rotates the published body `b` relative to the filter's body `B`, so that `R_b = R_B·E` and `ω_b = Eᵀ·ω_B + ε`,
/// where `ε` is the rate at which E returns to the identity. E starts as the rotation from the old axes to the new
/// axes.
///
/// Equation: docs/filter.md (64).
package struct MountSlew: Sendable, Codable {
    private var rotationBodyFromPublished = Rotation3.identity
    /// Angular rate of the published body relative to the body of the filter. Frame: published body. Unit: rad/s.
    private var rate = Vector3.zero
    /// Remaining angle. Unit: radians.
    package private(set) var angle = 0.0

    /// Begins a slew, given the rotation from the old body axes to the new axes.
    package mutating func begin(_ turn: Rotation3) {
        rotationBodyFromPublished = turn * rotationBodyFromPublished
        angle = rotationBodyFromPublished.log.norm
    }

    /// - Parameters:
    ///   - duration: duration of the step. Unit: seconds.
    ///   - bodyRate: angular rate of the body, which hides a part of the slew. Unit: rad/s.
    mutating func step(over duration: Double, rate bodyRate: Double, _ settings: PublicationSettings.Scene) {
        guard angle > 0 else { return rate = .zero }
        let limit = (settings.slewRate + settings.slewShareOfTurning * bodyRate) * duration
        guard duration > 0, limit < angle else { return finish(over: duration) }
        let back = rotationBodyFromPublished.log * -(limit / angle)
        // The axis of a rotation is the same in both frames.
        rotationBodyFromPublished = rotationBodyFromPublished * Rotation3.exp(back)
        rate = back / duration
        angle -= limit
    }

    private mutating func finish(over duration: Double) {
        guard duration > 0 else { return }
        rate = rotationBodyFromPublished.log * (-1 / duration)
        rotationBodyFromPublished = .identity
        angle = 0
    }

    @inline(__always)
    func published(_ rotationFromBody: Rotation3) -> Rotation3 {
        angle > 0 ? rotationFromBody * rotationBodyFromPublished : rotationFromBody
    }

    @inline(__always)
    func published(rate bodyRate: Vector3) -> Vector3 {
        angle > 0 || rate != .zero ? rotationBodyFromPublished.inverse * bodyRate + rate : bodyRate
    }

    /// Returns the accuracy of the published yaw. Its error includes the remaining angle. Unit: radians.
    func uncertain(yaw: Double) -> Double { angle > 0 ? min(.pi, (yaw * yaw + angle * angle).squareRoot()) : yaw }
}
