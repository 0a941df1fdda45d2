import Geometry
import Messages
import Model
import WaymarkInterface

/// Track, heading and accuracies of published or replayed poses over time.
package struct PoseCurves: Sendable {
    package private(set) var count = 0
    /// Position that the filter estimated.
    package private(set) var track = TrackSeries(maximumStep: maximumStep)
    /// Heading of the line of sight, clockwise from north. Unit: degrees.
    package private(set) var heading = PeakSeries(maximumStep: maximumStep)
    /// Accuracy of the position, 68 % radius. Unit: metres.
    package private(set) var horizontalAccuracy = PeakSeries(maximumStep: maximumStep)
    /// Accuracy of the height, 68 %. Unit: metres.
    package private(set) var verticalAccuracy = PeakSeries(maximumStep: maximumStep)
    /// Accuracy of the yaw, 68 %. Unit: degrees.
    package private(set) var yawAccuracy = PeakSeries(maximumStep: maximumStep)

    /// Longest interval between poses that a curve bridges. While sensors are silent, there is a pose every 0.25 s.
    /// Unit: seconds.
    private static let maximumStep = 2.0

    init() {}

    /// Adds a pose.
    ///
    /// - Parameter time: time since the start of the recording, seconds.
    mutating func add(_ time: Double, _ pose: PoseSample) {
        count += 1
        track.add(time, pose.position)
        heading.add(time, pose.heading)
        horizontalAccuracy.add(time, pose.horizontalAccuracy)
        verticalAccuracy.add(time, pose.verticalAccuracy)
        yawAccuracy.add(time, pose.yawAccuracy)
    }
}

/// Values of a pose that a report shows; nil if unknown. Units: metres, degrees.
struct PoseSample {
    var time: BootTime
    var position: GeodeticPosition?
    /// Heading, clockwise from north.
    var heading: Double?
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?
    var yawAccuracy: Double?

    init(_ pose: PoseEstimate) {
        time = pose.time
        position = pose.geodetic
        heading = pose.heading.map { $0 * 180 / .pi }
        horizontalAccuracy = pose.accuracy.horizontal
        verticalAccuracy = pose.accuracy.vertical
        yawAccuracy = pose.accuracy.yaw.map { $0 * 180 / .pi }
    }

    /// Nil if the time or position of the pose is invalid.
    init?(_ pose: PoseInterface.Pose) {
        guard let time = BootTime(pose.time) else { return nil }
        self.time = time
        if let geo = pose.geo {
            guard let position = GeodeticPosition(measured: geo) else { return nil }
            self.position = position
        }
        heading = pose.heading.flatMap { (0...360).contains($0) ? $0 : nil }
        horizontalAccuracy = Self.accuracy(pose.accuracy.horizontalAccuracy)
        verticalAccuracy = Self.accuracy(pose.accuracy.verticalAccuracy)
        yawAccuracy = Self.accuracy(pose.accuracy.orientationYawAccuracy)
    }

    private static func accuracy(_ value: Double?) -> Double? {
        value.flatMap { (0...1e9).contains($0) ? $0 : nil }
    }
}

extension GeodeticPosition {
    /// Nil if the position is beyond the range of measurements.
    init?(measured geo: PoseInterface.Geo) {
        guard geo.height.magnitude < MeasurementRange.height else { return nil }
        self.init(geo)
    }
}

extension BootTime {
    /// Nil if the time is beyond the range of measurements.
    init?(_ time: PoseInterface.Time) {
        guard (-5_000_000_000...5_000_000_000).contains(time.sec), (0..<1_000_000_000).contains(time.nsec) else {
            return nil
        }
        self.init(nanoseconds: Int64(time.sec) * 1_000_000_000 + Int64(time.nsec))
        guard MeasurementRange.holds(self) else { return nil }
    }
}
