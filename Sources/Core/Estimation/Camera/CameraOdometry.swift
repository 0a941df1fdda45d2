import Geometry
import Model

/// Updates the filter with the motion that a camera's odometry measured since its previous pose.
extension ErrorStateKalmanFilter {
    /// Applies a pose. The state must already be predicted to the pose's time stamp.
    ///
    /// - Returns: the result; nil if the pose only placed the frame of the camera.
    package mutating func apply(_ pose: CameraPose) -> UpdateOutcome? {
        propagateCovariance()
        // Without a heading the camera's own frame cannot be placed.
        guard rules.hasYaw else {
            camera = nil
            return nil
        }
        if camera?.source != pose.source {
            camera = CameraFrame(pose, settings: settings.camera)
            cameraTrust = CameraTrust()
        }
        guard let frame = camera, !isBroken(frame, before: pose) else {
            placeCamera(at: pose)
            return nil
        }
        // A camera that repeats exactly the same pose has stopped, so its pose contains no information about the
        // motion.
        guard pose.position != frame.pose.position || pose.rotationLevelFromBody != frame.pose.rotationLevelFromBody
        else {
            cameraTrust.noteRepeated(
                over: (state.position - frame.origin).norm, for: pose.time.seconds(since: frame.pose.time))
            return nil
        }
        return cameraTrust.isTrusted ? correct(by: pose, frame) : watch(pose, frame)
    }

    /// Whether poses of a camera are arriving; after a longer gap the next pose places the camera's frame again.
    var isCameraTracking: Bool {
        guard let camera else { return false }
        return state.time.seconds(since: camera.pose.time) <= settings.camera.maximumInterval
    }

    private func isBroken(_ frame: CameraFrame, before pose: CameraPose) -> Bool {
        !frame.isPlaced || frame.pose.reset != pose.reset
            || pose.time.seconds(since: frame.pose.time) > settings.camera.maximumInterval
    }

    /// Places the camera's own frame at the current pose.
    ///
    /// Equation: docs/filter.md (101).
    private mutating func placeCamera(at pose: CameraPose) {
        guard let frame = camera else { return }
        let rate = state.rate(inertial.rate)
        let rotation = state.rotationENUFromBody
        let level = pose.rotationLevelFromBody * Rotation3.exp(-frame.mount) * Rotation3.exp(rate * frame.delay)
        let yaw = (rotation * level.inverse).yawAboutZ
        var rows = Matrix<4, 32>()
        var own = Matrix<4, 9>()
        let (turned, velocity) = (rotation * rate, (state.velocity - acceleration * frame.delay).column)
        for i in 0..<3 {
            rows.rows[i][ErrorState.position + i] = 1
            rows.rows[i][ErrorState.velocity + i] = -frame.delay
            own.rows[i][CameraError.delay] = -velocity.rows[i][0]
        }
        let matrix = rotation.matrix
        rows.rows[3][ErrorState.yaw] = 1
        for k in 0..<3 { own.rows[3][CameraError.mount + k] = matrix.rows[2][k] }
        own.rows[3][CameraError.delay] = -turned.z
        let (camera, origin) = (settings.camera, position(before: frame.delay))
        self.camera?.place(
            at: pose, origin: origin, yaw: yaw, rows, own,
            noise: (camera.positionNoise * camera.positionNoise, camera.attitudeNoise * camera.attitudeNoise),
            covariance)
    }

    /// Corrects the state with a pose from a trusted camera.
    private mutating func correct(by pose: CameraPose, _ frame: CameraFrame) -> UpdateOutcome {
        addDrift(to: pose, noiseScale: cameraTrust.scale)
        guard let model = cameraModel(pose) else { return .refused }
        let before = state.rotationENUFromBody
        let outcome = apply(model.update, camera: model.own)
        let turned = (state.rotationENUFromBody * before.inverse).yawAboutZ
        cameraTrust.note(
            outcome, turn: turn(since: frame) - turned,
            walk: settings.camera.yawWalk, gyroDrift: gyroDrift,
            over: pose.time.seconds(since: frame.pose.time), at: pose.time)
        let reached = position(before: camera?.delay ?? 0)
        camera?.advance(to: reached)
        if !cameraTrust.isTrusted { camera?.release() }
        return UpdateOutcome(outcome)
    }

    /// Rotation of the camera's frame about up in an update. The part due to the changed estimates of the camera's
    /// mount and delay is excluded, because it does not rotate the frame. Unit: radians.
    private func turn(since frame: CameraFrame) -> Double {
        guard let camera else { return 0 }
        let rotation = state.rotationENUFromBody
        let mount = (rotation * (camera.mount - frame.mount)).z
        let late = (rotation * state.rate(inertial.rate)).z * (camera.delay - frame.delay)
        return Angle.wrapped(camera.yaw - frame.yaw) - mount + late
    }

