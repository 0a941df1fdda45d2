import Linux
import Model

/// Connection to gpsd, for use by one thread.
///
/// libgps parses the lines, but this class makes the connection, because libgps blocks while connecting and does not
/// notice the end of a connection (gps_waiting stays true, and gps_read fails without a reason, indefinitely).
final class GPSDClient {
    private let settings: GPSDSource.Settings
    private let queue: MeasurementQueue
    private let status: GPSDStatus
    private let parser = GPSDParser()
    private let conversion: FixConversion
    private var assembler: EpochAssembler
    private var epochInterval = EpochInterval()
    private var epochProgress = EpochProgress()
    private var arrivalStamp: ArrivalStamp
    private var errorOrigin = ErrorOrigin()
    private var satellites = SatelliteCount()
    /// Boot time at which the last delivered fix arrived. Unit: ns.
    private var lastDelivery: Int64 = 0

    /// Path of the receiver in use; nil until a receiver has reported.
    private var device: String?
    /// Boot times of the last line of any kind, and of the last report of the receiver. Unit: ns.
    private var lastLine: Int64 = 0
    private var lastReport: Int64 = 0
    private var isProbing = false
    private var hasGreeted = false
    /// Whether gpsd has reported an error, and whether it has no receivers. Either explains why no reports follow.
    private var isRefused = false
    private var hasNoReceiver = false

    /// Geoid that the receiver reported last.
    private var geoid = ReceiverGeoid()

    private static let firstPause = 0.25
    private static let maximumPause = 2.0
    private static let connectSeconds = 2.0
    /// Time limit for gpsd's response to a request. Unit: ns.
    private static let answerNanoseconds: Int64 = 2_000_000_000
    /// Length limit of a line in bytes. gpsd's longest object, a list of all satellites, is several times shorter.
    private static let maximumLineLength = 65536

    init(settings: GPSDSource.Settings, queue: MeasurementQueue, status: GPSDStatus) {
        self.settings = settings
        self.queue = queue
        self.status = status
        assembler = EpochAssembler(holdNanoseconds: settings.epochHoldNanoseconds)
        arrivalStamp = ArrivalStamp(latencyNanoseconds: Int64(settings.latencySeconds * 1e9))
        conversion = FixConversion(
            errorConfidence: settings.errorConfidence, latencySeconds: settings.latencySeconds,
            antennaInBody: settings.antennaInBody)
    }

    func run(until stop: StopFlag) {
        var pause = Self.firstPause
        while !stop.isSet {
            hasGreeted = false
            do throws(ConnectionError) {
                let connection = try LineConnection(
                    host: settings.host, port: settings.port, timeoutSeconds: Self.connectSeconds,
                    capacity: Self.maximumLineLength, stop: stop)
                try serve(connection, until: stop)
            } catch {
                if !stop.isSet { status.change(to: .searching, "\(error); \(advice)", device: nil) }
            }
            pause = hasGreeted ? Self.firstPause : min(2 * pause, Self.maximumPause)
            stop.wait(seconds: pause)
        }
    }

    private var advice: String {
        let isHere = ["localhost", "::1"].contains(settings.host) || settings.host.hasPrefix("127.")
        return "check that gpsd is running (systemctl status gpsd.socket) and that gnss.host and gnss.port are correct"
            + (isHere ? "" : ", and that IPAddressAllow= of the service permits the address")
    }

    /// Processes reports until the stop flag is set; throws when the connection has ended.
    private func serve(_ connection: LineConnection, until stop: StopFlag) throws(ConnectionError) {
        try connection.send(Self.watchRequest(device: settings.device))
        lastLine = BootClock.nanoseconds
        lastReport = lastLine
        isProbing = false
        isRefused = false
        hasNoReceiver = false
        while !stop.isSet {
            let isReadable = stop.wait(seconds: secondsToWait, orReadable: connection.descriptor)
            let now = BootClock.nanoseconds
            if isReadable, try connection.receive() {
                while let report = connection.withNextLine(parser.parse) { take(report, now: now) }
            }
            deliver(assembler.expire(now: now))
            noticeSilence(now: now)
            try probe(connection, now: now)
        }
    }

