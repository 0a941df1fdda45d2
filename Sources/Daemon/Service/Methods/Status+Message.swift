import Estimation
import Messages
import Model
import Persistence
import Scene
import Sensors
import WaymarkInterface

extension DeviceReport {
    /// - Parameter now: boot time in nanoseconds.
    package func message(now: Int64) -> StatusInterface.Device {
        StatusInterface.Device(
            name: name, identifier: identifier, state: state.message, detail: detail, channels: channels.map(\.message),
            requestedRate: requestedRate, grantedRate: grantedRate, mountMatrix: mountMatrix,
            mountMatrixOrigin: mountMatrixOrigin.map { OpenWord(word: $0) }, clock: clock.map { OpenWord(word: $0) },
            samples: Int(clamping: samples), gaps: Int(clamping: gaps), dropped: Int(clamping: dropped),
            age: lastSample.map { max(0, Double(now - $0.nanoseconds) * 1e-9) }, temperature: temperature,
            sampling: sampling.map { OpenWord(word: $0.method.rawValue) }, trigger: sampling?.trigger,
            samplingReason: sampling?.reason, triggerMissing: sampling?.isTriggerMissing == true ? true : nil,
            rateProblem: rateProblem,
            axes: axes.isEmpty ? nil : axes.map(\.message))
    }
}

extension DamagedCopy {
    var message: StatusInterface.DamagedPlaces {
        StatusInterface.DamagedPlaces(
            path: path, problem: report?.problem, places: report?.places ?? 0, favorites: report?.favorites ?? 0,
            filters: report?.filters ?? 0, anchors: report?.anchors ?? 0, complete: report?.isComplete ?? false)
    }
}

extension DeviceReport.State {
    fileprivate var message: StatusInterface.DeviceState {
        switch self {
        case .searching: .searching
        case .streaming: .streaming
        case .polling: .polling
        case .silent: .silent
        case .failed: .failed
        }
    }
}

extension DeviceReport.Axes {
    fileprivate var message: StatusInterface.SensorAxes {
        StatusInterface.SensorAxes(
            sensor: OpenWord(word: kind.rawValue), mountMatrix: mountMatrix, origin: OpenWord(word: origin), sign: sign,
            mirrored: isMirrored)
    }
}

extension DeviceReport.Channel {
    /// JSON cannot represent NaN, so NaN is shown as 0. The source refuses a device that reports it.
    fileprivate var message: StatusInterface.Channel {
        StatusInterface.Channel(
            name: name, format: format, scale: scale.isFinite ? scale : 0, offset: offset.isFinite ? offset : 0)
    }
}

extension HeadingReading {
    /// - Parameter now: boot time in nanoseconds.
    func status(now: Int64) -> StatusInterface.HeadingMonitor {
        StatusInterface.HeadingMonitor(
            // Headings count clockwise, and `correction` counter-clockwise.
            correction: correction.map { -$0 * 180 / .pi }, deviation: standardDeviation * 180 / .pi, pairs: pairs,
            age: max(0, Double(now - time.nanoseconds) * 1e-9))
    }
}

extension AxisReading {
    /// - Parameter now: boot time in nanoseconds.
    func status(now: Int64) -> StatusInterface.HeadingMonitor {
        StatusInterface.HeadingMonitor(
            correction: -angle * 180 / .pi, deviation: standardDeviation * 180 / .pi, pairs: pairs,
            age: max(0, Double(now - time.nanoseconds) * 1e-9))
    }
}

extension CurrentPosition {
    var message: StatusInterface.BestEstimate {
        StatusInterface.BestEstimate(
            latitude: position.latitudeDegrees, longitude: position.longitudeDegrees,
            horizontalAccuracy: horizontalAccuracy, travel: travel, age: max(0, time.seconds(since: epoch)))
    }
}

extension StatusInterface.WarmStart {
    /// - Parameters:
    ///   - report: the estimator's report; nil before it has begun, and without a warm start.
    ///   - foreign: parts that belonged to other sensors.
    ///   - absence: why there is no warm start; nil if there is one.
    init(_ report: WarmStartReport?, foreign: Model.WarmStart.Parts, absence: String?) {
        let rejected: [(parts: Model.WarmStart.Parts?, reason: StatusInterface.DropReason)] = [
            (foreign, .otherSensor), (report?.tooOld, .tooOld), (report?.implausible, .implausible),
            (report?.contradicted, .contradicted),
        ]
        self.init(
            used: (report?.used ?? []).message,
            dropped: rejected.flatMap { parts, reason in
                (parts ?? []).message.known.map { part in
                    StatusInterface.DroppedPart(part: OpenWord(part), reason: OpenWord(reason))
                }
            },
            age: report?.ageSeconds,
            detail: absence ?? (report == nil ? "not yet: no inertial sample has arrived" : nil))
    }

    /// One line for the journal.
    var line: String {
        if let detail { return detail }
        let rejected = dropped.map { "\($0.part) (\($0.reason))" }.joined(separator: ", ")
        return (used.isEmpty ? "nothing used" : used.description) + (rejected.isEmpty ? "" : "; dropped: \(rejected)")
    }
}

extension UpdateStatistics {
    var message: [StatusInterface.MeasurementUpdates] {
        UpdateKind.allCases.map { kind in
            let tally = self[kind]
            return StatusInterface.MeasurementUpdates(
                kind: .known(kind.message), applied: Int(clamping: tally.applied),
                downWeighted: Int(clamping: tally.downWeighted), refused: Int(clamping: tally.refused),
                innovationRatio: tally.innovationRatio)
        }
    }
}

extension UpdateKind {
    fileprivate var message: StatusInterface.MeasurementKind {
        switch self {
        case .gnssPosition: .gnssPosition
        case .gnssVelocity: .gnssVelocity
        case .magnetometer: .magnetometer
        case .barometer: .barometer
        case .rest: .rest
        case .steps: .steps
        case .camera: .camera
        case .aid: .aid
        }
    }
}

extension LatencyHistogram {
    var message: StatusInterface.Latency {
        StatusInterface.Latency(
            bounds: Self.boundsMicroseconds.map { Double($0) / 1e6 },
            counts: cumulativeCounts.map { Int(clamping: $0) },
            count: Int(clamping: count), sum: sumSeconds)
    }
}
