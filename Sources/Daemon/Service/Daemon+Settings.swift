import Configuration
import Linux
import Varlink

extension Daemon {
    /// Generous estimate of the number of descriptors of sensors, recordings and the daemon itself.
    private static let ownDescriptors = 256

    func reloadSettings() {
        guard let reload else { return Log.notice("reload ignored: no configuration files in use") }
        notifier.reloading()
        defer { notifier.ready(status: announcer.statusLine) }
        do throws(ConfigurationError) {
            let (running, waiting) = configuration.reloaded(with: try reload())
            configuration = running
            apply()
            let restart = waiting.map(\.path).joined(separator: ", ")
            Log.notice("configuration reloaded" + (restart.isEmpty ? "" : "; takes effect after a restart: \(restart)"))
        } catch {
            for problem in error.problems { Log.error("\(problem)") }
            Log.error("reload failed; keeping the current settings")
        }
    }

    /// Raises the limit of file descriptors, so that those held for clients leave enough for sensors and recordings.
    func reserveDescriptors() {
        let wanted = server.limits.descriptors + ring.descriptors + Self.ownDescriptors
        let allowed = ProcessResources.allowDescriptors(wanted)
        guard allowed < wanted else { return }
        Log.warning(
            "clients may make this process hold \(wanted) file descriptors (service.max_clients, and what waits to be "
                + "closed); the limit is \(allowed) (LimitNOFILE=)")
    }

    private func apply() {
        Log.threshold = configuration.service.logLevel.priority
        server.limits = ServerLimits(configuration.service)
        ring.places.limit = ShareLimit(ofRingClients: configuration.service)
        reserveDescriptors()
        poses.settings = configuration.pose
        power.apply(configuration.power)
        interfaces.authorization = Authorization(configuration.service)
        calibrations.apply(configuration.calibration)
        scene.apply(configuration)
        recorder.apply(configuration.recording)
    }
}

extension ShareLimit {
    /// Creates the limit for clients of the pose ring, which is the same as for other clients.
    init(ofRingClients section: Configuration.Service) {
        self.init(all: section.maxClients, ofUser: section.maxClientsPerUser, reserve: ServerLimits().reserve)
    }
}

extension ServerLimits {
    init(_ section: Configuration.Service) {
        self.init()
        messageLength = section.maxMessageBytes
        clients = section.maxClients
        streams = section.maxSubscriptions
        clientsOfUser = section.maxClientsPerUser
        streamsOfUser = section.maxSubscriptionsPerUser
        callsOfUser = section.maxPendingCallsPerUser
        pendingCalls = section.maxPendingCallsPerClient
        stallTimeout = Int64(section.stuckClientSeconds * 1e9)
    }
}

extension Configuration.LogLevel {
    /// Journal priority that corresponds to the level.
    public var priority: Log.Priority {
        switch self {
        case .error: .error
        case .warning: .warning
        case .notice: .notice
        case .info: .info
        case .debug: .debug
        }
    }
}
