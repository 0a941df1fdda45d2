import Geodesy
import Messages
import Model
import Scene

/// What is told of a recording while it is replayed, in order of arrival.
extension WalkReport {
    /// Of every measurement: when things were.
    public mutating func take(time: BootTime) {
        if start == nil { start = time }
        end = max(end ?? time, time)
    }

    public mutating func take(_ fix: GNSSFix) {
        let accuracy = PositionFixEstimate.accuracy(fix.positionSigma)
        fixes.append(Fix(time: fix.epoch, position: fix.position, accuracy: accuracy))
    }

    /// Of every pose.
    ///
    /// - Parameter moment: nil where `moments.isDue` said that none is wanted.
    public mutating func take(_ pose: PoseEstimate, _ moment: Moment?) {
        moments.append(moment)
        Self.extend(&states, with: pose.state.word.description, from: pose.time, isAlone: true)
        pose.reasons.forEachWord { Self.extend(&reasons, with: $0.description, from: pose.time, isAlone: false) }
    }

    /// Of every correction; one that went on after it had been told takes its own place again.
    public mutating func take(_ correction: FrameCorrection) {
        if let last = corrections.last, last.frame.time == correction.time {
            corrections[corrections.count - 1].frame = correction
            return
        }
        let number = corrections.count + correctionsLeftOut + 1
        corrections.append(Correction(number: number, frame: correction))
        if corrections.count > Limit.corrections { leaveSmallestOut() }
    }

    /// The smaller half goes, so that this is seldom done; the newest stays, for it may go on.
    private mutating func leaveSmallestOut() {
        let sizes = corrections.map(\.size).sorted()
        let least = sizes[sizes.count / 2]
        let newest = corrections.count - 1
        let kept = corrections.indices.filter { $0 == newest || corrections[$0].size > least }.map { corrections[$0] }
        correctionsLeftOut += corrections.count - kept.count
        corrections = kept
    }

    /// Lets the word's last span go on, or begins one.
    ///
    /// - Parameter isAlone: no other word can hold at the same time.
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

    /// Poses of one stretch are no farther apart; a silent sensor is reported four times a second. Unit: seconds.
    private static let longestStep = 0.5
}

extension WalkReport.Moment {
    /// - Parameters:
    ///   - scene: the position in the scene, on the earth by the published alignment.
    ///   - monitor: what the monitor of the axes read last.
    ///   - axes: what the pairs of estimates read last.
    public init(_ pose: PoseEstimate, scene: GeodeticPosition?, monitor: HeadingReading?, axes: AxisReading?) {
        func degrees(_ radians: Double?) -> Double? { radians.map { $0 * 180 / .pi } }
        func deviation(_ pairs: HeadingPairs?) -> Double? { pairs?.correction == nil ? nil : degrees(pairs?.deviation) }
        self.init(
            time: pose.time, estimated: pose.geodetic, scene: scene, heading: degrees(pose.heading),
            horizontalAccuracy: pose.accuracy.horizontal, verticalAccuracy: pose.accuracy.vertical,
            yawAccuracy: degrees(pose.accuracy.yaw), monitor: degrees(monitor?.correction),
            monitorDeviation: degrees(monitor?.correction == nil ? nil : monitor?.deviation),
            byVelocities: degrees(monitor?.velocities?.correction),
            byVelocitiesDeviation: deviation(monitor?.velocities),
            byPositions: degrees(monitor?.positions?.correction), byPositionsDeviation: deviation(monitor?.positions),
            axes: degrees(axes?.angle), axesDeviation: degrees(axes?.deviation))
    }
}
