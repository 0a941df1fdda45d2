import Geometry
import Measurements

/// Position of a fix, with the position of the track of the steps at its epoch.
package struct TrackPoint: Hashable, Sendable {
    /// Epoch of the fix.
    package var time: BootTime
    /// Position by the track of the steps. Frame: gyro frame. Unit: metres.
    package var walked: Vector2
    /// Position by the fix, reduced to the inertial sensor. Frame: ENU. Unit: metres.
    package var fix: Vector2
    /// Standard deviation of the fix, per axis. Unit: metres.
    package var deviation: Double
    /// Standard deviation of the walking direction, common to all steps. Unit: radians.
    package var direction: Double
    /// Rotation to ENU from the gyro frame by the filter, counter-clockwise. Unit: radians.
    package var yaw: Double
    /// Standard deviation of the drift of the gyro frame. Unit: rad/s.
    package var drift: Double
    /// Number of the track; points of different tracks cannot be compared.
    package var frame: UInt32

    package init(
        time: BootTime, walked: Vector2, fix: Vector2, deviation: Double, direction: Double, yaw: Double, drift: Double,
        frame: UInt32
    ) {
        self.time = time
        self.walked = walked
        self.fix = fix
        self.deviation = deviation
        self.direction = direction
        self.yaw = yaw
        self.drift = drift
        self.frame = frame
    }
}

extension ErrorStateKalmanFilter {
    /// Point of a fix that was applied; nil where steps are not the whole motion.
    @inline(__always)
    package func trackPoint(_ fix: LocalFix) -> TrackPoint? {
        guard heading.isKnown, !modes.isRiding, gnss.lastAiding == fix.time else { return nil }
        let place = fix.position - state.rotationENUFromBody * fix.antennaInBody
        let track = gait.walked
        return TrackPoint(
            time: fix.time, walked: Vector2(track.position.x, -track.position.z), fix: Vector2(place),
            deviation: max(fix.positionDeviation.x, fix.positionDeviation.y) * gnss.positionScale.value,
            direction: track.lineDeviation, yaw: heading.motion.yaw, drift: yawDrift, frame: track.number)
    }
}
