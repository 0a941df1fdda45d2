import Glibc
import Linux
import Varlink
import WaymarkInterface

/// Reason why a call failed: a problem with the connection, or an error that an interface declares.
///
/// ```swift
/// do throws(WaymarkError) {
///     print(try Waymark.Client().pose().position)
/// } catch .pose(.notReady(let reason)) {
///     print("no pose yet: \(reason)")
/// } catch .unreachable(let path, _) {
///     print("no daemon at \(path)")
/// }
/// ```
public enum WaymarkError: Error, Equatable, Sendable {
    /// No daemon answers at the path.
    case unreachable(path: String, reason: String)
    /// The path leads to `kind`, such as "a directory", instead of a socket.
    case notASocket(path: String, kind: String)
    /// This user may not connect to the socket at the path.
    case connectionDenied(path: String)
    /// The daemon ended or closed the connection.
    case disconnected
    case timedOut
    /// The caller cancelled the call, for example by Ctrl-C.
    case cancelled
    /// Error of org.waymark.Pose.
    case pose(PoseInterface.Failure)
    /// Error of org.waymark.Scene.
    case scene(SceneInterface.Failure)
    /// Error of org.waymark.Status.
    case status(StatusInterface.Failure)
    /// Error of org.waymark.Recording.
    case recording(RecordingInterface.Failure)
    /// Error of org.waymark.Calibration.
    case calibration(CalibrationInterface.Failure)
    /// Error of org.waymark.Aid.
    case aid(AidInterface.Failure)
    /// Error of org.waymark.Plan.
    case plan(PlanInterface.Failure)
    /// Error of org.waymark.Terrain.
    case terrain(TerrainInterface.Failure)
    /// Error that any method may have, such as a missing permission.
    case service(ServiceInterface.Failure)
    /// The daemon has no pose ring.
    case ringOff
    /// The pose ring has reached its maximum number of clients, in total or for this user.
    case ringLimitReached
    /// The pose ring has a layout that this version of the library does not support.
    case ringOtherLayout
    /// The pose ring is from another boot or another computer, so its times are meaningless here.
    case ringOtherBoot
    /// Any other error, or an invalid reply.
    case unexpected(String)
}

extension WaymarkError {
    init(_ failure: VarlinkClient.Failure) {
        switch failure {
        case .unreachable(let path, let error): self.init(connecting: path, error)
        case .disconnected: self = .disconnected
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .malformed(let what): self = .unexpected(what)
        case .error(let error): self = Self.ofInterface(error) ?? .unexpected(error.description)
        }
    }

    init(connecting path: String, _ error: SystemError) {
        switch error.code {
        case EACCES, EPERM: self = .connectionDenied(path: path)
        case ETIMEDOUT: self = .timedOut
        case ECANCELED: self = .cancelled
        default: self = Self.notASocket(path) ?? .unreachable(path: path, reason: error.reason)
        }
    }

    /// Error if the path is not that of a socket. The kernel reports the same code as for a socket without a listener,
    /// so the file is checked separately.
    private static func notASocket(_ path: String) -> WaymarkError? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        switch information.st_mode & S_IFMT {
        case S_IFSOCK: return nil
        case S_IFDIR: return .notASocket(path: path, kind: "a directory")
        default: return .notASocket(path: path, kind: "a file")
        }
    }

    /// Error of one of the interfaces; nil if the interface is unknown or the parameters do not match the error.
    private static func ofInterface(_ error: VarlinkError) -> WaymarkError? {
        guard let parameters = error.node else { return nil }
        func failure<Failure: InterfaceFailure>(_ type: Failure.Type = Failure.self) -> Failure? {
            Failure(name: error.name, parameters: parameters)
        }
        let daily = failure().map(pose) ?? failure().map(scene) ?? failure().map(status) ?? failure().map(service)
        let stored = failure().map(calibration) ?? failure().map(plan) ?? failure().map(terrain)
        return daily ?? stored ?? failure().map(recording) ?? failure().map(aid)
    }
}

