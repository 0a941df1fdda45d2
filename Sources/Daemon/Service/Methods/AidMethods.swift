import Estimation
import Linux
import Messages
import Model
import Sensors
import Varlink
import WaymarkInterface

/// `org.waymark.Aid`: takes measurements of other programs and passes them to the engine.
final class AidMethods {
    private let queue: MeasurementQueue
    /// Source that takes samples of other programs; nil if the settings name another origin of the samples.
    private let sensors: OfferedSource?
    private let driver: EngineDriver
    private var sources = AidSources()
    private let camera: SimulatedCamera?
    private var log = AidTrustLog()
    private let limiter = LogLimiter("changes of trust", lines: 10)

    /// Time for which a source that has fallen silent is still reported as refused. Unit: seconds.
    private static let silence = 60.0

    /// - Parameters:
    ///   - queue: takes the accepted offers.
    ///   - driver: gives access to the engine, whose trust in the sources is shown.
    ///   - camera: odometry of a simulated camera, which is a source from the beginning.
    init(queue: MeasurementQueue, sensors: OfferedSource?, driver: EngineDriver, camera: MeasurementQueue?) {
        self.queue = queue
        self.sensors = sensors
        self.driver = driver
        self.camera = camera.map { SimulatedCamera($0) }
        self.camera?.open(in: &sources, at: Self.now)
    }

    func answer(_ request: AidInterface.Call, _ call: Call) throws(VarlinkError) {
        do throws(AidInterface.Failure) {
            switch request {
            case .open(let request): return try open(request, call)
            case .list:
                return call.reply(
                    json:
                        AidInterface.List.Reply(
                            sources: sources.messages(at: Self.now, driver.engine.odometry.aidTrust)))
            case .close(let request):
                try sources.close(request.source, client: call.client.number)
                noteSampleSource()
            case .offerOdometry(let offer): try take(offer, call)
            case .offerPosition(let offer): try take(offer, call)
            case .offerSighting(let offer): try take(offer, call)
            case .offerRange(let offer): try take(offer, call)
            case .offerHeading(let offer): try take(offer, call)
            case .offerHeight(let offer): try take(offer, call)
            case .offerSamples(let offer): try take(offer, call)
            }
        } catch {
            throw VarlinkError(error)
        }
        call.reply()
    }

    private static var now: BootTime { BootTime(nanoseconds: BootClock.nanoseconds) }

    private func open(_ request: AidInterface.Open, _ call: Call) throws(AidInterface.Failure) {
        guard let name = SourceName(request.source) else { return call.fail(.invalidParameter("source")) }
        guard request.kinds.unknown.isEmpty, !request.kinds.isEmpty else {
            return call.fail(.invalidParameter("kinds"))
        }
        if request.kinds.contains(.samples) {
            _ = try sensors(of: request.source)
            // The settings define where the sensors of a program are mounted.
            guard request.kinds != [.samples] || request.bodyFromSensor == nil else {
                return call.fail(.invalidParameter("bodyFromSensor"))
            }
        }
        let source = try AidSourceRecord(
            request, name: name, client: call.client.number, user: call.peer.user, at: Self.now)
        do throws(AidSources.Refusal) {
            try sources.open(source)
        } catch {
            switch error {
            case .alreadyOpen: throw .alreadyOpen(source: request.source)
            case .limit(let reached): return call.fail(.limitExceeded(.aidSources, reached.maximum))
            }
        }
        noteSampleSource()
        call.reply(
            json: AidInterface.Open.Reply(
                offersPerSecond: OfferAllowance.perSecond, maximumAge: AidSourceRecord.maximumAge))
    }

    private func take(_ offer: some AidOffer, _ call: Call) throws(AidInterface.Failure) {
        // The offers go through the queue, so that many of them do not hold up sensors and other clients. The estimator
        // applies them only with the next samples of the board.
        queue.pushUnhurried(.aid(try sources.take(offer, client: call.client.number, at: Self.now)))
        // A client that offers samples is not made to wait, because poses wait for its samples.
        if !sources.offersSamples(client: call.client.number) { call.letFollowingWait() }
    }

    private func take(_ offer: AidInterface.OfferSamples, _ call: Call) throws(AidInterface.Failure) {
        let sensors = try sensors(of: offer.source)
        try sources.take(offer, client: call.client.number, into: sensors, at: Self.now)
    }

    /// Returns the source that takes the samples of the named program; throws if the settings name another program.
    private func sensors(of source: String) throws(AidInterface.Failure) -> OfferedSource {
        guard let sensors, sensors.name.text == source else {
            throw .samplesNotConfigured(setting: "source.samples", source: sensors?.name.text ?? "")
        }
        return sensors
    }

    /// Informs `sensors` whether its program has opened the source.
    private func noteSampleSource() {
        if let sensors { sensors.setOpen(sources.offersSamples(sensors.name)) }
    }

    /// Offers the waiting poses of a simulated camera.
    func offerCamera() {
        camera?.offer(to: &sources, at: Self.now) { queue.pushUnhurried(.aid($0)) }
    }

    /// Closes the sources of a client that has gone.
    func disconnect(_ client: ClientIdentifier) {
        sources.closeAll(of: client.number)
        noteSampleSource()
    }

    /// Updates the measured rates of the sources, checks for silent sensors, and reports changes of trust to the
    /// journal.
    func observe() {
        sources.observe(at: Reactor.now)
        sensors?.observe(at: Self.now)
        for line in log.changes(driver.engine.odometry.aidTrust) { limiter.write(.notice, line) }
    }

    /// Sources that the estimator refuses, in the order of their names.
    var refused: [StatusInterface.RefusedAid] {
        driver.engine.odometry.aidTrust.compactMap { trust in
            guard trust.state == .refused, let cause = trust.cause, let now = driver.engine.pose?.time,
                now.seconds(since: trust.last) < Self.silence
            else { return nil }
            return StatusInterface.RefusedAid(
                source: trust.source.text, kind: OpenWord(trust.kind.message), cause: OpenWord(cause.message))
        }
    }
}
