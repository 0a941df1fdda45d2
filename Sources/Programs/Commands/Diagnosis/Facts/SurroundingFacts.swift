import Geometry

/// gpsd and its GNSS receiver.
package struct ReceiverFacts: Sendable {
    /// `address` is the address of gpsd, `host:port` with an IPv6 address in brackets. `wanted` is the receiver that
    /// the settings require; empty if they require none.
    package var address, wanted: String
    /// `problem` is the reason why there is no connection to gpsd, `refusal` the error message that gpsd sent.
    package var problem, refusal: String?
    /// Whether gpsd runs on this computer.
    package var isLocal = true
    /// Number of receivers that gpsd uses; nil if gpsd does not report it.
    package var receivers: Int?
    /// Receiver that sent the reports.
    package var device: String?
    /// Number of reports, with or without a position.
    package var reports = 0
    package var fixes = 0
    /// Number of fixes whose time had not advanced since a fix some seconds earlier.
    package var standingFixes = 0
    /// Number of fixes without a time.
    package var timelessFixes = 0
    /// Whether the newest fix comes from the receiver's simulator.
    package var isSimulated = false
    /// Newest fix: its position, its `time` by the receiver's clock (seconds since 1970 UTC), and its `age` on arrival
    /// by the system clock (seconds).
    package var position: GeodeticPosition?
    package var time, age: Double?

    package init(address: String, wanted: String = "") { (self.address, self.wanted) = (address, wanted) }

    /// Host part of the address, without brackets.
    var host: String {
        let host = address.lastIndex(of: ":").map { address[..<$0] } ?? address[...]
        return String(host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host)
    }
}

package struct ClockFacts: Hashable, Sendable {
    /// Time by the system clock. Unit: seconds since 1970 UTC.
    package var now: Double
    /// Whether the kernel reports the clock as synchronised; nil if it does not report this.
    package var isSynchronised: Bool?

    package init(now: Double, isSynchronised: Bool?) { (self.now, self.isSynchronised) = (now, isSynchronised) }
}

/// Folders that the daemon writes to: `state.directory` and `recording.directory`.
package struct StorageFacts: Hashable, Sendable {
    package struct Folder: Hashable, Sendable {
        package var path: String
        package var exists: Bool
        /// Permissions of the folder, or of its nearest existing ancestor.
        package var permission: Permission?
        /// Whether the folder's file system is mounted read-only.
        package var isReadOnly = false
        /// Free space for unprivileged users; nil if the file system does not report it. Unit: bytes.
        package var free: UInt64?
        /// Whether the file system has no free inodes.
        package var hasNoNodes = false

        package init(path: String, exists: Bool) { (self.path, self.exists) = (path, exists) }
    }

    package var state, recordings: Folder
    /// Minimum free space, below which recordings end. Unit: bytes.
    package var recordingMinimum: UInt64

    package init(state: Folder, recordings: Folder, recordingMinimum: UInt64) {
        (self.state, self.recordings, self.recordingMinimum) = (state, recordings, recordingMinimum)
    }
}

/// Stored calibrations of all sensors and boards.
package struct CalibrationFacts: Sendable {
    package struct Entry: Hashable, Sendable {
        /// Kind of the sensor or `mount`, and name of the device.
        package var sensor, device: String
        /// Device name of a calibration that is not bound to a device.
        package static let anyDevice = "any device"
        /// Age of the calibration. Unit: seconds.
        package var age: Double
        /// Whether the calibration is active; nil without a daemon.
        package var isInForce: Bool?
        /// Whether the mount matrix has changed since the calibration; nil if the old or the new matrix is unknown.
        package var isOfOtherMount: Bool?

        package init(sensor: String, device: String, age: Double, isInForce: Bool?, isOfOtherMount: Bool? = nil) {
            (self.sensor, self.device, self.age) = (sensor, device, age)
            (self.isInForce, self.isOfOtherMount) = (isInForce, isOfOtherMount)
        }
    }

    /// Gyroscope bias that the estimator has found in addition to the calibrated bias: length of the vector, and
    /// largest standard deviation of its axes. Unit: rad/s.
    package struct GyroscopeBias: Hashable, Sendable {
        package var magnitude, standardDeviation: Double

        package init(magnitude: Double, standardDeviation: Double) {
            (self.magnitude, self.standardDeviation) = (magnitude, standardDeviation)
        }
    }

    package var entries: [Entry]
    /// The setting `calibration.apply`.
    package var isApplied: Bool
    /// Files that cannot be read as calibrations.
    package var damaged: [String] = []
    /// Bias that the estimator has found; nil without a daemon, or before the daemon's first samples.
    package var gyroscopeBias: GyroscopeBias?

    package init(entries: [Entry], isApplied: Bool) { (self.entries, self.isApplied) = (entries, isApplied) }
}

/// The configured routing service and the result of a test request.
package struct RoutingFacts: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case answered
        /// There was no connection, or it broke; the text is libcurl's error.
        case unreachable(String)
        case silent(seconds: Double)
        /// The service rejected the request, with its error message.
        case refused(String)
        /// The response is not a routing service's; the text describes it.
        case foreign(String)
        /// libcurl could not be loaded; the text is the loader's error.
        case noLibrary(String)
    }

    /// `navigation.service`, such as `osrm+http://127.0.0.1:5000`, and `navigation.profile`.
    package var service, profile: String
    package var outcome: Outcome

    package init(service: String, profile: String, outcome: Outcome) {
        (self.service, self.profile, self.outcome) = (service, profile, outcome)
    }
}
