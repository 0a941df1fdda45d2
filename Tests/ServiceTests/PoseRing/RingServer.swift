import Estimation
import Geometry
import Glibc
import Linux
import Model
import Service
import Synchronization
import TestTools

/// The daemon's side of a pose ring, on a thread and a socket of its own.
final class RingServer: Sendable {
    typealias Command = @Sendable (PoseRingService) -> Void

    let path: String
    private let folder: ScratchFolder
    private let queue: CommandQueue
    private let wake: EventDescriptor
    private let thread: WorkerThread

    /// - Parameter folder: that of another server, which has ended; nil for one of its own.
    init(
        clients: Int = 16, ofUser: Int = 16, isEnabled: Bool = true, in folder: ScratchFolder = ScratchFolder()
    ) {
        let ready = StopFlag()
        let commands = CommandQueue()
        let wake = EventDescriptor()
        let path = folder.path + "/ring"
        thread = WorkerThread(name: "ring-server") { stop in
            guard let reactor = try? Reactor(),
                let listener = try? UnixListener(path: path, kind: .packets, mode: 0o600)
            else { preconditionFailure("a socket in a folder of its own") }
            let service = PoseRingService(
                reactor, listeners: [listener],
                limit: ShareLimit(all: clients, ofUser: ofUser, reserve: 0, privilegedUsers: []),
                isEnabled: isEnabled)
            _ = try? reactor.watch(wake.descriptor, .reading) { [unowned service] _ in
                wake.clear()
                for command in commands.take() { command(service) }
            }
            _ = try? reactor.watch(stop.descriptor, .reading) { [unowned reactor, unowned service] _ in
                service.end()
                reactor.stop()
            }
            ready.set()
            withExtendedLifetime(service) { reactor.run() }
        }
        ready.wait(seconds: 60)
        self.folder = folder
        self.path = path
        self.wake = wake
        self.queue = commands
    }

    /// Runs a command on the server's thread and waits for its end.
    func perform(_ command: @escaping Command) {
        let done = StopFlag()
        queue.add {
            command($0)
            done.set()
        }
        wake.signal()
        done.wait(seconds: 60)
    }

    /// Writes poses.
    func write(_ poses: [PoseEstimate]) {
        perform { service in
            for pose in poses { service.writer?.write(pose, utcOffset: nil, terms: nil) }
        }
    }

    /// Number of clients that the server knows.
    var clientCount: Int {
        let count = Mutex(0)
        perform { service in count.withLock { $0 = service.message?.clients ?? 0 } }
        return count.withLock { $0 }
    }

    /// Ends as the daemon does.
    func end() { thread.stop(timeoutSeconds: 60) }

    deinit { thread.requestStop() }
}

final class CommandQueue: Sendable {
    private let commands = Mutex<[RingServer.Command]>([])

    func add(_ command: @escaping RingServer.Command) { commands.withLock { $0.append(command) } }

    func take() -> [RingServer.Command] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }
}

/// Poses of a head that turns and is carried about.
enum RingPoses {
    static func pose(_ index: Int) -> PoseEstimate {
        let t = Double(index) * 0.005
        let turn = Rotation3.exp(Vector3(0.1 * sin(3 * t), 0.8 * sin(2 * t), 0.2 * cos(t)))
        return PoseEstimate(
            time: BootTime(nanoseconds: 1_000_000_000 + Int64(index) * 5_000_000), generation: 1,
            rotationSceneFromBody: turn, positionInScene: Vector3(sin(t), 1.5, -2 * t),
            velocityInScene: Vector3(cos(t), 0.1, -2), accelerationInScene: Vector3(-sin(t), 0.3 * cos(5 * t), 0.1),
            angularVelocityInBody: Vector3(0.3 * cos(3 * t), 1.6 * cos(2 * t), -0.2 * sin(t)),
            rotationENUFromBody: Rotation3.exp(Vector3(.pi / 2, 0, 0)) * turn, velocityENU: Vector3(3, 4, 0.5),
            geodetic: GeodeticPosition(latitudeDegrees: 47.5, longitudeDegrees: 8.25, ellipsoidalHeight: 450),
            headingReference: .trueNorth,
            accuracy: PoseAccuracy(
                horizontal: 2.5, vertical: 4, yaw: 0.05, velocityHorizontal: 0.3, velocityVertical: 0.2,
                angularVelocity: 0.01),
            orientationTracking: .tracked, positionTracking: .inferred, state: .limited,
            reasons: [.noGNSSData, .positionUncertain], sources: [.inertial, .steps],
            motion: MotionEstimate(kind: .onFoot, probability: 0.75))
    }

    static func list(_ range: Range<Int>) -> [PoseEstimate] { range.map(pose) }
}
