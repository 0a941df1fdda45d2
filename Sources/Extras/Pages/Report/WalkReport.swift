import Geometry
import Messages
import Model
import Scene
import WaymarkInterface

/// Data of a report on one recording: published values, the replay beside them, and their inputs.
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
    /// UTC at the start, since 1970, from the first fix with UTC; nil if there is none. Unit: seconds.
    public internal(set) var startUTC: Double?
    /// Published poses; empty for a recording without any.
    public internal(set) var published = PoseCurves()
    /// Poses of the replay.
    public internal(set) var replayed = PoseCurves()
    /// Program that made the recording; nil if it is unknown.
    public internal(set) var origin: String?
    /// Differences between published and replayed poses.
    public internal(set) var agreement = PoseAgreement()
    /// Number of published frames.
    public internal(set) var publishedFrames = 0
    /// Position in the scene, mapped to the earth by the published alignment of the replay.
    public internal(set) var sceneTrack = TrackSeries()
    /// Fixes of the receiver; evenly thinned out if there are many.
    public internal(set) var fixes = ThinnedSeries<Fix>(limit: Limit.fixes)
    /// Accuracy of the fixes as reported by the receiver. Unit: metres.
    public internal(set) var fixAccuracy = PeakSeries(maximumStep: 30)
    /// Differences between fixes and estimates.
    public internal(set) var innovations = FixInnovations()
    /// Yaw corrections according to several comparisons.
    public internal(set) var yawChecks = YawChecks()
    /// Calibrated magnetic field.
    public internal(set) var magnetic = MagneticCurves()
    /// Rates and gaps of the sensors and of the receiver.
    public internal(set) var rates: [SensorRate] = ["gyroscope", "accelerometer", "magnetometer", "barometer", "fixes"]
        .map(SensorRate.init(name:))
    /// Rates of aid measurements of other programs.
    public internal(set) var offers: [SensorRate] = [
        "odometry", "positions", "sightings", "ranges", "headings", "heights",
    ].map(SensorRate.init(name:))
    /// Number of corrections of the scene frame in the replay.
    public internal(set) var replayedCorrections = 0
    /// Corrections of the scene frame as published, or the replay's corrections if none were published; only the
    /// largest ones if there are too many.
    public internal(set) var corrections: [Correction] = []
    /// Number of smaller corrections that were omitted because of the limit.
    public internal(set) var correctionsLeftOut = 0
    var planCollection = ReportPlan.Collection()
    /// Periods of the localization states.
    public internal(set) var states: [Span] = []
    /// Periods of the reasons for degraded poses.
    public internal(set) var reasons: [Span] = []

    /// Creates an empty report.
    public init(title: String) { self.title = title }

    /// Limits of the kept data, so that a browser can open the page of a whole day.
    enum Limit {
        static let fixes = 2000
        static let corrections = 4000
        static let spans = 2000
    }

    /// Levels of floor plans on which the wearer probably was.
    public var plans: [ReportPlan] { planCollection.plans }

    /// Poses that the charts show first: the published poses, or the replay's poses if none were published.
    public var shown: PoseCurves { published.count > 0 ? published : replayed }

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
        /// 68 % radius. Unit: metres; nil if it is unknown.
        public var accuracy: Double?
    }

    /// A correction of the scene frame with its number in the report.
    public struct Correction: Hashable, Sendable {
        /// Number counted from 1, including omitted corrections.
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

    /// Period during which a state or a reason applied.
    public struct Span: Hashable, Sendable {
        /// The state or reason.
        public var word: String
        /// Time of the first pose with the state or reason.
        public var from: BootTime
        /// Time of the last pose with the state or reason.
        public var to: BootTime
    }

    /// Time since the start. Unit: seconds.
    func seconds(_ time: BootTime) -> Double { start.map { time.seconds(since: $0) } ?? 0 }

    /// Duration of the recording. Unit: seconds.
    var duration: Double { end.map(seconds) ?? 0 }
}

