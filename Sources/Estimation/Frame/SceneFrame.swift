import Geometry
import Measurements

/// The scene frame: X east, Y up, Z south as it was thought when the frame was set, continuous ever since.
///
/// The pose in it is pure odometry: turns and displacements as the inertial sensors felt them, with the filter's biases
/// and velocity. What a measurement corrects goes into the alignment of the scene with ENU: the exact value is the
/// target, and the published one settles towards it, turning about the wearer, so that content never leaps.
package struct SceneFrame: Sendable {
    package private(set) var rotationSceneFromBody: Rotation3
    /// Unit: metres.
    package private(set) var position = Vector3.zero
    package private(set) var target = SceneAlignment(yaw: 0, translation: .zero)
    private var settling: AlignmentSettling
    /// By the yaw of `target`.
    private var targetTurn = Rotation2(yaw: 0)
    private let settings: EstimatorSettings.Scene

    /// East, north, up from the scene's axes: (x, y, z) → (x, −z, y).
    package static let rotationENUFromScene = Rotation3.exp(Vector3(.pi / 2, 0, 0))

    package init(_ state: NavigationState, settings: EstimatorSettings.Scene) {
        self.settings = settings
        settling = AlignmentSettling(settings: settings)
        rotationSceneFromBody = Self.rotationENUFromScene.inverse * state.rotationENUFromBody
        snap(to: state)
    }

    package var published: SceneAlignment {
        @inline(__always) get { settling.published }
    }

    /// What `published` has still to go to its target: a turn, and a shift over ground at the wearer.
    /// Units: radians, metres.
    package var remaining: (turn: Double, shift: Double) {
        @inline(__always) get { settling.remaining }
    }

    /// The published alignment is under way to a target that a large correction has moved.
    package var isCorrecting: Bool {
        @inline(__always) get { settling.isCorrecting }
    }

    /// Sets the frame anew, its origin here and its axes as the filter has them.
    package mutating func restart(_ state: NavigationState) {
        self = SceneFrame(state, settings: settings)
    }

    /// Takes the target as it is: nothing had a meaning under the alignment before.
    package mutating func snap(to state: NavigationState) {
        updateTarget(state)
        settling.snap(to: target, targetTurn)
    }

    /// Follows a new origin of ENU, which lies at `-offset` in the old one: the scene itself stays.
    package mutating func shift(by offset: Vector3) {
        settling.shift(by: offset)
        target.translation += offset
    }

    /// Takes other axes for the body's, which come from the present ones by a rotation.
    package mutating func turnBody(by turn: Rotation3) {
        rotationSceneFromBody = rotationSceneFromBody * turn.inverse
    }

    /// Follows one inertial step.
    ///
    /// Equations: docs/filter.md (51), (52).
    ///
    /// - Parameter followsNorth: no position has been known yet, and north is.
    package mutating func step(
        _ increment: InertialIncrement, _ state: NavigationState, followsNorth: Bool = false
    ) {
        rotationSceneFromBody = rotationSceneFromBody * increment.turn
        position += sceneFromENU(increment.displacement)
        followTilt(state, over: increment.duration)
        if followsNorth { followNorth(over: increment.duration) }
        updateTarget(state)
        settling.step(wearer: position, over: increment.duration)
    }

    /// Looks at what the published alignment has still to go, when it is time.
    ///
    /// - Parameters:
    ///   - accuracy: of the target.
    ///   - rate: of the body. Unit: rad/s.
    @inline(__always)
    package mutating func look(_ state: NavigationState, _ accuracy: PoseAccuracy, rate: Double) {
        settling.look(at: target, wearer: position, state, accuracy, bodyRate: rate)
    }

    /// Accuracy of content laid out by the published alignment, from the accuracy of its target.
    package func accuracy(of target: PoseAccuracy) -> (horizontal: Double?, yaw: Double?) {
        let (turn, shift) = remaining
        return (
            target.horizontal.map { ($0 * $0 + shift * shift).squareRoot() },
            target.yaw.map { min(.pi, ($0 * $0 + turn * turn).squareRoot()) }
        )
    }

    /// A vector of ENU in the scene, by the target's yaw.
    package func sceneFromENU(_ vector: Vector3) -> Vector3 {
        let level = targetTurn.inverse * vector
        return Vector3(level.x, level.z, -level.y)
    }

    /// Blends the filter's opinion of the vertical in, too slowly to be seen.
    private mutating func followTilt(_ state: NavigationState, over duration: Double) {
        let upInBody = state.rotationENUFromBody.inverse * Vector3(0, 0, 1)
        let error = (rotationSceneFromBody * upInBody).cross(Vector3(0, 1, 0))
        let size = error.norm
        guard size > 1e-12 else { return }
        let share = min(1, duration / settings.tiltSeconds, settings.tiltRate * duration / size)
        rotationSceneFromBody = Rotation3.exp(error * share) * rotationSceneFromBody
    }

    /// Turns the scene's axes towards east and south themselves, instead of its alignment: before a position is known nothing
    /// is laid out on the earth, and the track that the wearer leaves in the scene is to point where it went.
    private mutating func followNorth(over duration: Double) {
        let limit = settings.northRate * duration
        let turn = max(-limit, min(limit, target.yaw))
        rotationSceneFromBody = Rotation3.exp(Vector3(0, turn, 0)) * rotationSceneFromBody
    }

    private mutating func updateTarget(_ state: NavigationState) {
        let levelFromBody = Self.rotationENUFromScene * rotationSceneFromBody
        let rotation = state.rotationENUFromBody * levelFromBody.inverse
        targetTurn = Rotation2(nearest: rotation)
        target = SceneAlignment(
            yaw: rotation.yawAboutZ, translation: state.position - enu(position, targetTurn))
    }

    /// A point of the scene, turned to ENU. Unit: metres.
    private func enu(_ point: Vector3, _ turn: Rotation2) -> Vector3 {
        turn * Vector3(point.x, -point.z, point.y)
    }

    /// How long a large correction still takes at the least. Unit: seconds; 0 while none is under way.
    package var correctionDuration: Double { settling.correctionDuration }
}
