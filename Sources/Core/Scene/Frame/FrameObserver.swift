import Geometry
import Model

/// State of the scene frame that is kept in addition to the filter: position estimates and the best of them, the yaw
/// error of the axes, the history of corrections and the readiness. It does not affect poses.
public struct FrameObserver: Sendable {
    private let settings: SceneSettings.Frame
    /// Trajectory of the last seconds, with which late fixes are paired.
    public private(set) var track = SceneTrack()
    /// Newest position estimates of the scene frame.
    public private(set) var estimates: EstimateBuffer
    /// Estimate from which the current position is propagated.
    public private(set) var best: BestEstimate
    /// Yaw error of the walked track, compared with GNSS.
    public private(set) var axes: AxisCorrection
    /// Corrections of the last ten minutes.
    public private(set) var history = FrameHistory()
    /// Yaw correction of the last evaluation of `axes`.
    private var axisReading: AxisReading?
    private var walked: WalkedTrack?
    private var monitor: ReadinessMonitor

    package init(settings: SceneSettings.Frame) {
        self.settings = settings
        estimates = EstimateBuffer(capacity: settings.estimateCount)
        best = BestEstimate(settings: settings)
        axes = AxisCorrection(settings: settings)
        monitor = ReadinessMonitor(settings: settings)
    }

    /// Whether the frame is ready for placements, and reasons why it is not.
    public var readiness: FrameReadiness { monitor.readiness }

    /// Processes the newest pose.
    ///
    /// - Parameters:
    ///   - walked: pedestrian-dead-reckoning track; nil if there is none.
    ///   - remaining: correction of the published alignment that remains: rotation in radians, horizontal displacement
    ///     at the wearer in metres.
    /// - Returns: whether the readiness changed.
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

    /// Pairs a fix, which may be late, with the wearer's position at the fix's epoch.
    ///
    /// - Parameter here: assumed current position of the wearer.
    public mutating func add(_ fix: GNSSFix, here: GeodeticPosition?) {
        guard let estimate = PositionFixEstimate(fix, on: track) else { return }
        estimates.add(estimate)
        best.choose(from: estimates, here: here, at: track.newest?.time ?? fix.arrival)
        guard let walked = track.moment(at: fix.epoch)?.walked else { return }
        var pair = estimate
        pair.positionInScene = walked
        axes.add(pair)
    }

    /// Returns the yaw correction for the filter, from comparing pairs of fixes with the pedestrian-dead-reckoning
    /// track; nil until the wearer has walked far enough.
    ///
    /// It is evaluated only when a client or a report asks for it, because it compares every fix with every other one.
    public mutating func axisCorrection(at time: BootTime) -> AxisReading? {
        guard axes.isDue(at: time) else { return axisReading }
        axisReading = nil
        guard let walked, var reading = axes.evaluate(at: time, systematic: walked.standardDeviation),
            let yaw = walked.yaw
        else {
            return nil
        }
        reading.angle = Angle.wrapped(reading.angle - yaw)
        axisReading = reading
        return reading
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

    /// Adds a correction of the frame. Arguments and result are those of `FrameHistory.add`.
    public mutating func add(
        _ frame: FrameEstimate, at time: BootTime, monitor: HeadingReading?, plan: PlanUse? = nil
    ) -> FrameCorrection? {
        history.add(frame, at: time, wearer: track.newest?.position ?? .zero, monitor: monitor, plan: plan)
    }

    /// Returns the position of the wearer from the best estimate; nil if there is no estimate. The arguments are those
    /// of `CurrentPosition`.
    public func currentPosition(map: SceneMap, yawStandardDeviation: Double?) -> CurrentPosition? {
        guard let estimate = best.estimate, let now = track.newest else { return nil }
        return CurrentPosition(
            estimate, at: now, generation: track.generation, map: map, yawStandardDeviation: yawStandardDeviation,
            settings: settings)
    }
}
