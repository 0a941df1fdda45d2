import Geodesy
import Linux

/// What gpsd says to whoever listens for a while; it serves many, and none of them notices another.
public struct GPSDSurvey: Sendable {
    /// Why there is no connection, as the rest of a sentence that begins with "gpsd".
    public private(set) var problem: String?
    /// What it refused.
    public private(set) var refusal: String?
    /// How many receivers it has; nil where it did not say.
    public private(set) var receivers: Int?
    /// The receiver that spoke.
    public private(set) var device: String?
    /// Reports of a receiver, and how many of them had a place.
    public private(set) var reports = 0
    public private(set) var fixes = 0
    /// Of the newest fix. Height above the ellipsoid, or 0 where it is not known.
    public private(set) var position: GeodeticPosition?
    /// Seconds since 1970 UTC by the receiver, and how much later it came by this computer's clock.
    public private(set) var time: Double?
    public private(set) var age: Double?

    private static let connectSeconds = 2.0
    private static let longestLine = 65536

    /// Listens until so many fixes have come, or the time is over.
    public init(host: String, port: Int, device wanted: String, seconds: Double, fixes enough: Int, stop: StopFlag) {
        do throws(ConnectionError) {
            let connection = try LineConnection(
                host: host, port: port, timeoutSeconds: Self.connectSeconds, capacity: Self.longestLine, stop: stop)
            try connection.send(GPSDClient.watchRequest(device: wanted))
            try listen(connection, seconds, enough, stop)
        } catch {
            problem = "\(error)"
        }
    }

    private mutating func listen(
        _ connection: LineConnection, _ seconds: Double, _ enough: Int, _ stop: StopFlag
    ) throws(ConnectionError) {
        let parser = GPSDParser()
        let deadline = BootClock.nanoseconds + Int64(seconds * 1e9)
        var hasGreeted = false
        while !stop.isSet, fixes < enough, refusal == nil {
            let left = Double(deadline - BootClock.nanoseconds) * 1e-9
            guard left > 0 else { break }
            guard stop.wait(seconds: left, orReadable: connection.descriptor), try connection.receive() else {
                continue
            }
            while let report = connection.withNextLine(parser.parse) {
                hasGreeted = hasGreeted || report.release != nil
                take(report)
            }
            // Without receivers nothing more will come.
            if receivers == 0 { break }
        }
        if !hasGreeted, !stop.isSet { throw ConnectionError("does not respond like gpsd") }
    }

    private mutating func take(_ report: GPSDReport) {
        if let count = report.deviceCount { receivers = count }
        if let error = report.error { refusal = error }
        guard let fix = report.fix else { return }
        reports += 1
        device = report.device ?? device
        guard let place = fix.position else { return }
        fixes += 1
        position =
            GeodeticPosition(
                latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees,
                ellipsoidalHeight: place.ellipsoidalHeight ?? place.seaLevelHeight ?? 0) ?? position
        guard let stamp = fix.time else { return }
        time = Double(stamp) * 1e-9
        age = Double(BootClock.nanoseconds + BootClock.realtimeOffsetNanoseconds - stamp) * 1e-9
    }
}
