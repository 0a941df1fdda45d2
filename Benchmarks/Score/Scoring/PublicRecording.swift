import Estimation
import Geometry
import Linux
import Model
import Engine
import Recording

/// Public recording with truth in a folder of sensor tables, see docs/score.md.
package struct PublicRecording: Sendable {
    /// Name of the folder.
    package let name: String
    /// Path of the folder.
    let path: String
    let kind: Kind

    enum Kind: Hashable, Sendable {
        /// Surveyed marks on a floor plan, without fixes.
        case marks
        /// Attitude by optical motion capture.
        case attitude
        /// Positions by RTK, of which a plain receiver is imitated.
        case positions(OutageRound)
    }

    /// Regular outages. Unit: seconds.
    struct OutageRound: Hashable, Sendable {
        var first: Double
        var every: Double
        var length: Double
        /// Time stamps of the inertial samples that are late against those of the fixes.
        var inertialLate = 0.0
    }

    /// Readings by name.
    package typealias Scores = [(name: String, value: Double)]

    /// Recordings with truth in a folder, in the order of their names; empty where there is no such folder.
    package static func all(in folder: String) -> [PublicRecording] {
        let names: [String]
        do throws(FileError) { names = try File.names(in: folder) } catch { return [] }
        return names.sorted().compactMap { name in
            kind(of: name).map { PublicRecording(name: name, path: folder + "/" + name, kind: $0) }
        }
    }

    private static func kind(of name: String) -> Kind? {
        if name.hasPrefix("indoor20_") { return .marks }
        if name.hasPrefix("broad_") { return .attitude }
        return switch name {
        case "walk_rtk": .positions(OutageRound(first: 35, every: 30, length: 10))
        // By its source the inertial samples of the drive are stamped 0.125 s late.
        case "drive_rtk": .positions(OutageRound(first: 65, every: 45, length: 15, inertialLate: 0.125))
        default: nil
        }
    }

    /// Scores an estimator; nil where the folder has no truth or no sample that can be compared.
    ///
    /// - Throws: for tables that cannot be read.
    package func scores(_ settings: EstimatorSettings = EstimatorSettings()) throws(RecordingError) -> Scores? {
        switch kind {
        case .marks: try markScores(settings)
        case .attitude: try attitudeScores(settings)
        case .positions(let outages): try positionScores(settings, outages)
        }
    }

    /// Poses of an estimator, in order of time.
    ///
    /// - Parameter deliver: what is fed for each measurement of the folder.
    func poses(
        _ settings: EstimatorSettings, deliver: (Measurement) -> [Measurement] = { [$0] }
    ) throws(RecordingError) -> PoseTrack {
        let reader = try SensorFolder(path: path)
        var odometry = Odometry(settings: settings)
        var track = PoseTrack()
        while let measurement = try reader.next() {
            for delivered in deliver(measurement) {
                odometry.feed(delivered) { events in
                    if let pose = events.pose { track.add(pose) }
                }
            }
        }
        return track
    }
}

/// Poses in order of time, found by the nearest instant.
struct PoseTrack {
    private(set) var poses: [PoseEstimate] = []

    mutating func add(_ pose: PoseEstimate) { poses.append(pose) }

    /// Pose nearest to a time; nil without any.
    func nearest(_ time: BootTime) -> PoseEstimate? {
        var (low, high) = (0, poses.count)
        while low < high {
            let middle = (low + high) / 2
            if poses[middle].time < time { low = middle + 1 } else { high = middle }
        }
        let candidates = [low - 1, low].filter(poses.indices.contains)
        return candidates.map { poses[$0] }
            .min { $0.time.seconds(since: time).magnitude < $1.time.seconds(since: time).magnitude }
    }
}
