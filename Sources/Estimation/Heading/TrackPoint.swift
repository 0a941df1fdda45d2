import Geometry
import Measurements

/// A fix, and where the track that the steps alone make was at its epoch.
package struct TrackPoint: Hashable, Sendable {
    /// Epoch of the fix.
    package var time: BootTime
    /// Frame: level, turned by no correction; metres counter-clockwise from its x axis.
    package var walked: Vector2
    /// Frame: ENU. Unit: metres.
    package var fix: Vector2
    /// Standard deviation of the fix, per axis. Unit: metres.
    package var deviation: Double
    /// Standard deviation of the direction that all steps have in common. Unit: radians.
    package var direction: Double
    /// The filter's turn from the level frame to ENU, counter-clockwise. Unit: radians.
    package var yaw: Double
    /// Standard deviation of the rate at which the level frame turns by itself. Unit: rad/s.
    package var drift: Double
    /// Number of the level frame; tracks of two frames have nothing in common.
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
    /// A fix that was applied, beside the track of the steps; nil where the steps are not the wearer's whole way.
    @inline(__always)
    package func trackPoint(_ fix: LocalFix) -> TrackPoint? {
        guard heading.isKnown, !modes.isRiding, gnss.lastAiding == fix.time else { return nil }
        let place = fix.position - state.rotationENUFromBody * fix.antennaInBody
        let track = gait.walked
        return TrackPoint(
            time: fix.time, walked: Vector2(track.position.x, -track.position.z), fix: Vector2(place),
            deviation: max(fix.positionDeviation.x, fix.positionDeviation.y) * gnss.positionScale.value,
            direction: track.lineDeviation, yaw: heading.motion.yaw, drift: levelDrift, frame: track.number)
    }
}
