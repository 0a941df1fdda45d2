import CSensorProxy
import Glibc
import Linux

/// The service `net.hadess.SensorProxy` on the system bus, with the claims of its clients.
///
/// It maintains the connection. Without a bus, or without permission for the name, it retries. If another program owns
/// the name, it waits for the name. A reading is sent to the clients that have claimed its sensor, and the presence of
/// sensors is sent to every client. Not thread-safe: for use on the reactor's thread.
final class SensorService {
    /// Called when the claimed sensors may have changed.
    var onClaims: (ProxySensors) -> Void = { _ in }
    /// While true, claims of sensors that need poses are answered later, by `answerClaims`.
    var isStarting = false

    private let reactor: Reactor
    private let address: String
    private let proxy: UnsafeMutablePointer<csensor_proxy>
    private var words: [String: UnsafeMutablePointer<CChar>] = [:]
    private var connection: BusConnection?
    private var name = BusName()
    private var claims = SensorClaims()
    private var claimCalls: [OpaquePointer] = []
    private var unsent: SensorProperties = []
    private var retry: TimerIdentifier?
    private var pause = SensorService.minimumPause

    /// Initial interval between two connection attempts, which doubles after each failure. Unit: ns.
    private static let minimumPause: Int64 = 1_000_000_000
    private static let maximumPause: Int64 = 30_000_000_000
    /// Maximum number of calls that wait for the first reading; further calls are answered immediately.
    private static let maximumWaitingCount = SensorClaims.maximumClients

    /// Creates the service; `connect` starts it.
    init(_ reactor: Reactor, at address: String) {
        self.reactor = reactor
        self.address = address
        proxy = .allocate(capacity: 1)
        csensor_proxy_init(proxy)
        for word in ScreenOrientation.allCases.map(\.rawValue) + ScreenTilt.allCases.map(\.rawValue) {
            words[word] = words[word] ?? strdup(word)
        }
        proxy.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        proxy.pointee.call = { context, message, member, client, error in
            guard let context, let message, let member, let client else { return -EINVAL }
            return Unmanaged<SensorService>.fromOpaque(context).takeUnretainedValue().handle(
                SensorCall(method: String(cString: member)), message, String(cString: client), error)
        }
    }

    deinit {
        close()
        words.values.forEach { free($0) }
        proxy.deallocate()
    }

    /// Connects to the bus, or retries until there is a bus.
    func connect() {
        do throws(SystemError) {
            let connection = try BusConnection(reactor, to: address) { [weak self] in self?.lost($0) }
            self.connection = connection
            try check("add the objects of \(CSENSOR_PROXY_NAME)", csensor_proxy_add(connection.bus, proxy))
            try followNames(connection.bus)
            connection.start()
        } catch {
            lost(error)
        }
    }

    func close() {
        if let retry { reactor.cancel(retry) }
        retry = nil
        forget()
    }

    // MARK: readings

    /// Stores new readings, and sends those that have changed.
    func publish(_ readings: SensorReadings, _ changes: SensorProperties) {
        proxy.pointee.has_accelerometer = readings.isPresent ? 1 : 0
        proxy.pointee.has_compass = readings.isPresent ? 1 : 0
        proxy.pointee.orientation = UnsafePointer(words[readings.device.orientation.rawValue])
        proxy.pointee.tilt = UnsafePointer(words[readings.device.tilt.rawValue])
        proxy.pointee.compass_heading = readings.heading
        unsent.formUnion(changes)
        guard !unsent.isEmpty, let connection, connection.isKeepingUp else { return }
        let changed = unsent
        unsent = []
        emit(changed.intersection(.presence), to: nil)
        for (sensor, properties) in SensorProperties.ofSensors where !changed.isDisjoint(with: properties) {
            for client in claims.clients(of: sensor) { emit(changed.intersection(properties), to: client) }
        }
        connection.flush()
    }

    /// Answers the calls that wait for the first reading.
    func answerClaims() {
        isStarting = false
        for message in claimCalls {
            reply(message)
            sd_bus_message_unref(message)
        }
        claimCalls = []
        connection?.flush()
    }

    private func emit(_ properties: SensorProperties, to client: String?) {
        guard let connection else { return }
        // If a signal cannot be sent, it is lost, and clients keep outdated values until the next change. An end of the
        // connection need not be handled here, because the connection detects it.
        _ = csensor_proxy_emit(connection.bus, proxy, client, properties.rawValue)
    }

    // MARK: calls

