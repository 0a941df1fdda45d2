import Linux
import Messages
import Model
import Sensors
import Varlink
import WaymarkInterface

/// `org.waymark.Aid`: measurements of other programs, on their way to the engine.
final class AidMethods {
    private let queue: MeasurementQueue
    private var sources = AidSources()

    /// - Parameter queue: takes the accepted offers.
    init(queue: MeasurementQueue) { self.queue = queue }

    func answer(_ request: AidInterface.Call, _ call: Call) throws(VarlinkError) {
        do throws(AidInterface.Failure) {
            switch request {
            case .open(let request): return try open(request, call)
            case .list: return call.reply(json: AidInterface.List.Reply(sources: sources.messages(at: Self.now)))
            case .close(let request): try sources.close(request.source, client: call.client.number)
            case .offerOdometry(let offer): try take(offer, call)
            case .offerPosition(let offer): try take(offer, call)
            case .offerSighting(let offer): try take(offer, call)
            case .offerRange(let offer): try take(offer, call)
            case .offerHeading(let offer): try take(offer, call)
            case .offerHeight(let offer): try take(offer, call)
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
        let source = try AidSource(
            request, name: name, client: call.client.number, user: call.peer.user, at: Self.now)
        do throws(AidSources.Refusal) {
            try sources.open(source)
        } catch {
            switch error {
            case .alreadyOpen: throw .alreadyOpen(source: request.source)
            case .limit(let reached): return call.fail(.limitExceeded(.aidSources, reached.maximum))
            }
        }
        call.reply(
            json: AidInterface.Open.Reply(
                offersPerSecond: OfferAllowance.perSecond, maximumAge: AidSource.maximumAge))
    }

    private func take(_ offer: some AidOffer, _ call: Call) throws(AidInterface.Failure) {
        // By the queue, so that many offers do not hold up sensors and other clients.
        queue.push(.aid(try sources.take(offer, client: call.client.number, at: Self.now)))
    }

    /// Closes the sources of a client that has gone.
    func disconnect(_ client: ClientIdentifier) { sources.closeAll(of: client.number) }

    /// Lets the rates of the sources be measured.
    func observe() { sources.observe(at: Reactor.now) }
}
