import Estimation
import Geodesy
import Geometry
import Measurements
import Scene

/// Data of a report on one recording: both tracks, all corrections and the estimated accuracy.
public struct WalkReport: Sendable {
    /// Title, such as the name of the recording.
    public var title: String
    /// Facts about the whole recording, such as its length, in the order of the page.
    public var facts: [Fact] = []
    /// Problems of the recording.
    public var warnings: [String] = []
    /// Time of the first measurement; nil for an empty recording.
    public internal(set) var start: BootTime?
    /// Time of the last measurement.
    public internal(set) var end: BootTime?
    /// Fixes of the receiver, decimated.
    public internal(set) var fixes = ThinnedSeries<Fix>(limit: Limit.fixes)
    /// Estimates at the poses, decimated.
    public internal(set) var moments = ThinnedSeries<Moment>(limit: Limit.moments)
    /// Corrections of the scene frame, the largest ones if there are too many.
    public internal(set) var corrections: [Correction] = []
    /// Number of smaller corrections that exceeded the limit.
    public internal(set) var correctionsLeftOut = 0
    /// Periods of the localization states.
    public internal(set) var states: [Span] = []
    /// Periods of the reasons for degraded poses.
    public internal(set) var reasons: [Span] = []

    /// Creates an empty report.
    public init(title: String) { self.title = title }

    /// Limits of the kept data, so that a browser can open the page of a whole day.
    enum Limit {
        static let fixes = 2000
        static let moments = 4000
        static let corrections = 4000
        static let spans = 2000
    }

    /// Name and value of a fact about the whole recording.
    public struct Fact: Hashable, Sendable {
        /// Name, such as "Length".
        public var name: String
        /// Value as text.
        public var value: String

        /// Combines name and value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Position fix of the receiver.
    public struct Fix: Hashable, Sendable {
        /// Epoch of the fix.
        public var time: BootTime
        /// Position that the receiver reported.
        public var position: GeodeticPosition
        /// Radius of 68 %. Unit: metres; nil if it is not known.
        public var accuracy: Double?
    }

    /// Estimates at one instant. Units: metres, degrees; nil if not known.
    public struct Moment: Hashable, Sendable {
        /// Time of the pose.
        public var time: BootTime
        /// Position estimated by the filter.
        public var estimated: GeodeticPosition?
        /// Position in the scene, mapped to the earth by the published alignment.
        public var scene: GeodeticPosition?
        /// Heading of the line of sight, clockwise from north.
        public var heading: Double?
        /// Accuracy of the position, radius of 68 %.
        public var horizontalAccuracy: Double?
        /// Accuracy of the height, 68 %.
        public var verticalAccuracy: Double?
        /// Accuracy of the yaw, 68 %.
        public var yawAccuracy: Double?
        /// Yaw correction by the heading monitor, counter-clockwise.
        public var monitor: Double?
        /// Standard deviation of the monitor's correction.
        public var monitorStandardDeviation: Double?
        /// Yaw correction by changes of velocity alone.
        public var byVelocities: Double?
        /// Standard deviation of the correction by velocities.
        public var byVelocitiesStandardDeviation: Double?
        /// Yaw correction by the displacement between fixes alone.
        public var byPositions: Double?
        /// Standard deviation of the correction by positions.
        public var byPositionsStandardDeviation: Double?
        /// Rotation of the scene's axes by the pairs of estimates, counter-clockwise.
        public var axes: Double?
        /// Standard deviation of the rotation of the axes.
        public var axesStandardDeviation: Double?
    }

    /// A correction of the scene frame with its number in the report.
    public struct Correction: Hashable, Sendable {
        /// Number counted from 1, including corrections left out.
        public var number: Int
        /// The correction.
        public var frame: FrameCorrection

        /// Largest displacement of a point 30 m away. Unit: metres.
        var size: Double { frame.shift + 30 * frame.turn.magnitude }

        /// Wearer's position by the alignment before the correction; nil if no position was known.
        public var position: GeodeticPosition? {
            let map = frame.origin.map { SceneMap(plane: LocalTangentPlane(origin: $0), alignment: frame.before) }
            return map?.position(ofScene: frame.wearer)
        }
    }

    /// Period in which a word, a state or a reason, held.
    public struct Span: Hashable, Sendable {
        /// The state or reason.
        public var word: String
        /// Time of the first pose with it.
        public var from: BootTime
        /// Time of the last pose with it.
        public var to: BootTime
    }

    /// Time since the start. Unit: seconds.
    func seconds(_ time: BootTime) -> Double { start.map { time.seconds(since: $0) } ?? 0 }

    /// Duration of the recording. Unit: seconds.
    var duration: Double { end.map(seconds) ?? 0 }
}
