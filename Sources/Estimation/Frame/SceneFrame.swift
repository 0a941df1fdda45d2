import Geometry
import Measurements

/// The scene frame: X east, Y up, Z south as it was thought when the frame was set, continuous ever since.
///
/// The pose in it is pure odometry: turns and displacements as the inertial sensors felt them, with the filter's biases
/// and velocity. What a measurement corrects goes into the alignment of the scene with ENU: the exact value is the
/// target, and the published one slews towards it, turning about the wearer, so that content settles and never leaps.
package struct SceneFrame: Sendable {
    package private(set) var rotationSceneFromBody: Rotation3
    /// Unit: metres.
    package private(set) var position = Vector3.zero
    package private(set) var published = SceneAlignment(yaw: 0, translation: .zero)
    package private(set) var target = SceneAlignment(yaw: 0, translation: .zero)
    /// That `published` has still to go to its target: a turn, and a shift over ground at the wearer.
    /// Units: radians, metres.
    package private(set) var remaining = (turn: 0.0, shift: 0.0)
    /// By the yaws of `published` and `target`.
    private var publishedTurn = LevelTurn(yaw: 0)
    private var targetTurn = LevelTurn(yaw: 0)
    private let settings: EstimatorSettings.Scene

    /// East, north, up from the scene's axes: (x, y, z) → (x, −z, y).
    package static let rotationENUFromScene = Rotation3.exp(Vector3(.pi / 2, 0, 0))

    package init(_ state: NavigationState, settings: EstimatorSettings.Scene) {
        self.settings = settings
        rotationSceneFromBody = Self.rotationENUFromScene.inverse * state.rotationENUFromBody
        snap(to: state)
    }

    /// Sets the frame anew, its origin here and its axes as the filter has them.
    package mutating func restart(_ state: NavigationState) {
        self = SceneFrame(state, settings: settings)
    }

    /// Takes the target as it is: nothing had a meaning under the alignment before.
    package mutating func snap(to state: NavigationState) {
        updateTarget(state)
        published = target
        publishedTurn = targetTurn
        remaining = (0, 0)
    }

    /// Follows a new origin of ENU, which lies at `-offset` in the old one: the scene itself stays.
    package mutating func shift(by offset: Vector3) {
        published.translation += offset
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
        _ increment: InertialIncrement, _ state: NavigationState, rate: Double, followsNorth: Bool = false
    ) {
        rotationSceneFromBody = rotationSceneFromBody * increment.turn
        position += sceneFromENU(increment.displacement)
        followTilt(state, over: increment.duration)
        if followsNorth { followNorth(over: increment.duration) }
        updateTarget(state)
        slew(state, over: increment.duration, rate: rate)
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
        targetTurn = LevelTurn(nearest: rotation)
        target = SceneAlignment(
            yaw: rotation.yawAboutZ, translation: state.position - enu(position, targetTurn))
    }

    /// A point of the scene, turned to ENU. Unit: metres.
    private func enu(_ point: Vector3, _ turn: LevelTurn) -> Vector3 {
        turn * Vector3(point.x, -point.z, point.y)
    }

    /// Moves the published alignment towards its target.
    ///
    /// Equations: docs/filter.md (54), (55).
    private mutating func slew(_ state: NavigationState, over duration: Double, rate: Double) {
        // Where the wearer is by the published alignment, against where the filter has it.
        let offset = enu(position, publishedTurn) + published.translation - state.position
        let distance = offset.norm
        let pace = state.velocity.norm
        let turn = Angle.wrapped(target.yaw - published.yaw)
        var step = min(distance, (settings.slewSpeed + settings.slewShareOfSpeed * pace) * duration)
        var limit = (settings.slewRate + settings.slewShareOfTurning * rate) * duration
        // A shift turns what is near as a turn does: the two share what a wearer does not notice.
        let near = max(settings.slewNearDistance, settings.slewNearSeconds * pace)
        let seen = min(turn.magnitude, limit) + step / near
        if seen > limit {
            step *= limit / seen
            limit *= min(turn.magnitude, limit) / seen
        }
        let kept = distance > 1e-9 ? max(0, 1 - step / distance) : 0
        if turn.magnitude <= limit {
            published.yaw = target.yaw
            publishedTurn = targetTurn
        } else {
            published.yaw = Angle.wrapped(published.yaw + (turn > 0 ? limit : -limit))
            publishedTurn = LevelTurn(yaw: published.yaw)
        }
        published.translation = state.position + offset * kept - enu(position, publishedTurn)
        let ground = (offset.x * offset.x + offset.y * offset.y).squareRoot()
        remaining = (max(0, turn.magnitude - limit), ground * kept)
    }

    /// How long the published alignment still moves at the least. Unit: seconds; 0 when it has arrived.
    package func slewDuration(_ state: NavigationState) -> Double {
        let offset = enu(position, publishedTurn) + published.translation - state.position
        let turn = Angle.wrapped(target.yaw - published.yaw).magnitude
        let seen = turn + offset.norm / settings.slewNearDistance
        let seconds = max(seen / settings.slewRate, offset.norm / settings.slewSpeed)
        return seconds < Self.arrivedSeconds ? 0 : seconds
    }

    /// Nearer than this to its target the alignment counts as arrived: one millimetre. Unit: seconds.
    private static let arrivedSeconds = 1e-3
}
