import Geometry

/// Computes the beacon's sound from pose, target and time.
///
/// The same poses, targets and times give the same frames.
package struct BeaconSound: Sendable {
    /// Factor of all amplitudes, 0 to 1.
    package var volume: Double
    package var isPaused = false

    private var rule = SilenceRule()
    private var gaze = Gaze()
    private var frame = BeaconFrame()
    private var lastPulse: Int64?
    /// Pulse being played. It is kept until the next pulse begins, so that the level does not change within a pulse.
    private var present = BeaconFrame.Pulse.searching

    /// - Parameter volume: factor of all amplitudes, 0 to 1.
    package init(volume: Double) { self.volume = volume }

    /// Advances to a time.
    ///
    /// - Parameters:
    ///   - time: current time, not before the time of the last call. CLOCK_BOOTTIME. Unit: nanoseconds.
    ///   - pose: pose predicted to the time when it will be heard; nil without a daemon.
    ///   - target: target; nil if the scene has none.
    ///   - ended: the caller's reason for silence, such as the end of the route.
    package mutating func advance(
        to time: Int64, pose: BeaconPose?, target: BeaconTarget?, ended: Silence? = nil
    ) -> BeaconFrame {
        let reason = rule.reason(pose, target, at: time)
        frame.silence = isPaused ? .paused : reason == .noDaemon || reason == .stalePose ? reason : ended ?? reason
        frame.pulse = nil
        guard frame.silence == nil, let pose, let target else {
            // The current sound ends within one period of the mixer, which fades it out.
            frame.gain = 0
            return frame
        }
        turn(pose, target)
        let distance = (target.position - pose.position).norm
        frame.pulse = pulse(at: time, distance: distance)
        present = frame.pulse ?? present
        frame.gain = volume * DistanceCue.level(at: distance) * (present == .ahead ? Gaze.level : 1)
        return frame
    }

    private mutating func turn(_ pose: BeaconPose, _ target: BeaconTarget) {
        let displacement = target.position - pose.position
        frame.rotationSceneFromBody = pose.rotationSceneFromBody
        // Exactly at the target, any direction is equally good.
        frame.direction = displacement.normalized ?? frame.direction
        frame.spread = AngularSpread.angle(ofDeviation: AngularSpread.deviation(pose, target) ?? 0)
        gaze.update(pose.rotationSceneFromBody, frame.direction)
    }

    private mutating func pulse(at time: Int64, distance: Double) -> BeaconFrame.Pulse? {
        let interval = Int64(DistanceCue.interval(at: distance) * 1e9)
        if let lastPulse, time - lastPulse < interval { return nil }
        lastPulse = time
        return gaze.isAhead ? .ahead : .searching
    }
}
