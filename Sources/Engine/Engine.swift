import Estimation
import Geodesy
import Geometry
import Measurements
import Scene

/// The whole of Waymark without the world: measurements in, poses, corrections and progress out.
///
/// Pure: it knows no clock, file or socket. The same measurements in the same order give the same poses to the last bit,
/// on any thread; a route has no influence on them.
public struct Engine: ~Copyable {
    /// The newest; nil before the first inertial step.
    public private(set) var pose: PoseEstimate?
    /// The newest correction of the scene frame; nil before the first.
    public private(set) var frame: FrameEstimate?
    /// On the present route; nil without one.
    public private(set) var progress: RouteProgress?

    private var odometry: Odometry

    public init(odometry: consuming Odometry = Odometry()) {
        self.odometry = odometry
    }

    /// What became of the measurements so far.
    public var counters: MeasurementCounters { odometry.counters }

    /// What became of the warm start; nil without one, and before the first inertial step.
    public var warmStartReport: WarmStartReport? { odometry.warmStartReport }

    /// Begins with what an earlier run has learned, as `Odometry.prepare` says.
    public mutating func prepare(_ start: WarmStart) { odometry.prepare(start) }

    /// What the next start could begin with; nil while too little is known.
    public func learned() -> WarmStart? { odometry.learned() }

    /// What keeps the first pose from coming: the inertial sensors, or the one of them that has said nothing yet.
    public var missingBeforePose: LimitingReasons { odometry.missingBeforePose }

    /// What the monitor of the axes read last; nil until the body has moved under satellites.
    public var headingMonitor: HeadingReading? { odometry.headingMonitor }

    /// Takes the next measurement in order of arrival.
    ///
    /// - Parameter emit: called for each event, in order, before the call returns.
    public mutating func feed(_ measurement: Measurement, _ emit: (EngineEvent) -> Void) {
        var newest = pose
        var correction = frame
        odometry.feed(measurement) { events in
            if let event = events.frame {
                correction = event
                emit(.frame(event))
            }
            if let event = events.pose {
                newest = event
                emit(.pose(event))
            }
        }
        pose = newest
        frame = correction
        if case .fix = measurement { updateProgress(emit) }
    }

    /// Replaces the route as a whole, progress and all; nil takes it away.
    ///
    /// Throws, and keeps the present route, for a route without two different vertices.
    public mutating func follow(_ route: Route?) throws(RouteWithoutLength) {
        guard let route else {
            progress = nil
            return
        }
        guard var begun = RouteProgress(route: route) else { throw RouteWithoutLength(id: route.id) }
        if let pose, let position = pose.geodetic {
            begun.update(position: position, horizontalAccuracy: pose.accuracy.horizontal)
        }
        progress = begun
    }

    /// What lies around the wearer, the nearest first; nil until a position is known.
    ///
    /// - Parameters:
    ///   - places: candidates, in any order.
    ///   - radius: in a straight line, metres.
    public func ahead(places: some Sequence<Place>, radius: Double, limit: Int) -> [AheadItem]? {
        guard let pose, let position = pose.geodetic else { return nil }
        let heading = pose.headingReference == .trueNorth ? pose.heading : nil
        return Ahead(position: position, heading: heading)
            .items(progress: progress, places: places, radius: radius, limit: limit)
    }

    private mutating func updateProgress(_ emit: (EngineEvent) -> Void) {
        guard let pose, let position = pose.geodetic, let before = progress?.state else { return }
        progress?.update(position: position, horizontalAccuracy: pose.accuracy.horizontal)
        if let after = progress?.state, after != before { emit(.route(after)) }
    }
}

/// What one measurement brought about.
public enum EngineEvent: Sendable {
    /// One for each inertial step; their stamps always grow.
    case pose(PoseEstimate)
    /// A correction gave the scene frame a new target.
    case frame(FrameEstimate)
    /// The wearer left the route, came back to it or arrived.
    case route(RouteProgress.State)
}

/// A route on which nobody can walk.
public struct RouteWithoutLength: Error, Hashable, Sendable, CustomStringConvertible {
    public let id: String

    public init(id: String) { self.id = id }

    public var description: String { "route \(id) leads nowhere: give it at least two different vertices" }
}