    private func handle(
        _ call: SensorCall?, _ message: OpaquePointer, _ client: String, _ error: UnsafeMutablePointer<sd_bus_error>?
    ) -> Int32 {
        guard let call else { return -EINVAL }
        guard call.isClaim else {
            claims.release(call.sensor, by: client)
            onClaims(claims.claimed)
            return 0
        }
        guard claims.claim(call.sensor, by: client) else {
            return sd_bus_error_set(
                error, "org.freedesktop.DBus.Error.LimitsExceeded",
                "\(SensorClaims.maximumClients) clients have claimed sensors, which is the limit: "
                    + "end some of them, or have them release what they do not use")
        }
        onClaims(claims.claimed)
        guard !call.sensor.isDisjoint(with: .ofPoses) else { return 0 }
        if isStarting, claimCalls.count < Self.maximumWaitingCount {
            claimCalls.append(sd_bus_message_ref(message))
            return 1
        }
        // The client may have read outdated values before its claim.
        for (sensor, properties) in SensorProperties.ofSensors where sensor == call.sensor {
            emit(properties, to: client)
        }
        return 0
    }

    private func reply(_ call: OpaquePointer) {
        var answer: OpaquePointer?
        guard let connection, sd_bus_message_new_method_return(call, &answer) >= 0 else { return }
        _ = sd_bus_send(connection.bus, answer, nil)
        sd_bus_message_unref(answer)
    }

    // MARK: the bus

    private func followNames(_ bus: OpaquePointer) throws(SystemError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        // The match is added before any client can claim a sensor. Because the bus keeps the order of messages, the
        // departure of every client with a claim is reported here.
        try check(
            "follow the clients of the system bus",
            sd_bus_add_match_async(bus, nil, BusName.departures, BusName.ignore, nil, nil))
        try check(
            "follow names of the system bus",
            sd_bus_add_filter(
                bus, nil,
                { message, context, _ in
                    guard let message, let context else { return 0 }
                    Unmanaged<SensorService>.fromOpaque(context).takeUnretainedValue().take(message)
                    return 0
                }, context))
        try requestName(bus)
    }

    private func take(_ message: OpaquePointer) {
        switch BusName.event(message) {
        case .acquired:
            pause = Self.minimumPause
            if name.acquired() { Log.notice("sensor proxy: clients are served as \(CSENSOR_PROXY_NAME)") }
        case .lost:
            name.lost()
        case .departure(let client):
            claims.remove(client)
            onClaims(claims.claimed)
        case nil: break
        }
    }

    private func requestName(_ bus: OpaquePointer) throws(SystemError) {
        try check(
            "request \(CSENSOR_PROXY_NAME)",
            sd_bus_request_name_async(
                bus, nil, CSENSOR_PROXY_NAME, BusName.queue,
                { message, context, _ in
                    guard let message, let context else { return 0 }
                    Unmanaged<SensorService>.fromOpaque(context).takeUnretainedValue().nameAnswered(message)
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque()))
    }

    private func nameAnswered(_ message: OpaquePointer) {
        guard let problem = BusName.problem(message) else { return }
        name.report(problem)
        // A queued request is not an error, because the bus itself reports when the name becomes free.
        guard problem != .taken else { return }
        retryLater { service in
            guard let bus = service.connection?.bus else { return }
            try? service.requestName(bus)
            service.connection?.flush()
        }
    }

    private func lost(_ error: SystemError) {
        forget()
        name.report(.noBus(error))
        onClaims(claims.claimed)
        retryLater { $0.connect() }
    }

    private func forget() {
        claimCalls.forEach { sd_bus_message_unref($0) }
        claimCalls = []
        claims.removeAll()
        connection?.close()
        connection = nil
        unsent = []
    }

    private func retryLater(_ attempt: @escaping (SensorService) -> Void) {
        if let retry { reactor.cancel(retry) }
        retry = reactor.after(pause) { [weak self] in
            guard let self else { return }
            retry = nil
            attempt(self)
        }
        pause = min(2 * pause, Self.maximumPause)
    }

    private func check(_ operation: String, _ result: Int32) throws(SystemError) {
        if result < 0 { throw SystemError(operation, code: -result) }
    }
}

extension SensorProperties {
    /// Properties for the presence of sensors.
    fileprivate static let presence: SensorProperties = [.hasAccelerometer, .hasCompass]
    /// Properties that are sent to the clients that have claimed a sensor.
    fileprivate static let ofSensors: [(ProxySensors, SensorProperties)] = [
        (.accelerometer, [.orientation, .tilt]), (.compass, .heading),
    ]
}
