import Geometry
import Linux
import Model

/// Passive survey of gpsd: listens for a while, which does not affect gpsd's other clients.
package struct GPSDSurvey: Sendable {
    /// Reason why the connection failed, as the predicate of a sentence whose subject is gpsd.
    package private(set) var problem: String?
    /// gpsd's message about a request that it rejected.
    package private(set) var refusal: String?
    /// Number of gpsd's receivers; nil if it did not report it.
    package private(set) var receivers: Int?
    /// Path of the receiver that reported.
    package private(set) var device: String?
    /// Number of reports of position, velocity and time.
    package private(set) var reports = 0
    /// Number of reports with a position.
    package private(set) var fixes = 0
    /// Number of fixes with a time that was not later than all earlier times. gpsd's repetitions of an epoch within a
    /// second are not counted.
    package private(set) var standingFixes = 0
    package private(set) var timelessFixes = 0
    /// Whether the latest fix comes from the receiver's simulator.
    package private(set) var isSimulated = false
    /// Position of the latest fix, with height 0 if it has none.
    package private(set) var position: GeodeticPosition?
    /// Time of the latest fix, UTC since 1970. Unit: s.
    package private(set) var time: Double?
    /// Age of the latest fix on arrival, by this computer's clock. Unit: s.
    package private(set) var age: Double?

    private var geoid = ReceiverGeoid()
    /// Number of fixes with a time later than all earlier times.
    private var newFixes = 0
    /// Latest time of the fixes, and boot time of its arrival. Unit: ns.
    private var newest: (time: Int64, arrival: Int64)?
    /// Time within which gpsd may repeat an epoch. Unit: ns.
    private static let repetition: Int64 = 1_500_000_000
    private static let connectSeconds = 2.0
    private static let maximumLineLength = 65536

    /// Listens until `enough` fixes with ever later times have arrived or `seconds` have passed.
    package init(host: String, port: Int, device wanted: String, seconds: Double, fixes enough: Int, stop: StopFlag) {
        do throws(ConnectionError) {
            let connection = try LineConnection(
                host: host, port: port, timeoutSeconds: Self.connectSeconds, capacity: Self.maximumLineLength,
                stop: stop)
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
        while !stop.isSet, newFixes < enough, refusal == nil {
            let left = Double(deadline - BootClock.nanoseconds) * 1e-9
            guard left > 0 else { break }
            guard stop.wait(seconds: left, orReadable: connection.descriptor), try connection.receive() else {
                continue
            }
            while let report = connection.withNextLine(parser.parse) {
                hasGreeted = hasGreeted || report.release != nil
                take(report)
            }
            // gpsd has no receivers, so no more reports will arrive.
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
        geoid.learn(place.separation)
        position = place.geodetic(geoid) ?? position
        isSimulated = fix.solution == .simulated
        // Listening continues, because a receiver sends some fixes without a time before the first fix with a time.
        guard let stamp = fix.time else { return timelessFixes += 1 }
        let now = BootClock.nanoseconds
        if newest.map({ stamp > $0.time }) ?? true {
            newFixes += 1
            newest = (stamp, now)
        } else if let newest, now - newest.arrival > Self.repetition {
            standingFixes += 1
        }
        time = Double(stamp) * 1e-9
        age = Double(BootClock.nanoseconds + BootClock.realtimeOffsetNanoseconds - stamp) * 1e-9
    }
}
