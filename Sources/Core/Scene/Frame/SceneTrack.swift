import Geometry
import Model

/// Trajectory of the wearer in the scene during the last seconds, for measurements that arrive late.
public struct SceneTrack: Sendable {
    /// Pose and walked distance at one instant of the track.
    public struct Moment: Hashable, Sendable {
        package var time: BootTime
        /// Position of the wearer. Frame: scene. Unit: metres.
        public var position: Vector3
        package var rotationSceneFromBody: Rotation3
        /// Distance walked since the frame was set. Unit: metres.
        public var distance: Double
        /// Position from pedestrian dead reckoning, in its own gravity-aligned frame; nil if there is none. Unit:
        /// metres.
        public var walked: Vector3?

        package init(
            time: BootTime, position: Vector3, rotationSceneFromBody: Rotation3, distance: Double,
            walked: Vector3? = nil
        ) {
            self.time = time
            self.position = position
            self.rotationSceneFromBody = rotationSceneFromBody
            self.distance = distance
            self.walked = walked
        }

        init(_ pose: PoseEstimate, distance: Double, walked: Vector3?) {
            self.init(
                time: pose.time, position: pose.positionInScene, rotationSceneFromBody: pose.rotationSceneFromBody,
                distance: distance, walked: walked)
        }
    }

    /// Generation of the scene frame to which all moments belong.
    public private(set) var generation: UInt32 = 0
    /// Newest moment; nil before the first pose.
    public private(set) var newest: Moment?
    private var moments = Ring<Moment>(capacity: Self.capacity)

    package init() {}

    /// Interval between stored moments. For a walker, linear interpolation over it is accurate to 2 mm. Unit: seconds.
    private static let interval = 0.04
    /// Number of stored moments. They cover 5 s; the filter does not accept fixes that are so late.
    private static let capacity = 128
    /// Time by which a fix's epoch may be later than the newest pose, which is then used for it. Unit: seconds.
    private static let maximumAhead = 0.1

    /// Adds the newest pose, with the position from pedestrian dead reckoning.
    public mutating func add(_ pose: PoseEstimate, walked: Vector3? = nil) {
        if pose.generation != generation || moments.isEmpty { begin(pose, walked) }
        guard let last = moments.last, let newest, pose.time > newest.time else { return }
        let move = pose.positionInScene - last.position
        let moment = Moment(pose, distance: last.distance + SceneAxes.horizontalNorm(move), walked: walked)
        self.newest = moment
        if pose.time.seconds(since: last.time) >= Self.interval { moments.append(moment) }
    }

    private mutating func begin(_ pose: PoseEstimate, _ walked: Vector3?) {
        generation = pose.generation
        moments.removeAll()
        let moment = Moment(pose, distance: 0, walked: walked)
        newest = moment
        moments.append(moment)
    }

    /// Returns the interpolated moment at a time; nil outside the track.
    public func moment(at time: BootTime) -> Moment? {
        guard let newest, let first = moments.first, time >= first.time else { return nil }
        guard time < newest.time else {
            return time.seconds(since: newest.time) <= Self.maximumAhead ? newest : nil
        }
        let next = moments.partition { $0.time <= time }
        let before = moments[next - 1]
        return Self.between(before, next < moments.count ? moments[next] : newest, at: time)
    }

    private static func between(_ a: Moment, _ b: Moment, at time: BootTime) -> Moment {
        let span = b.time.seconds(since: a.time)
        let share = span > 0 ? time.seconds(since: a.time) / span : 0
        let turn = (a.rotationSceneFromBody.inverse * b.rotationSceneFromBody).log
        return Moment(
            time: time, position: a.position + (b.position - a.position) * share,
            rotationSceneFromBody: a.rotationSceneFromBody * Rotation3.exp(turn * share),
            distance: a.distance + (b.distance - a.distance) * share, walked: share < 0.5 ? a.walked : b.walked)
    }
}