extension WaymarkError: CustomStringConvertible {
    /// Problem and remedy in one sentence.
    public var description: String {
        switch self {
        case .unreachable(let path, let reason):
            "no daemon answers at \(path) (\(reason)): start it with `systemctl start waymarkd`, or set the path of "
                + "its "
                + "socket in WAYMARK_SOCKET"
        case .notASocket(let path, let kind):
            "\(path) is \(kind), not a socket: give the path of the daemon's socket"
        case .connectionDenied(let path):
            "no permission to connect to \(path): join the group that owns it (`sudo usermod -aG waymark \"$USER\"`) "
                + "and log in again"
        case .disconnected: "the daemon closed the connection: see `systemctl status waymarkd`"
        case .timedOut: "no answer in time: see `systemctl status waymarkd`"
        case .cancelled: "cancelled"
        case .pose(let failure): Self.sentence(failure)
        case .scene(let failure): Self.sentence(failure)
        case .status(.limitExceeded(.known(.plans), let maximum)):
            "\(maximum) plans are stored, and no more can be: remove one with `waymark plan remove ID`"
        case .status(.limitExceeded(.known(.terrain), let maximum)):
            "no more than \(maximum) tiles of terrain can be stored: remove some with `waymark terrain remove LAT,LON`"
        case .status(.limitExceeded(.known(.buildings), let maximum)):
            "no more than \(maximum) buildings can be stored: remove some with `waymark terrain remove LAT,LON`"
        case .status(.limitExceeded(let limit, let maximum)):
            "the daemon's limit for \(limit) is reached (\(maximum)): close other clients, or raise the limit in the "
                + "configuration"
        case .recording(let failure): Self.sentence(failure)
        case .calibration(let failure): Self.sentence(failure)
        case .aid(let failure): Self.sentence(failure)
        case .plan(let failure): Self.sentence(failure)
        case .terrain(let failure): Self.sentence(failure)
        case .service(let failure): Self.sentence(failure)
        case .ringOff:
            "the daemon has no pose ring: set service.pose_ring to true in its configuration, or see `waymark doctor`"
        case .ringLimitReached:
            "the pose ring has its maximum of clients: close others, or raise service.max_clients in the configuration"
        case .ringOtherLayout: "the pose ring has a layout unknown here: install the same version as the daemon's"
        case .ringOtherBoot: "the pose ring is of another boot of the computer: connect to a daemon of this one"
        case .unexpected(let what): Self.mismatch(what)
        }
    }

    private static func mismatch(_ what: String) -> String {
        "unexpected reply (version mismatch with the daemon?): \(what)"
    }

    private static func sentence(_ failure: PoseInterface.Failure) -> String {
        switch failure {
        case .notReady(let reason): "no pose yet: \(reason)"
        case .tooEarly(let oldest, let newest):
            "no pose at this time: stored poses range from \(oldest) to \(newest) since boot"
        case .tooLate(_, let newest): "no pose at this time yet: the newest is from \(newest) since boot"
        case .inGap(let begin, let end, _, _):
            "no pose at this time: gap in the inertial data from \(begin) to \(end) since boot"
        case .skippedTime: "this time did not occur: the system clock was set forward across it"
        }
    }

    private static func sentence(_ failure: SceneInterface.Failure) -> String {
        switch failure {
        case .notLocalized(let reason): "no position yet: \(reason)"
        case .invalidAnchor(let field, let reason): "\(field) of the anchor \(reason)"
        case .cannotKeep(let reason): "the anchor cannot be stored: \(reason)"
        case .noSuchAnchor(let id): "no anchor with id '\(id)'"
        case .noRoute: "no route: set one with `waymark route set FILE`"
        case .otherRoute(let id):
            "the route to replace is not the current one\(id.map { ": '\($0)'" } ?? ", or none")"
        case .ambiguousPlace(let text, let candidates):
            "'\(text)' is ambiguous; choose a place by its id: \(candidates.map(\.id).joined(separator: ", "))"
        case .invalidDestination(let field, let reason): "\(field) \(reason)"
        case .navigationFailed(let reason): reason
        case .navigationTimedOut(let seconds):
            "no answer from the navigator within \(seconds) s: see `systemctl status waymark-navigator`"
        case .navigationSuperseded: "a later request has taken the place of this one"
        case .noNavigator: "no navigator is registered: `systemctl start waymark-navigator`"
        case .navigatorRegistered(let process, let user, let service):
            "process \(process) of user \(user) is the navigator already\(service.map { " (\($0))" } ?? ""): "
                + "stop it first"
        case .noSuchRequest(let request): "no request \(request) waits for an answer: it was answered, or is over"
        case .otherGeneration: "the scene frame has been reset since then"
        case .invalidDocument(let path, let reason): path.isEmpty ? reason : "\(path): \(reason)"
        case .noSuchPlace(let id): "no place '\(id)': `waymark places search` shows names and ids"
        case .noSuchFilter(let name): "no filter '\(name)': `waymark places filters` lists the saved filters"
        case .invalidFilter(let reason): reason
        case .cannotStore(let reason): "the place database is not available: \(reason)"
        case .cannotExport(let reason): "cannot write the file: \(reason)"
        }
    }