    /// Request by which gpsd starts its reports.
    ///
    /// - Parameter device: path of the receiver; empty for all receivers.
    static func watchRequest(device: String) -> String {
        // The configuration rejects quotes and control characters in a path. Other callers may not, so they are removed
        // here.
        let path = device.unicodeScalars.filter { $0.value >= 32 && $0 != "\"" && $0 != "\\" }
        let device = path.isEmpty ? "" : ",\"device\":\"\(String(String.UnicodeScalarView(path)))\""
        return "?WATCH={\"enable\":true,\"json\":true\(device)};\n"
    }

    private var silenceNanoseconds: Int64 { Int64(settings.silenceSeconds * 1e9) }

    /// Time until the next deadline. Unit: s.
    private var secondsToWait: Double {
        let silence = max(lastReport, lastLine) + silenceNanoseconds
        let next = min(assembler.deadline ?? .max, silence)
        // Silence and probes are checked at least every half second.
        return min(max(Double(next - BootClock.nanoseconds) * 1e-9, 0.001), 0.5)
    }

    private func take(_ report: GPSDReport, now: Int64) {
        lastLine = now
        isProbing = false
        takeAnswers(report)
        if let used = report.satellitesUsed, [nil, device].contains(report.device) {
            satellites.take(used, arrival: now)
        }
        guard report.fix != nil || report.sigmas != nil, isCurrentReceiver(report.device, now: now) else { return }
        lastReport = now
        hasNoReceiver = false
        if let sigmas = report.sigmas { deliver(assembler.take(sigmas, arrival: now)) }
        guard var fix = report.fix else { return }
        if satellites.areTooFew(now: now) { fix.holdHeight() }
        if fix.position != nil, let time = fix.time { epochProgress.take(time, arrival: now) }
        let finished = assembler.take(fix, arrival: now, isClockStuck: isClockStuck)
        if finished.isEmpty && assembler.deadline == nil && fix.position == nil { noteMissingFix(fix, now: now) }
        deliver(finished)
        if fix.position != nil { noteStandstill(now: now) }
    }

    private var isClockStuck: Bool { epochProgress.isStandingStill(limit: silenceNanoseconds) }

    private func takeAnswers(_ report: GPSDReport) {
        if let release = report.release {
            hasGreeted = true
            // This state is part of every normal start, so it is not logged as a warning.
            status.change(
                to: .searching, "connected to gpsd \(release); no data from the receiver yet", device: nil,
                priority: .notice)
        }
        if let text = report.error {
            isRefused = true
            status.change(to: .searching, "error from gpsd: \(text); check gnss.device", device: nil)
        }
        if let count = report.deviceCount { hasNoReceiver = count == 0 }
        if report.deviceCount == 0 {
            let advice = "has no receiver; configure one in /etc/default/gpsd or with gpsdctl add"
            status.change(to: .searching, advice, device: nil)
        }
    }

    /// Whether the report is from the receiver in use. The first receiver that reports is used until it falls silent.
    private func isCurrentReceiver(_ other: String?, now: Int64) -> Bool {
        guard let other, other != device else { return true }
        guard device == nil || now - lastReport > silenceNanoseconds else { return false }
        device = other
        assembler = EpochAssembler(holdNanoseconds: settings.epochHoldNanoseconds)
        epochInterval = EpochInterval()
        epochProgress.restart()
        arrivalStamp.restart()
        errorOrigin = ErrorOrigin()
        satellites = SatelliteCount()
        return true
    }

