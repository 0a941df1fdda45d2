import Geometry
import Messages
import Model
import Scene
import WaymarkInterface

/// Data of a report on one recording: the published values, the replay's values, and their inputs.
package struct WalkReport: Sendable {
    package var title: String
    /// Facts about the whole recording, such as its length, in the order of the page.
    package var facts: [Fact] = []
    package var warnings: [String] = []
    /// Time of the first measurement; nil for an empty recording.
    package internal(set) var start: BootTime?
    package internal(set) var end: BootTime?
    /// UTC at the start, taken from the first fix that has it; nil if there is none. Unit: seconds since 1970.
    package internal(set) var startUTC: Double?
    /// Published poses; empty if the recording has none.
    package internal(set) var published = PoseCurves()
    package internal(set) var replayed = PoseCurves()
    /// Program that made the recording; nil if it is unknown.
    package internal(set) var origin: String?
    package internal(set) var agreement = PoseAgreement()
    package internal(set) var publishedFrames = 0
    /// Position in the scene, converted to the earth by the alignment that the replay published.
    package internal(set) var sceneTrack = TrackSeries()
    /// Fixes of the receiver. If there are many, they are evenly thinned out.
    package internal(set) var fixes = ThinnedSeries<Fix>(limit: Limit.fixes)
    /// Accuracy that the receiver reported for its fixes. Unit: metres.
    package internal(set) var fixAccuracy = PeakSeries(maximumStep: 30)
    package internal(set) var innovations = FixInnovations()
    /// Yaw corrections that several comparisons suggest.
    package internal(set) var yawChecks = YawChecks()
    package internal(set) var magnetic = MagneticCurves()
    /// Rates and gaps of the sensors and of the receiver.
    package internal(set) var rates: [SensorRate] = [
        "gyroscope", "accelerometer", "magnetometer", "barometer", "fixes",
    ]
    .map(SensorRate.init(name:))
    /// Rates of the aid measurements that other programs sent.
    package internal(set) var offers: [SensorRate] = [
        "odometry", "positions", "sightings", "ranges", "headings", "heights",
    ].map(SensorRate.init(name:))
    /// Number of corrections of the scene frame in the replay.
    package internal(set) var replayedCorrections = 0
    /// Published corrections of the scene frame, or the replay's corrections if none were published. If there are too
    /// many, only the largest ones are kept.
    package internal(set) var corrections: [Correction] = []
    /// Number of smaller corrections that were omitted because of this limit.
    package internal(set) var correctionsLeftOut = 0
    var planCollection = ReportPlan.Collection()
    package internal(set) var states: [Span] = []
    /// Periods in which a reason for degraded poses applied.
    package internal(set) var reasons: [Span] = []

    package init(title: String) { self.title = title }

    /// Limits of the kept data, which let a browser open the page of a whole day.
    enum Limit {
        static let fixes = 2000
        static let corrections = 4000
        static let spans = 2000
    }

    /// Levels of floor plans on which the wearer probably was.
    package var plans: [ReportPlan] { planCollection.plans }

    /// Poses that the charts show first. They are the published poses, or the replay's poses if none were published.
    package var shown: PoseCurves { published.count > 0 ? published : replayed }

    /// Name and value of a fact about the whole recording.
    package struct Fact: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Position fix of the receiver.
    package struct Fix: Hashable, Sendable {
        package var time: BootTime
        /// Position that the receiver reported.
        package var position: GeodeticPosition
        /// 68 % radius. Unit: metres; nil if it is unknown.
        package var accuracy: Double?
    }

    /// A correction of the scene frame with its number in the report.
    package struct Correction: Hashable, Sendable {
        /// Number counted from 1, including omitted corrections.
        package var number: Int
        package var frame: FrameCorrection

        /// Largest distance by which a point 30 m away moves. Unit: metres.
        var size: Double { frame.shift + 30 * frame.turn.magnitude }

        /// Wearer's position that follows from the alignment before the correction; nil if no position was known.
        package var position: GeodeticPosition? {
            let map = frame.origin.map { SceneMap(plane: LocalTangentPlane(origin: $0), alignment: frame.before) }
            return map?.position(ofScene: frame.wearer)
        }
    }

    /// Period during which a state or a reason applied.
    package struct Span: Hashable, Sendable {
        package var word: String
        /// Time of the first pose with the state or reason.
        package var from: BootTime
        /// Time of the last pose with the state or reason.
        package var to: BootTime
    }

    /// Time since the start. Unit: seconds.
    func seconds(_ time: BootTime) -> Double { start.map { time.seconds(since: $0) } ?? 0 }

    /// Duration of the recording. Unit: seconds.
    var duration: Double { end.map(seconds) ?? 0 }
}

/// Methods that collect the data while a recording is replayed, in order of arrival.
extension WalkReport {
    /// Extends the time covered by the report; called for every measurement.
    package mutating func add(time: BootTime) {
        if start == nil { start = time }
        end = max(end ?? time, time)
    }

    /// Adds a fix of the receiver.
    package mutating func add(_ fix: GNSSFix) {
        let accuracy = PositionFixEstimate.accuracy(fix.positionSigma)
        fixes.append(Fix(time: fix.epoch, position: fix.position, accuracy: accuracy))
        fixAccuracy.add(seconds(fix.epoch), accuracy)
    }

    /// Adds the state and the reasons of a pose; called for every pose that the report shows.
    mutating func add(
        state: PoseInterface.LocalizationState, reasons: WordSet<PoseInterface.Reason>, at time: BootTime
    ) {
        Self.extend(&states, with: state.description, from: time, isAlone: true)
        for reason in reasons.known {
            Self.extend(&self.reasons, with: reason.description, from: time, isAlone: false)
        }
    }

    /// Adds a correction. If it has the same time as the last one, it continues that one and replaces it.
    package mutating func add(_ correction: FrameCorrection) {
        if let last = corrections.last, last.frame.time == correction.time {
            corrections[corrections.count - 1].frame = correction
            return
        }
        let number = corrections.count + correctionsLeftOut + 1
        corrections.append(Correction(number: number, frame: correction))
        if corrections.count > Limit.corrections { leaveSmallestOut() }
    }

    /// Removes the smaller half of the corrections, so that this is rarely needed. The newest correction stays, because
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

    /// Maximum interval between poses of one span. Poses are recorded at 10 Hz or faster, but only four times a second
    /// while a sensor is silent. Unit: seconds.
    private static let maximumStep = 0.5
}

/// Decimated series of unknown length. It keeps all elements of a short series, and every second, fourth … of a long
/// one.
///
/// Of a long series, it keeps between half of the limit and the limit. The elements are evenly spaced, and the page's
/// size does not depend on the recording's length.
package struct ThinnedSeries<Element> {
    /// The elements that were kept, in order.
    package private(set) var elements: [Element] = []
    package private(set) var count = 0
    /// Decimation factor. Of every `stride` elements, one is kept.
    package private(set) var stride = 1
    private let limit: Int

    /// Creates an empty series that keeps at most `limit` elements. The limit must be at least 2.
    package init(limit: Int) {
        precondition(limit >= 2, "a series of fewer than two has no course")
        self.limit = limit
    }

    /// Whether the next element would be kept. If not, the caller need not create it.
    package var isDue: Bool { count % stride == 0 }

    /// Appends an element.
    ///
    /// - Parameter element: the element; nil if it was not due.
    package mutating func append(_ element: Element?) {
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