    private static func sentence(_ failure: RecordingInterface.Failure) -> String {
        switch failure {
        case .alreadyRecording(let path): "a recording to \(path) is running: stop it first"
        case .notRecording: "no recording is running"
        case .cannotRecord(let path, let reason): "cannot record to \(path): \(reason)"
        }
    }

    private static func sentence(_ failure: CalibrationInterface.Failure) -> String {
        switch failure {
        case .alreadyCalibrating(let kind): "a calibration is already running (\(kind)): wait until it has finished"
        case .notCalibrating: "no calibration is running"
        case .noSuchSensor(let sensor): "no stored calibration of '\(sensor)': `waymark calibrate show` lists them"
        case .sensorMissing(_, let detail): detail
        case .invalidDocument(let path, let reason): path.isEmpty ? reason : "\(path): \(reason)"
        case .worseThanPresent(let sensor, let reason):
            "the active calibration of the \(sensor) is better: \(reason); use --force to replace it"
        case .cannotStore(let path, let reason): "the daemon cannot write \(path): \(reason)"
        }
    }

    private static func sentence(_ failure: AidInterface.Failure) -> String {
        switch failure {
        case .alreadyOpen(let source): "a source '\(source)' is open already: choose another name"
        case .sourceNotOpen(let source): "no source '\(source)' is open on this connection: open it first"
        case .kindNotDeclared(let kind): "the source was opened without \(kind): open it with all its kinds"
        case .samplesNotConfigured(let setting, ""):
            "no source may offer samples: name it by \(setting) in the configuration, and restart the daemon"
        case .samplesNotConfigured(let setting, let source):
            "samples are taken of the source '\(source)' alone: see \(setting) in the configuration"
        case .timeInFuture(let ahead):
            "the time is \(seconds(ahead)) in the future: times are seconds of CLOCK_BOOTTIME"
        case .tooOld(let age, let maximum):
            "the measurement is \(seconds(age)) old, more than \(seconds(maximum)): times are seconds of CLOCK_BOOTTIME"
        case .outOfOrder(let newest): "the measurement is not after the one before, of \(newest)"
        case .outOfRange(let field): "the value of \(field) is out of range"
        case .invalidRotation(let field): "the length of the quaternion \(field) is not 1"
        case .batchTooLarge(let samples, let span):
            "more than \(samples) samples in a call, or more than \(seconds(span)) between them: send smaller ones"
        case .tooManyOffers(let maximum): "more than \(maximum) offers a second"
        }
    }

    private static func sentence(_ failure: PlanInterface.Failure) -> String {
        switch failure {
        case .invalidDocument(let path, let reason): path.isEmpty ? reason : "\(path): \(reason)"
        case .noSuchPlan(let id): "no plan with id '\(id)': `waymark plan list` shows ids"
        case .cannotStore(let reason): "the stored plans are not available: \(reason)"
        }
    }

    private static func sentence(_ failure: TerrainInterface.Failure) -> String {
        switch failure {
        case .invalidDocument(let path, let reason): path.isEmpty ? reason : "\(path): \(reason)"
        case .cannotStore(let reason): "the stored terrain is not available: \(reason)"
        }
    }

    /// Duration with three decimals, truncated.
    private static func seconds(_ duration: Double) -> String {
        "\((duration * 1000).rounded(.towardZero) / 1000) s"
    }

    private static func sentence(_ failure: ServiceInterface.Failure) -> String {
        switch failure {
        case .permissionDenied:
            "permission denied: changes require the group in the daemon's configuration "
                + "(`sudo usermod -aG waymark-change \"$USER\"`, then log in again), offers of measurements the group "
                + "waymark-aid"
        case .invalidParameter(let parameter): "the daemon rejects the value of \(parameter): out of range"
        case .interfaceNotFound, .methodNotFound, .methodNotImplemented, .expectedMore:
            mismatch("\(VarlinkError(failure))")
        }
    }
}
