import Messages
import Model
import Scene
import Sensors

// The types of org.waymark.Status as they go over the wire; the interface file says what each field means.

struct ChannelMessage: Encodable {
    let name: String
    let format: String?
    let scale: Double
    let offset: Double
}

struct DeviceMessage: Encodable {
    let name: String
    let identifier: String
    let state: String
    let detail: String?
    let channels: [ChannelMessage]
    let requestedRate: Double?
    let grantedRate: Double?
    let mountMatrix: [Double]?
    let mountMatrixOrigin: String?
    let clock: String?
    let samples: UInt64
    let gaps: UInt64
    let dropped: UInt64
    let age: Double?
    let temperature: Double?

    /// - Parameter now: boot time in nanoseconds.
    init(_ report: DeviceReport, now: Int64) {
        name = report.name
        identifier = report.identifier
        state = report.state.rawValue
        detail = report.detail
        channels = report.channels.map {
            ChannelMessage(name: $0.name, format: $0.format, scale: $0.scale.orZero, offset: $0.offset.orZero)
        }
        requestedRate = report.requestedRate
        grantedRate = report.grantedRate
        mountMatrix = report.mountMatrix
        mountMatrixOrigin = report.mountMatrixOrigin
        clock = report.clock
        samples = report.samples
        gaps = report.gaps
        dropped = report.dropped
        temperature = report.temperature
        age = report.lastSample.map { max(0, Double(now - $0.nanoseconds) * 1e-9) }
    }
}

struct RecordingMessage: Encodable {
    let path: String
    let messages: UInt64
    let bytes: UInt64
    let dropped: UInt64
}

struct HeadingMonitorMessage: Encodable {
    let correction: Double?
    let deviation: Double
    let pairs: Int
    let age: Double

    /// - Parameter now: boot time in nanoseconds.
    init(_ reading: HeadingReading, now: Int64) {
        // Headings count clockwise.
        correction = reading.correction.map { -$0 * 180 / .pi }
        deviation = reading.deviation * 180 / .pi
        pairs = reading.pairs
        age = max(0, Double(now - reading.time.nanoseconds) * 1e-9)
    }

    /// - Parameter now: boot time in nanoseconds.
    init(_ reading: AxisReading, now: Int64) {
        correction = -reading.angle * 180 / .pi
        deviation = reading.deviation * 180 / .pi
        pairs = reading.pairs
        age = max(0, Double(now - reading.time.nanoseconds) * 1e-9)
    }
}

/// Position of the wearer by the best of the last fixes and the way since.
struct BestEstimateMessage: Encodable {
    let latitude: Double
    let longitude: Double
    let horizontalAccuracy: Double
    let travel: Double
    let age: Double

    init(_ current: CurrentPosition) {
        latitude = current.position.latitudeDegrees
        longitude = current.position.longitudeDegrees
        horizontalAccuracy = current.horizontalAccuracy
        travel = current.travel
        age = max(0, current.time.seconds(since: current.epoch))
    }
}

/// Motion of the wearer.
struct MotionMessage: Encodable {
    let mode: String
    let probability: Double

    /// Nil for a probability that is not finite, for which JSON has no word.
    init?(_ motion: MotionEstimate) {
        guard motion.probability.isFinite else { return nil }
        mode = "\(motion.kind.word)"
        probability = motion.probability
    }
}

struct StatusMessage: Encodable {
    let version: String
    let uptime: Double
    let source: String
    let state: String
    let reasons: [String]
    let advice: [String]
    let sources: [String]
    let horizontalAccuracy: Double?
    let verticalAccuracy: Double?
    let orientationYawAccuracy: Double?
    let bestEstimate: BestEstimateMessage?
    let headingReference: String
    let motion: MotionMessage?
    let headingMonitor: HeadingMonitorMessage?
    let axisCorrection: HeadingMonitorMessage?
    let readiness: String
    let readinessReasons: [String]
    let generation: UInt32
    let slewAngle: Double
    let slewDistance: Double
    let poses: UInt64
    let poseRate: Double
    let clients: Int
    let subscriptions: Int
    let power: PowerMessage?
    let warmStart: WarmStartStatusMessage
    let calibration: CalibrationStatusMessage
    let devices: [DeviceMessage]
    let recording: RecordingMessage?
}

extension Double {
    /// JSON has no word for NaN: a device that claims one is shown with 0, and refused by its source.
    fileprivate var orZero: Double { isFinite ? self : 0 }
}