    /// Compares a pose of an untrusted camera with the motion since the camera's frame was placed. The state is not
    /// corrected.
    private mutating func watch(_ pose: CameraPose, _ frame: CameraFrame) -> UpdateOutcome? {
        guard pose.time.seconds(since: frame.placedAt) >= CameraTrust.watchSeconds else {
            camera?.addDrift(to: pose, distance: 0, settings.camera, noiseScale: 1)
            return nil
        }
        addDrift(to: pose, noiseScale: 1)
        guard let model = cameraModel(pose) else { return .refused }
        let span = pose.time.seconds(since: frame.placedAt)
        let (noise, walk) = (settings.camera.attitudeNoise, settings.camera.yawWalk)
        cameraTrust.noteWatched(
            normalizedInnovationSquared(model.update, camera: model.own), turn: -model.update.innovation.rows[5][0],
            standardDeviation: (2 * noise * noise + walk * walk * span).squareRoot(), gyroDrift: gyroDrift, over: span,
            at: pose.time)
        placeCamera(at: pose)
        return .refused
    }

    /// Standard deviation of the gyroscope's yaw rate, due to the gyroscope's bias and, in a turn, its scale factor.
    /// Unit: rad/s.
    private var gyroDrift: Double {
        let rate = (state.rotationENUFromBody * state.rate(inertial.rate)).z
        let scale = gyroScaleVariances
        let worst = max(scale.x, max(scale.y, scale.z))
        return (yawDrift * yawDrift + worst * rate * rate).squareRoot()
    }

    /// Position `delay` seconds before the time of the state, assuming a constant acceleration since then. Frame: ENU.
    /// Unit: metres.
    @inline(__always)
    private func position(before delay: Double) -> Vector3 {
        state.position - (state.velocity - acceleration * (delay / 2)) * delay
    }

    private mutating func addDrift(to pose: CameraPose, noiseScale: Double) {
        guard let origin = camera?.origin else { return }
        camera?.addDrift(
            to: pose, distance: (state.position - origin).norm, settings.camera, noiseScale: noiseScale)
    }

    /// Measurement model of a pose that has the position c in the camera's own frame and the rotation C: `0 = o +
    /// e^−λ·Rz(φ)·(c − c₀) − (p − v·τ)`, and `0 = log(Rz(φ)·C·exp(−m)·exp(ω·τ)·Rᵀ)`.
    ///
    /// Equations: docs/filter.md (102), (103).
    @inline(__always)
    package func cameraModel(_ pose: CameraPose) -> (update: Update<6>, own: CameraJacobian<6>)? {
        guard let frame = camera else { return nil }
        let rate = state.rate(inertial.rate)
        let rotation = state.rotationENUFromBody
        let place = position(before: frame.delay)
        let gap = (frame.place(of: pose) - place).column
        let displacement = (place - frame.origin).column
        let turn = (frame.rotation(at: pose, rate: rate) * rotation.inverse).log.column
        var h = Jacobian<6>()
        var own = CameraJacobian<6>()
        let matrix = rotation.matrix
        let turned = (rotation * rate).column
        let velocity = (state.velocity - acceleration * frame.delay).column
        for i in 0..<3 {
            h.rows[i][ErrorState.position + i] = 1
            h.rows[i][ErrorState.velocity + i] = -frame.delay
            own.rows[i][CameraError.origin + i] = -1
            own.rows[i][CameraError.logScale] = displacement.rows[i][0]
            own.rows[i][CameraError.delay] = -velocity.rows[i][0]
            h.rows[3 + i][ErrorState.attitude + i] = 1
            for k in 0..<3 { own.rows[3 + i][CameraError.mount + k] = matrix.rows[i][k] }
            own.rows[3 + i][CameraError.delay] = -turned.rows[i][0]
        }
        own.rows[0][CameraError.yaw] = displacement.rows[1][0]
        own.rows[1][CameraError.yaw] = -displacement.rows[0][0]
        own.rows[5][CameraError.yaw] = -1
        let scale = cameraTrust.scale
        let (position, attitude) = (
            settings.camera.positionNoise * scale, settings.camera.attitudeNoise * scale
        )
        var noise = Matrix<6, 6>()
        var r = Matrix<6, 1>()
        for i in 0..<3 {
            noise.rows[i][i] = position * position
            noise.rows[3 + i][3 + i] = attitude * attitude
            r.rows[i][0] = gap.rows[i][0]
            r.rows[3 + i][0] = turn.rows[i][0]
        }
        let update = Update(
            innovation: r, jacobian: h, noise: noise, mask: .all,
            gate: InnovationGate(limit: CameraTrust.gate, rule: .reject), cause: .camera)
        return (update, own)
    }
}