    private func deliver(_ epochs: [EpochAssembler.Epoch]) {
        for var epoch in epochs {
            epoch.isErrorEstimated = errorOrigin.isEstimated(epoch.fix)
            let offset = BootClock.realtimeOffsetNanoseconds
            let uncertainty =
                epoch.time == nil
                ? arrivalStamp.uncertainty(epoch, interval: epochInterval.intervalNanoseconds) : nil
            let converted = conversion.fix(
                epoch, realtimeOffset: offset, latency: epoch.time == nil ? arrivalStamp.latency : nil,
                uncertainty: uncertainty, geoid: geoid)
            guard let (fix, isClockUsed) = converted else { continue }
            geoid.learn(fix.geoidSeparation)
            queue.push(.fix(fix))
            if isClockUsed { arrivalStamp.learn(fix.arrival.nanoseconds - fix.epoch.nanoseconds) }
            let isGap = epochInterval.isGap(before: epoch)
            status.count(fix, isClockUsed: isClockUsed, isGap: isGap, rate: epochInterval.rate)
            lastDelivery = epoch.arrival
            status.change(to: .streaming, remark(epoch), device: device)
        }
    }

    /// Note to the user about a fix that is used; nil for an ordinary one.
    private func remark(_ epoch: EpochAssembler.Epoch) -> String? {
        if epoch.fix.solution == .simulated { return Self.simulation }
        guard epoch.time == nil else { return nil }
        let origin = arrivalStamp.isLearned ? "the usual latency" : "gnss.latency_seconds"
        return (isClockStuck ? Self.standstill : Self.timeless)
            + " they are stamped by arrival less \(origin), with a lower accuracy; "
            + (isClockStuck ? "restart the receiver" : "have the receiver send RMC or ZDA")
    }

    private static let simulation = "fixes come from the receiver's simulator, not from satellites"
    private static let timeless = "fixes have no time:"
    private static let standstill = "fixes arrive, but their time does not go on:"

    /// Reports a receiver whose fixes arrive but are not used, because neither their time nor their position changes.
    /// Such a receiver may have stopped altogether.
    private func noteStandstill(now: Int64) {
        // If only the clock stands still, fixes with a new position are used after a while.
        let patience = 2 * EpochAssembler.timelessPatienceNanoseconds
        guard isClockStuck, now - lastDelivery > silenceNanoseconds + patience else { return }
        let advice =
            "fixes arrive, but their time does not go on, nor does their place, so they are not used; "
            + "restart the receiver"
        status.change(to: .silent, advice, device: device)
    }

    /// Reports a missing fix, but only after the silence timeout, because receivers occasionally report no fix between
    /// sentences that have one.
    private func noteMissingFix(_ fix: GPSDReport.FixReport, now: Int64) {
        let last = status.report.lastSample?.nanoseconds ?? 0
        guard status.report.state != .streaming || now - last > silenceNanoseconds else { return }
        let advice =
            fix.isOutOfRange
            ? "the receiver reports latitudes or longitudes out of range; restart it, and check its firmware"
            : "too few satellites for a fix; it needs a clear view of the sky"
        status.change(to: .streaming, advice, device: device)
    }

    private func noticeSilence(now: Int64) {
        guard hasGreeted, !isRefused, !hasNoReceiver, now - lastReport > silenceNanoseconds else { return }
        let advice = "no data; check the connection of the receiver and its baud rate"
        status.change(to: .silent, advice, device: device)
    }

    /// Sends a request when no line has arrived for a while, to distinguish a dead connection from a silent receiver.
    private func probe(_ connection: LineConnection, now: Int64) throws(ConnectionError) {
        let quiet = now - lastLine
        if !isProbing && quiet > max(silenceNanoseconds, Self.answerNanoseconds) {
            isProbing = true
            try connection.send("?DEVICES;\n")
        }
        if isProbing && quiet > max(silenceNanoseconds, Self.answerNanoseconds) + Self.answerNanoseconds {
            throw ConnectionError("sends no data")
        }
    }
}
