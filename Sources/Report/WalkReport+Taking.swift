import Estimation
import Formats
import Geodesy
import Measurements
import Scene

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
    }

    /// Adds a pose.
    ///
    /// - Parameter moment: data of the charts; nil if `moments.isDue` is false.
    public mutating func add(_ pose: PoseEstimate, _ moment: Moment?) {
        moments.append(moment)
        Self.extend(&states, with: pose.state.word.description, from: pose.time, isAlone: true)
        pose.reasons.forEachWord { Self.extend(&reasons, with: $0.description, from: pose.time, isAlone: false) }
    }

    /// Adds a correction. One that continues the last one (equal time) replaces it.
    public mutating func add(_ correction: FrameCorrection) {
        if let last = corrections.last, last.frame.time == correction.time {
            corrections[corrections.count - 1].frame = correction
            return
        }
        let number = corrections.count + correctionsLeftOut + 1
        corrections.append(Correction(number: number, frame: correction))
        if corrections.count > Limit.corrections { leaveSmallestOut() }
    }

    /// Removes the smaller half of the corrections, so that this is seldom done. The newest stays, since it may
    /// continue.
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
    /// - Parameter isAlone: whether only one word can hold at a time.
    private static func extend(_ spans: inout [Span], with word: String, from time: BootTime, isAlone: Bool) {
        let last = isAlone ? spans.indices.last : spans.lastIndex { $0.word == word }
        if let last, spans[last].word == word, isAlone || time.seconds(since: spans[last].to) <= longestStep {
            spans[last].to = time
            return
        }
        if isAlone, let last { spans[last].to = time }
        guard spans.count < Limit.spans else { return }
        spans.append(Span(word: word, from: time, to: time))
    }

    /// Largest interval between poses of one span; a silent sensor is reported four times a second. Unit: seconds.
    private static let longestStep = 0.5
}

extension WalkReport.Moment {
    /// Collects the values of one instant.
    ///
    /// - Parameters:
    ///   - scene: position in the scene, mapped to the earth by the published alignment.
    ///   - monitor: latest reading of the heading monitor.
    ///   - axes: latest comparison of the scene's axes with the estimates.
    public init(_ pose: PoseEstimate, scene: GeodeticPosition?, monitor: HeadingReading?, axes: AxisReading?) {
        func degrees(_ radians: Double?) -> Double? { radians.map { $0 * 180 / .pi } }
        func deviation(_ pairs: HeadingPairs?) -> Double? { pairs?.correction == nil ? nil : degrees(pairs?.deviation) }
        self.init(
            time: pose.time, estimated: pose.geodetic, scene: scene, heading: degrees(pose.heading),
            horizontalAccuracy: pose.accuracy.horizontal, verticalAccuracy: pose.accuracy.vertical,
            yawAccuracy: degrees(pose.accuracy.yaw), monitor: degrees(monitor?.correction),
            monitorStandardDeviation: degrees(monitor?.correction == nil ? nil : monitor?.deviation),
            byVelocities: degrees(monitor?.velocities?.correction),
            byVelocitiesStandardDeviation: deviation(monitor?.velocities),
            byPositions: degrees(monitor?.positions?.correction),
            byPositionsStandardDeviation: deviation(monitor?.positions),
            axes: degrees(axes?.angle), axesStandardDeviation: degrees(axes?.deviation))
    }
}
