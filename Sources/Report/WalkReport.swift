import Geodesy
import Geometry
import Model
import Scene

/// What a report of one recording tells: both tracks, every correction, and how well all was known.
public struct WalkReport: Sendable {
    /// Such as the name of the recording.
    public var title: String
    /// What is said of the whole, such as its length, in the order of the page.
    public var facts: [Fact] = []
    /// What was wrong with the recording.
    public var warnings: [String] = []
    /// The first instant; nil where nothing was recorded.
    public internal(set) var start: BootTime?
    /// The last instant.
    public internal(set) var end: BootTime?
    public internal(set) var fixes = ThinnedSeries<Fix>(limit: Limit.fixes)
    public internal(set) var moments = ThinnedSeries<Moment>(limit: Limit.moments)
    public internal(set) var corrections: [Correction] = []
    /// Smaller ones that came beyond the limit.
    public internal(set) var correctionsLeftOut = 0
    public internal(set) var states: [Span] = []
    public internal(set) var reasons: [Span] = []

    public init(title: String) { self.title = title }

    /// How much is kept, so that a page of a whole day still opens.
    enum Limit {
        static let fixes = 2000
        static let moments = 4000
        static let corrections = 4000
        static let spans = 2000
    }

    /// Name and value of something that holds for the whole.
    public struct Fact: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What the receiver said.
    public struct Fix: Hashable, Sendable {
        public var time: BootTime
        public var position: GeodeticPosition
        /// Radius of 68 %. Unit: metres; nil is not known.
        public var accuracy: Double?
    }

    /// The wearer at one instant: on both tracks, turned how, how well known. Degrees and metres; nil is not known.
    public struct Moment: Hashable, Sendable {
        public var time: BootTime
        /// As the filter has it.
        public var estimated: GeodeticPosition?
        /// The position in the scene, laid out on the earth by the published alignment.
        public var scene: GeodeticPosition?
        public var heading: Double?
        public var horizontalAccuracy: Double?
        public var verticalAccuracy: Double?
        public var yawAccuracy: Double?
        /// What the monitor of the axes would add to the yaw, and its deviation.
        public var monitor: Double?
        public var monitorDeviation: Double?
        /// The same by the changes of velocity and by the way alone.
        public var byVelocities: Double?
        public var byVelocitiesDeviation: Double?
        public var byPositions: Double?
        public var byPositionsDeviation: Double?
        /// What the pairs of estimates would turn the axes by, and its deviation.
        public var axes: Double?
        public var axesDeviation: Double?
    }

    /// One correction of the scene frame, and its place in the report.
    public struct Correction: Hashable, Sendable {
        /// From 1, counting those left out.
        public var number: Int
        public var frame: FrameCorrection

        /// By how much a place 30 m away moves at the most. Unit: metres.
        var size: Double { frame.shift + 30 * frame.turn.magnitude }

        /// Where the wearer was by the alignment before; nil while no position was known.
        public var position: GeodeticPosition? {
            let map = frame.origin.map { SceneMap(plane: LocalTangentPlane(origin: $0), alignment: frame.before) }
            return map?.position(ofScene: frame.wearer)
        }
    }

    /// A word that held for a while.
    public struct Span: Hashable, Sendable {
        public var word: String
        public var from: BootTime
        public var to: BootTime
    }

    /// Since the start. Unit: seconds.
    func seconds(_ time: BootTime) -> Double { start.map { time.seconds(since: $0) } ?? 0 }

    /// Unit: seconds.
    var duration: Double { end.map(seconds) ?? 0 }
}
