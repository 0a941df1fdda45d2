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
    }

    /// Follows a new origin of ENU, which lies at `-offset` in the old one: the scene itself stays.
    package mutating func shift(by offset: Vector3) {
        published.translation += offset
        target.translation += offset
    }

    /// Follows one inertial step.
    package mutating func step(_ increment: InertialIncrement, _ state: NavigationState, rate: Double) {
        rotationSceneFromBody = rotationSceneFromBody * increment.turn
        position += sceneFromENU(increment.displacement)
        followTilt(state, over: increment.duration)
        updateTarget(state)
        slew(state, over: increment.duration, rate: rate)
    }

    /// A vector of ENU in the scene, by the target's yaw.
    package func sceneFromENU(_ vector: Vector3) -> Vector3 {
        Self.rotationENUFromScene.inverse * (Rotation3.aboutZ(-target.yaw) * vector)
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

    private mutating func updateTarget(_ state: NavigationState) {
        let levelFromBody = Self.rotationENUFromScene * rotationSceneFromBody
        let yaw = (state.rotationENUFromBody * levelFromBody.inverse).yawAboutZ
        target = SceneAlignment(yaw: yaw, translation: state.position - enu(position, yaw: yaw))
    }

    /// A point of the scene, turned to ENU. Unit: metres.
    private func enu(_ point: Vector3, yaw: Double) -> Vector3 {
        Rotation3.aboutZ(yaw) * (Self.rotationENUFromScene * point)
    }

    private mutating func slew(_ state: NavigationState, over duration: Double, rate: Double) {
        // Where the wearer is by the published alignment, against where the filter has it.
        let offset = enu(position, yaw: published.yaw) + published.translation - state.position
        let distance = offset.norm
        let speed = settings.slewSpeed + settings.slewShareOfSpeed * state.velocity.norm
        let kept = distance > 1e-9 ? max(0, 1 - speed * duration / distance) : 0
        let turn = Angle.wrapped(target.yaw - published.yaw)
        let limit = (settings.slewRate + settings.slewShareOfTurning * rate) * duration
        let yaw = Angle.wrapped(published.yaw + min(limit, max(-limit, turn)))
        published = SceneAlignment(
            yaw: yaw, translation: state.position + offset * kept - enu(position, yaw: yaw))
    }

    /// How long the published alignment still moves at the least. Unit: seconds; 0 when it has arrived.
    package func slewDuration(_ state: NavigationState) -> Double {
        let offset = enu(position, yaw: published.yaw) + published.translation - state.position
        let turn = Angle.wrapped(target.yaw - published.yaw).magnitude
        let seconds = max(turn / settings.slewRate, offset.norm / settings.slewSpeed)
        return seconds < Self.arrivedSeconds ? 0 : seconds
    }

    /// Nearer than this to its target the alignment counts as arrived: one millimetre. Unit: seconds.
    private static let arrivedSeconds = 1e-3
}
