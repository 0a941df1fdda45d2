import Glibc
import Linux
import Varlink

/// Why the daemon did not do what was asked, and what to do about it.
public enum WaymarkError: Error, Equatable, Sendable {
    /// No daemon answers at the path.
    case unreachable(path: String, reason: String)
    /// The socket at the path is not open to this user.
    case connectionDenied(path: String)
    /// The daemon ended or closed the connection.
    case disconnected
    case timedOut
    /// Cancelled by the caller, as by Ctrl-C.
    case cancelled
    /// No inertial sample has arrived yet.
    case notReady(reason: String)
    /// There are poses from the oldest to the newest, and the time is before or after them.
    case tooEarly(oldest: Time, newest: Time)
    case tooLate(oldest: Time, newest: Time)
    /// The inertial sensors were silent then.
    case inGap(begin: Time, end: Time)
    /// CLOCK_REALTIME was set forward across the time.
    case skippedTime
    /// The scene frame has been set anew since.
    case otherGeneration
    /// No position is known yet.
    case notLocalized(reason: String)
    /// This user may not change things.
    case permissionDenied
    case alreadyRecording(path: String)
    case notRecording
    case cannotRecord(path: String, reason: String)
    /// A document is not understood, or its part at the path.
    case invalidDocument(path: String, reason: String)
    case noSuchPlace(id: String)
    case noSuchFilter(name: String)
    case invalidFilter(reason: String)
    /// The daemon's place store cannot be read or written.
    case cannotStore(reason: String)
    case cannotExport(reason: String)
    /// There is no route.
    case noRoute
    /// Another route is followed than the one to be replaced; nil where none is.
    case otherRoute(id: String?)
    /// A part of an anchor is out of its range, or does not go with another.
    case invalidAnchor(field: String, reason: String)
    case noSuchAnchor(id: String)
    case alreadyCalibrating(kind: String)
    case notCalibrating
    case noSuchSensor(String)
    /// A sensor that the calibration needs is not there or says nothing.
    case sensorMissing(kind: String, detail: String)
    /// What is in force is better.
    case worseThanPresent(sensor: String, reason: String)
    /// The daemon cannot write what it keeps of calibrations.
    case cannotStoreCalibration(path: String, reason: String)
    case limitExceeded(limit: String, maximum: Int)
    /// A parameter is out of its range.
    case invalidParameter(String)
    /// Any other error reply, or one that is no reply.
    case unexpected(String)
}

extension WaymarkError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let path, let reason):
            "no daemon answers at \(path) (\(reason)): start it with `systemctl start waymarkd`, or set the path of "
                + "its "
                + "socket in WAYMARK_SOCKET"
        case .connectionDenied(let path):
            "no permission to connect to \(path): join the group that owns it (`sudo usermod -aG waymark \"$USER\"`) "
                + "and log in again"
        case .disconnected: "the daemon closed the connection: see `systemctl status waymarkd`"
        case .timedOut: "no answer in time: see `systemctl status waymarkd`"
        case .cancelled: "cancelled"
        case .notReady(let reason): "no pose yet: \(reason)"
        case .tooEarly(let oldest, let newest):
            "no pose at this time: stored poses range from \(oldest) to \(newest) since boot"
        case .tooLate(_, let newest): "no pose at this time yet: the newest is from \(newest) since boot"
        case .inGap(let begin, let end):
            "no pose at this time: gap in the inertial data from \(begin) to \(end) since boot"
        case .skippedTime: "this time did not occur: the system clock was set forward across it"
        case .otherGeneration: "the scene frame has been reset since then"
        case .notLocalized(let reason): "no position yet: \(reason)"
        case .permissionDenied:
            "permission denied: only root and the user and group in the daemon's configuration may make changes"
        case .alreadyRecording(let path): "a recording to \(path) is running: stop it first"
        case .notRecording: "no recording is running"
        case .cannotRecord(let path, let reason): "cannot record to \(path): \(reason)"
        case .invalidDocument(let path, let reason): path.isEmpty ? reason : "\(path): \(reason)"
        case .noSuchPlace(let id): "no place with id '\(id)': `waymark places search` shows ids"
        case .noSuchFilter(let name): "no filter '\(name)': `waymark places filters` lists the saved filters"
        case .invalidFilter(let reason): reason
        case .cannotStore(let reason): "the place database is not available: \(reason)"
        case .cannotExport(let reason): "cannot write the file: \(reason)"
        case .noRoute: "no route: set one with `waymark route set FILE`"
        case .otherRoute(let id):
            "the route to replace is not the current one\(id.map { ": '\($0)'" } ?? ", or none")"
        case .invalidAnchor(let field, let reason): "\(field) of the anchor \(reason)"
        case .noSuchAnchor(let id): "no anchor with id '\(id)'"
        case .alreadyCalibrating(let kind):
            "a calibration is already running\(kind.isEmpty ? "" : " (\(kind))"): wait until it has finished"
        case .notCalibrating: "no calibration is running"
        case .noSuchSensor(let sensor):
            "no stored calibration of '\(sensor)': `waymark calibrate show` lists them"
        case .sensorMissing(_, let detail): detail
        case .worseThanPresent(let sensor, let reason):
            "the active calibration of the \(sensor) is better: \(reason); use --force to replace it"
        case .cannotStoreCalibration(let path, let reason): "the daemon cannot write \(path): \(reason)"
        case .limitExceeded(let limit, let maximum):
            "the daemon's limit for \(limit) is reached (\(maximum)): close other clients, or raise the limit in the "
                + "configuration"
        case .invalidParameter(let name): "the daemon rejects the value of \(name): out of range"
        case .unexpected(let what): "unexpected reply (version mismatch with the daemon?): \(what)"
        }
    }
}

