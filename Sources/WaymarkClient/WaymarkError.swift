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
    /// No position is known yet.
    case notLocalized(reason: String)
    /// This user may not change things.
    case permissionDenied
    case alreadyRecording(path: String)
    case notRecording
    case cannotRecord(path: String, reason: String)
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
        case .notLocalized(let reason): "no position yet: \(reason)"
        case .permissionDenied:
            "not permitted: changes are for root and for the user and the group named in the daemon's configuration"
        case .alreadyRecording(let path): "a recording to \(path) is running: stop it first"
        case .notRecording: "no recording is running"
        case .cannotRecord(let path, let reason): "cannot record to \(path): \(reason)"
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
        var limit: String?
        var maximum: Int?
    }

    init(_ error: VarlinkError) {
        let parameters = error.parameters(as: Parameters.self) ?? Parameters()
        let reason = parameters.reason ?? "no reason was given"
        let path = parameters.path ?? ""
        switch error.name {
        case "org.waymark.Pose.NotReady": self = .notReady(reason: reason)
        case "org.waymark.Scene.NotLocalized": self = .notLocalized(reason: reason)
        case "org.waymark.Recording.AlreadyRecording": self = .alreadyRecording(path: path)
        case "org.waymark.Recording.NotRecording": self = .notRecording
        case "org.waymark.Recording.CannotRecord": self = .cannotRecord(path: path, reason: reason)
        case "org.waymark.Status.LimitExceeded":
            self = .limitExceeded(limit: parameters.limit ?? "", maximum: parameters.maximum ?? 0)
        case "org.varlink.service.PermissionDenied": self = .permissionDenied
        case "org.varlink.service.InvalidParameter": self = .invalidParameter(parameters.parameter ?? "")
        default: self = .unexpected(error.description)
        }
    }
}
