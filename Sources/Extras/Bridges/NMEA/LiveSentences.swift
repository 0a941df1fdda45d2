import JSON
import Model
import Documents
import WaymarkInterface

/// NMEA 0183 of a live pose: GGA, GST, RMC, VTG and HDT.
///
/// While there is no position, sentences are still sent, but marked as invalid, so that a reader can distinguish a lost
/// position from a dead connection. Times are UTC; they are empty until a fix has determined UTC.
package struct LiveSentences {
    private let sentences: NMEASentences
    private var text = TextBuffer(capacity: 512)

    /// - Parameter talker: two upper-case letters with which each sentence begins.
    package init(talker: String = "GP") { sentences = NMEASentences(talker: talker) }

    /// Returns the sentences for a pose. Without a pose, they are marked as invalid.
    package mutating func write(_ pose: PoseInterface.Pose?, receiver: ReceiverView) -> [UInt8] {
        let epoch = pose.map { Self.epoch($0, receiver) } ?? NMEAEpoch()
        text.removeAll()
        sentences.appendGGA(epoch, to: &text)
        sentences.appendGST(epoch, to: &text)
        sentences.appendRMC(epoch, to: &text)
        sentences.appendVTG(epoch, to: &text)
        sentences.appendHDT(epoch, to: &text)
        return text.bytes
    }

    private static func epoch(_ pose: PoseInterface.Pose, _ receiver: ReceiverView) -> NMEAEpoch {
        var epoch = NMEAEpoch()
        epoch.utc = pose.utc?.nanoseconds
        epoch.speed = pose.speed
        epoch.courseDegrees = pose.course
        if pose.headingReference == .trueNorth { epoch.headingDegrees = pose.heading }
        guard pose.tracking.position != .invalid, let geo = pose.geo else { return epoch }
        epoch.position = TrackPosition(
            latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: geo.height,
            geoidSeparation: receiver.separation(at: geo))
        epoch.standardDeviation = TrackDeviation(
            horizontalAccuracy: pose.accuracy.horizontalAccuracy, verticalAccuracy: pose.accuracy.verticalAccuracy)
        epoch.isDeadReckoned = !pose.usesReceiver
        if pose.usesReceiver {
            epoch.satellites = receiver.satellites
            epoch.horizontalDilution = receiver.horizontalDilution
        }
        return epoch
    }
}

extension PoseInterface.Pose {
    /// Whether recent fixes support the position.
    var usesReceiver: Bool { tracking.position == .tracked && sources.contains(.gnssPosition) }
}