extension WaymarkError {
    init(_ failure: VarlinkClient.Failure) {
        switch failure {
        case .unreachable(let path, let error):
            let denied = error.code == EACCES || error.code == EPERM
            self = denied ? .connectionDenied(path: path) : .unreachable(path: path, reason: error.reason)
        case .disconnected: self = .disconnected
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .malformed(let what): self = .unexpected(what)
        case .error(let error): self.init(error)
        }
    }

    private struct Parameters: Decodable {
        var reason: String?
        var path: String?
        var parameter: String?
        var id: String?
        var name: String?
        var limit: String?
        var maximum: Int?
        var kind: String?
        var sensor: String?
        var detail: String?
        var field: String?
        var begin: Time?
        var end: Time?
        var oldest: Time?
        var newest: Time?
    }

    private init(pastPose error: VarlinkError, _ parameters: Parameters) {
        guard let oldest = parameters.oldest, let newest = parameters.newest else {
            self = .unexpected(error.description)
            return
        }
        if error.name == "org.waymark.Pose.InGap", let begin = parameters.begin, let end = parameters.end {
            self = .inGap(begin: begin, end: end)
        } else {
            let isEarly = error.name == "org.waymark.Pose.TooEarly"
            self = isEarly ? .tooEarly(oldest: oldest, newest: newest) : .tooLate(oldest: oldest, newest: newest)
        }
    }

    init(_ error: VarlinkError) {
        let parameters = error.parameters(as: Parameters.self) ?? Parameters()
        let reason = parameters.reason ?? "no reason given"
        let path = parameters.path ?? ""
        switch error.name {
        case "org.waymark.Pose.NotReady": self = .notReady(reason: reason)
        case "org.waymark.Pose.TooEarly", "org.waymark.Pose.TooLate", "org.waymark.Pose.InGap":
            self.init(pastPose: error, parameters)
        case "org.waymark.Pose.SkippedTime": self = .skippedTime
        case "org.waymark.Scene.OtherGeneration": self = .otherGeneration
        case "org.waymark.Scene.NotLocalized": self = .notLocalized(reason: reason)
        case "org.waymark.Recording.AlreadyRecording": self = .alreadyRecording(path: path)
        case "org.waymark.Recording.NotRecording": self = .notRecording
        case "org.waymark.Recording.CannotRecord": self = .cannotRecord(path: path, reason: reason)
        case "org.waymark.Scene.InvalidDocument": self = .invalidDocument(path: path, reason: reason)
        case "org.waymark.Scene.NoSuchPlace": self = .noSuchPlace(id: parameters.id ?? "")
        case "org.waymark.Scene.NoSuchFilter": self = .noSuchFilter(name: parameters.name ?? "")
        case "org.waymark.Scene.InvalidFilter": self = .invalidFilter(reason: reason)
        case "org.waymark.Scene.CannotStore": self = .cannotStore(reason: reason)
        case "org.waymark.Scene.CannotExport": self = .cannotExport(reason: reason)
        case "org.waymark.Scene.NoRoute": self = .noRoute
        case "org.waymark.Scene.OtherRoute": self = .otherRoute(id: parameters.id)
        case "org.waymark.Scene.InvalidAnchor":
            self = .invalidAnchor(field: parameters.field ?? "", reason: reason)
        case "org.waymark.Scene.NoSuchAnchor": self = .noSuchAnchor(id: parameters.id ?? "")
        case "org.waymark.Calibration.AlreadyCalibrating": self = .alreadyCalibrating(kind: parameters.kind ?? "")
        case "org.waymark.Calibration.NotCalibrating": self = .notCalibrating
        case "org.waymark.Calibration.NoSuchSensor": self = .noSuchSensor(parameters.sensor ?? "")
        case "org.waymark.Calibration.SensorMissing":
            self = .sensorMissing(kind: parameters.kind ?? "", detail: parameters.detail ?? "a sensor is missing")
        case "org.waymark.Calibration.InvalidDocument": self = .invalidDocument(path: path, reason: reason)
        case "org.waymark.Calibration.WorseThanPresent":
            self = .worseThanPresent(sensor: parameters.sensor ?? "sensor", reason: reason)
        case "org.waymark.Calibration.CannotStore": self = .cannotStoreCalibration(path: path, reason: reason)
        case "org.waymark.Status.LimitExceeded":
            self = .limitExceeded(limit: parameters.limit ?? "", maximum: parameters.maximum ?? 0)
        case "org.varlink.service.PermissionDenied": self = .permissionDenied
        case "org.varlink.service.InvalidParameter": self = .invalidParameter(parameters.parameter ?? "")
        default: self = .unexpected(error.description)
        }
    }
}
