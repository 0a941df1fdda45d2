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
            "no daemon answers at \(path) (\(reason)): start it with `systemctl start waymarkd`, or name its socket "
                + "in WAYMARK_SOCKET"
        case .connectionDenied(let path):
            "no permission to connect to \(path): join the group that owns it (`sudo usermod -aG waymark \"$USER\"`) "
                + "and log in again"
        case .disconnected: "the daemon closed the connection: see `systemctl status waymarkd`"
        case .timedOut: "no answer in time: see `systemctl status waymarkd`"
        case .cancelled: "cancelled"
        case .notReady(let reason): "no pose yet: \(reason)"
        case .tooEarly(let oldest, let newest):
            "there is no pose of so early a time: those there are go from \(oldest) to \(newest) since boot"
        case .tooLate(_, let newest): "there is no pose of that time yet: the newest is of \(newest) since boot"
        case .inGap(let begin, let end):
            "there is no pose of that time: the inertial sensors were silent from \(begin) to \(end) since boot"
        case .skippedTime: "there was no such time: the system's clock was set forward across it"
        case .otherGeneration: "the scene frame has been set anew since then"
        case .notLocalized(let reason): "no position yet: \(reason)"
        case .permissionDenied:
            "not permitted: changes are for root and for the user and the group named in the daemon's configuration"
        case .alreadyRecording(let path): "a recording to \(path) is running: stop it first"
        case .notRecording: "no recording is running"
        case .cannotRecord(let path, let reason): "cannot record to \(path): \(reason)"
        case .invalidDocument(let path, let reason): path.isEmpty ? reason : "\(path): \(reason)"
        case .noSuchPlace(let id): "there is no place with the id '\(id)': `waymark places search` shows ids"
        case .noSuchFilter(let name): "there is no filter '\(name)': `waymark places filters` shows those there are"
        case .invalidFilter(let reason): reason
        case .cannotStore(let reason): "the daemon's places are not to be had: \(reason)"
        case .cannotExport(let reason): "cannot write the file: \(reason)"
        case .noRoute: "there is no route: give one with `waymark route set FILE`"
        case .otherRoute(let id):
            "another route than the one to be replaced is followed\(id.map { ": '\($0)'" } ?? ", or none")"
        case .invalidAnchor(let field, let reason): "\(field) of the anchor \(reason)"
        case .noSuchAnchor(let id): "there is no anchor with the id '\(id)'"
        case .alreadyCalibrating(let kind):
            "a calibration is going on\(kind.isEmpty ? "" : " (\(kind))"): wait until it has ended"
        case .notCalibrating: "no calibration is going on"
        case .noSuchSensor(let sensor):
            "nothing is kept of '\(sensor)': `waymark calibrate show` shows what is"
        case .sensorMissing(_, let detail): detail
        case .worseThanPresent(let sensor, let reason):
            "what is in force for the \(sensor) is better: \(reason); --force takes this one all the same"
        case .cannotStoreCalibration(let path, let reason): "the daemon cannot keep it in \(path): \(reason)"
        case .limitExceeded(let limit, let maximum):
            "the daemon's limit for \(limit) is reached (\(maximum)): close other clients, or raise it in the "
                + "configuration"
        case .invalidParameter(let name): "the daemon refuses the value of \(name): it is out of its range"
        case .unexpected(let what): "the daemon gave an answer of another version: \(what)"
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
        let reason = parameters.reason ?? "no reason was given"
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
