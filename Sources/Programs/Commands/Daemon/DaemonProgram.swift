import Configuration
import Glibc
import Linux
import Service

extension ServiceProgram {
    private static let demo = Flag("demo", help: "Run the built-in simulated walk, without hardware or configuration")
    private static let compassOff = Option.number(
        "compass-off", value: "DEGREES", in: -180...180, help: "With --demo: error of the compass for good, clockwise")
    private static let gyroOff = Option.number(
        "gyro-off", value: "DEGREES", in: 0...20, help: "With --demo: bias of the gyroscope, in degrees a second")
    private static let camera = Flag(
        "camera", help: "With --demo: the wearer also has a camera with visual-inertial odometry")
    private static let socket = Option.text("socket", value: "PATH", help: "Socket path (overrides the settings)")
    private static let check = Flag("check-config", help: "Check the settings and exit")

    static let daemon = ServiceProgram(
        "waymarkd", "Estimate the wearer's pose from GNSS and inertial sensors and serve it on a Unix socket.",
        options: [demo, compassOff, gyroOff, camera, Option.config, socket, check], common: [],
        notes: """
            Settings: \(Configuration.systemFile) and \(Configuration.systemFile).d/*.toml.
            Exit codes: 0 done, 1 failed, 2 usage, 78 settings.
            """, body: run)

    @Sendable private static func run(_ options: ParsedOptions) throws {
        let file = options[.config]
        if options[demo], file != nil {
            throw Misuse(
                "--demo has its own settings: leave out --config, or set source.kind = \"simulation\" in the file")
        }
        if !options[demo], options[compassOff] != nil || options[gyroOff] != nil || options[camera] {
            throw Misuse("--compass-off, --gyro-off and --camera belong to the simulated board: they need --demo")
        }
        if options[check] { return report(options[demo] ? Configuration() : try Configuration.load(file: file)) }
        let socket = options[socket]
        if options[demo] {
            return try demonstrate(socket: socket) {
                $0.compassOffDegrees = options[compassOff] ?? 0
                $0.gyroOffDegreesPerSecond = options[gyroOff] ?? 0
                $0.camera = options[camera]
            }
        }
        let read = { () throws(ConfigurationError) -> Configuration in
            var configuration = try Configuration.load(file: file)
            if let socket { configuration.service.socket = socket }
            return configuration
        }
        try serve(try read(), reload: read)
    }

    private static func demonstrate(
        socket: String?, change: (inout Configuration.Simulation) -> Void
    ) throws {
        // Signals are blocked before the folders are made, and until they are removed. In between only the daemon reads
        // signals.
        let signals = try SignalDescriptor(Daemon.signals(isDemonstration: true))
        defer { while signals.next() != nil {} }
        let state = try DemonstrationState(socket: socket)
        defer { state.remove() }
        var configuration = state.configuration
        if let socket { configuration.service.socket = socket }
        change(&configuration.simulation)
        try serve(configuration, reload: nil)
    }

    private static func serve(
        _ configuration: Configuration, reload: (() throws(ConfigurationError) -> Configuration)?
    ) throws {
        Log.threshold = configuration.service.logLevel.priority
        ServiceNotifier().protectMemory()
        ProcessResources.returnLargeBlocks()
        let lock = try lockState(configuration.state.directory)
        let listeners = try listeners(configuration.service)
        let daemon = try Daemon(
            configuration: configuration, environment: .configured(configuration), listeners: listeners,
            reload: reload)
        try withExtendedLifetime(lock) { try daemon.run() }
    }

    /// Keeps a second daemon from using the same state. A read-only folder cannot be locked; the components that write
    /// to the folder then report this.
    private static func lockState(_ folder: String) throws(SystemError) -> FolderLock? {
        File.makeDirectory(of: folder + "/lock", mode: 0o700)
        do throws(FolderLock.Failure) {
            let lock = try FolderLock(folder)
            if let process = lock.formerProcess {
                Log.warning(
                    "process \(process) has not ended completely: a file that a client handed to it does not answer")
            }
            return lock
        } catch {
            switch error {
            case .impossible(let cause):
                Log.notice("a second daemon on the same state would not be noticed: \(cause)")
                return nil
            case .taken(let process):
                let holder = process.map { "process \($0)" } ?? "another process"
                throw SystemError(
                    "state.directory \(folder) is in use by \(holder): stop it, or choose another", code: EBUSY)
            }
        }
    }

    /// Returns the sockets that the service manager has passed. If it has passed none, makes them.
    private static func listeners(_ section: Configuration.Service) throws -> [UnixListener] {
        let handedOver = try SocketActivation.takeListeners()
        guard handedOver.isEmpty else { return handedOver }
        let group = section.socketGroup.isEmpty ? nil : Accounts.group(named: section.socketGroup)
        if group == nil, !section.socketGroup.isEmpty {
            Log.warning("group '\(section.socketGroup)' does not exist; the socket keeps the daemon's own group")
        }
        try makeFolder(of: section.socket)
        let main = try UnixListener(path: section.socket, mode: mode_t(section.socketMode), group: group)
        return [main] + ringListener(section, group)
    }

    /// Makes the socket of the pose ring. If this fails, the daemon still serves everything else, and its status
    /// reports the reason.
    private static func ringListener(_ section: Configuration.Service, _ group: gid_t?) -> [UnixListener] {
        guard section.poseRing else { return [] }
        do throws(SystemError) {
            let mode = mode_t(section.socketMode)
            return [try UnixListener(path: section.poseRingPath, kind: .packets, mode: mode, group: group)]
        } catch {
            Log.warning("no socket for the pose ring: \(error)")
            return []
        }
    }

    /// Makes the socket's folder but none of its parents, which is enough for /run/waymark. Under systemd, the socket
    /// unit makes the folder.
    private static func makeFolder(of socket: String) throws {
        let folder = String(socket[..<(socket.lastIndex(of: "/") ?? socket.startIndex)])
        guard !folder.isEmpty, mkdir(folder, 0o755) != 0, errno != EEXIST else { return }
        throw SystemError(
            "make \(folder) for the socket: start waymarkd through its systemd units or as root, or give --socket a path "
                + "in a folder of your own",
            code: errno)
    }
}
