import Geometry
import Model

/// Where the wearer was in the scene during the last seconds, for measurements that come late.
public struct SceneTrack: Sendable {
    /// One instant of the track.
    public struct Moment: Hashable, Sendable {
        public var time: BootTime
        /// Frame: scene. Unit: metres.
        public var position: Vector3
        public var rotationSceneFromBody: Rotation3
        /// Gone over ground since the frame was set. Unit: metres.
        public var way: Double
        /// By the steps alone, in their own level frame; nil where there is none. Unit: metres.
        public var walked: Vector3?

        public init(
            time: BootTime, position: Vector3, rotationSceneFromBody: Rotation3, way: Double, walked: Vector3? = nil
        ) {
            self.time = time
            self.position = position
            self.rotationSceneFromBody = rotationSceneFromBody
            self.way = way
            self.walked = walked
        }
    }

    public private(set) var generation: UInt32 = 0
    /// Nil before the first pose.
    public private(set) var newest: Moment?
    private var moments = Ring<Moment>(capacity: Self.capacity)

    public init() {}

    /// Between two moments that are kept: a straight line over it is off by less than 2 mm in walking. Unit: seconds.
    private static let interval = 0.04
    /// Over 5 s: longer than the filter takes late fixes.
    private static let capacity = 128
    /// A fix whose epoch lies this little ahead of the newest pose is taken as of now. Unit: seconds.
    private static let farthestAhead = 0.1

    /// Takes the newest pose, and how far the steps alone have led by then.
    public mutating func add(_ pose: PoseEstimate, walked: Vector3? = nil) {
        if pose.generation != generation || moments.isEmpty { begin(pose, walked) }
        guard let last = moments.last, let newest, pose.time > newest.time else { return }
        let move = pose.positionInScene - last.position
        let ground = (move.x * move.x + move.z * move.z).squareRoot()
        let moment = Moment(
            time: pose.time, position: pose.positionInScene, rotationSceneFromBody: pose.rotationSceneFromBody,
            way: last.way + ground, walked: walked)
        self.newest = moment
        if pose.time.seconds(since: last.time) >= Self.interval { moments.append(moment) }
    }

    private mutating func begin(_ pose: PoseEstimate, _ walked: Vector3?) {
        generation = pose.generation
        moments.removeAll()
        let moment = Moment(
            time: pose.time, position: pose.positionInScene, rotationSceneFromBody: pose.rotationSceneFromBody, way: 0,
            walked: walked)
        newest = moment
        moments.append(moment)
    }

    /// Nil for a time of which the track knows nothing.
    public func moment(at time: BootTime) -> Moment? {
        guard let newest, let first = moments.first, time >= first.time else { return nil }
        guard time < newest.time else {
            return time.seconds(since: newest.time) <= Self.farthestAhead ? newest : nil
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
            way: a.way + (b.way - a.way) * share, walked: share < 0.5 ? a.walked : b.walked)
    }
}
