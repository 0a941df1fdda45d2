import Geodesy
import Geometry
import Model

/// What is known about the scene frame beside the filter that carries it: estimates, the best of them, the look at the axes,
/// the history of corrections and the readiness.
///
/// It watches and corrects nothing: with or without it the poses are the same.
public struct FrameObserver: Sendable {
    private let settings: SceneSettings.Frame
    public private(set) var track = SceneTrack()
    public private(set) var estimates: EstimateBuffer
    public private(set) var best: BestEstimate
    public private(set) var axes: AxisCorrection
    public private(set) var history = FrameHistory()
    /// What the pairs of fixes and of the way by the steps alone would add to the filter's yaw; nil until enough has been
    /// walked.
    public private(set) var axisReading: AxisReading?
    private var walked: WalkedTrack?
    private var monitor: ReadinessMonitor

    public init(settings: SceneSettings.Frame) {
        self.settings = settings
        estimates = EstimateBuffer(capacity: settings.estimateCount)
        best = BestEstimate(settings: settings)
        axes = AxisCorrection(settings: settings)
        monitor = ReadinessMonitor(settings: settings)
    }

    public var readiness: FrameReadiness { monitor.readiness }

    /// Takes the newest pose.
    ///
    /// - Parameters:
    ///   - walked: the way by the steps alone.
    ///   - remaining: what the published alignment has still to go at the wearer, radians and metres over
    ///     ground.
    /// - Returns: whether the readiness is another.
    public mutating func add(
        _ pose: PoseEstimate, walked: WalkedTrack?, remaining: (turn: Double, shift: Double)
    ) -> Bool {
        if pose.generation != track.generation { forget() }
        if walked?.number != self.walked?.number { forgetAxes() }
        self.walked = walked
        track.add(pose, walked: walked?.position)
        if best.isDue(at: pose.time) { best.choose(from: estimates, here: pose.geodetic, at: pose.time) }
        return monitor.update(pose, remaining: remaining.turn, remaining.shift)
    }

    /// Takes a fix, late or not: it is paired with where the wearer was at its epoch.
    ///
    /// - Parameter here: where the wearer is thought to be now.
    public mutating func add(_ fix: GNSSFix, here: GeodeticPosition?) {
        guard let estimate = PositionFixEstimate(fix, on: track) else { return }
        estimates.add(estimate)
        best.choose(from: estimates, here: here, at: track.newest?.time ?? fix.arrival)
        guard let way = track.moment(at: fix.epoch)?.walked else { return }
        var pair = estimate
        pair.positionInScene = way
        axes.add(pair)
        lookAtAxes(at: fix.arrival)
    }

    /// Takes the passing of time, so that the axes are looked at without fixes too.
    public mutating func tick(_ time: BootTime) { lookAtAxes(at: time) }

    private mutating func lookAtAxes(at time: BootTime) {
        guard axes.due(at: time) else { return }
        axisReading = nil
        guard let walked, var reading = axes.look(at: time, systematic: walked.deviation), let yaw = walked.yaw else {
            return
        }
        reading.angle = Angle.wrapped(reading.angle - yaw)
        axisReading = reading
    }

    private mutating func forget() {
        best.forget()
        estimates.removeAll()
        forgetAxes()
    }

    private mutating func forgetAxes() {
        axes.forget()
        axisReading = nil
    }

    /// Takes a correction of the frame.
    ///
    /// - Parameter monitor: what the monitor of the heading read last.
    /// - Returns: one that is large, as it begins.
    public mutating func add(
        _ frame: FrameEstimate, at time: BootTime, monitor: HeadingReading?
    ) -> FrameCorrection? {
        let wearer = track.newest?.position ?? .zero
        return history.add(frame, at: time, wearer: wearer, monitor: monitor) ? history.newest : nil
    }

    /// Where the wearer is by the best estimate; nil while there is none.
    ///
    /// - Parameters:
    ///   - map: by the published alignment.
    ///   - yawDeviation: of the scene's axes, radians; nil is not known.
    public func currentPosition(map: SceneMap, yawDeviation: Double?) -> CurrentPosition? {
        guard let estimate = best.estimate, let now = track.newest else { return nil }
        return CurrentPosition(
            estimate, at: now, generation: track.generation, map: map, yawDeviation: yawDeviation, settings: settings)
    }
}