/// Collection of the data while a recording is replayed, in order of arrival.
extension WalkReport {
    /// Extends the covered time; to be called for every measurement.
    public mutating func add(time: BootTime) {
        if start == nil { start = time }
        end = max(end ?? time, time)
    }

    /// Adds a fix of the receiver.
    public mutating func add(_ fix: GNSSFix) {
        let accuracy = PositionFixEstimate.accuracy(fix.positionSigma)
        fixes.append(Fix(time: fix.epoch, position: fix.position, accuracy: accuracy))
        fixAccuracy.add(seconds(fix.epoch), accuracy)
    }

    /// Adds state and reasons of a pose; to be called for every pose that the report shows.
    mutating func add(
        state: PoseInterface.LocalizationState, reasons: WordSet<PoseInterface.Reason>, at time: BootTime
    ) {
        Self.extend(&states, with: state.description, from: time, isAlone: true)
        for reason in reasons.known {
            Self.extend(&self.reasons, with: reason.description, from: time, isAlone: false)
        }
    }

    /// Adds a correction. A correction that continues the last one (equal time) replaces it.
    public mutating func add(_ correction: FrameCorrection) {
        if let last = corrections.last, last.frame.time == correction.time {
            corrections[corrections.count - 1].frame = correction
            return
        }
        let number = corrections.count + correctionsLeftOut + 1
        corrections.append(Correction(number: number, frame: correction))
        if corrections.count > Limit.corrections { leaveSmallestOut() }
    }

    /// Removes the smaller half of the corrections, so that this is rarely needed. The newest correction stays, since
    /// it may continue.
    private mutating func leaveSmallestOut() {
        let sizes = corrections.map(\.size).sorted()
        let least = sizes[sizes.count / 2]
        let newest = corrections.count - 1
        let kept = corrections.indices.filter { $0 == newest || corrections[$0].size > least }.map { corrections[$0] }
        correctionsLeftOut += corrections.count - kept.count
        corrections = kept
    }

    /// Extends the last span of a word, or begins a new one.
    ///
    /// - Parameter isAlone: whether only one word can apply at a time.
    private static func extend(_ spans: inout [Span], with word: String, from time: BootTime, isAlone: Bool) {
        let last = isAlone ? spans.indices.last : spans.lastIndex { $0.word == word }
        if let last, spans[last].word == word, isAlone || time.seconds(since: spans[last].to) <= maximumStep {
            spans[last].to = time
            return
        }
        if isAlone, let last { spans[last].to = time }
        guard spans.count < Limit.spans else { return }
        spans.append(Span(word: word, from: time, to: time))
    }

    /// Maximum interval between poses of one span; poses are recorded at 10 Hz or faster, and four times a second while
    /// a sensor is silent. Unit: seconds.
    private static let maximumStep = 0.5
}

/// Decimated series of unknown length: all elements of a short series, every second, fourth … of a long one.
///
/// The number of kept elements is between half of the limit and the limit. They are evenly spaced, and the page's size
/// does not depend on the recording's length.
public struct ThinnedSeries<Element> {
    /// The elements that were kept, in order.
    public private(set) var elements: [Element] = []
    /// Number of elements appended.
    public private(set) var count = 0
    /// Decimation factor: one of `stride` elements is kept.
    public private(set) var stride = 1
    private let limit: Int

    /// Creates an empty series that keeps at most `limit` elements, which is at least 2.
    public init(limit: Int) {
        precondition(limit >= 2, "a series of fewer than two has no course")
        self.limit = limit
    }

    /// Whether the next element is kept if appended; otherwise the caller need not create it.
    public var isDue: Bool { count % stride == 0 }

    /// Appends an element.
    ///
    /// - Parameter element: the element; nil if it was not due.
    public mutating func append(_ element: Element?) {
        defer { count += 1 }
        guard isDue, let element else { return }
        if elements.count == limit {
            elements = elements.indices.filter { $0 % 2 == 0 }.map { elements[$0] }
            stride *= 2
            guard isDue else { return }
        }
        elements.append(element)
    }
}

extension ThinnedSeries: Sendable where Element: Sendable {}
