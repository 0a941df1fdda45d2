import Model
import Service
import Varlink
import WaymarkInterface

/// A camera's odometry as another program offers it, without replies.
enum OfferBench {
    private static let count = 1000
    private static let source = "camera"

    /// Offers odometry at 60 Hz, all but the making of the calls under count.
    ///
    /// - Returns: number of offers.
    static func feed(counted: (() -> Void) -> Void) -> Int {
        var sources = AidSources()
        var now = BootTime(nanoseconds: 1_000_000_000_000)
        let request = AidInterface.Open(source: source, kinds: [.odometry])
        guard let name = SourceName(source),
            let opened = try? AidSourceRecord(request, name: name, client: 1, user: 1, at: now),
            (try? sources.open(opened)) != nil
        else { fatalError("a source can be opened") }
        var taken = 0
        for number in 0..<count {
            now = now.shifted(by: 16_666_667)
            let bytes = call(number, at: now.shifted(by: -40_000_000))
            counted { if take(bytes[...], &sources, at: now) { taken += 1 } }
        }
        precondition(taken == count, "every offer is taken")
        return taken
    }

    private static func take(_ bytes: ArraySlice<UInt8>, _ sources: inout AidSources, at now: BootTime) -> Bool {
        guard let message = try? CallMessage(bytes), message.oneway,
            let call = try? AidInterface.Call(method: "OfferOdometry", parameters: message.parameters),
            case .offerOdometry(let offer) = call
        else { return false }
        return (try? sources.take(offer, client: 1, at: now)) != nil
    }

    private static func call(_ number: Int, at time: BootTime) -> [UInt8] {
        let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let (east, north) = (0.0123456789 * Double(number), -0.0223456789 * Double(number))
        return Array(
            """
            {"method": "org.waymark.Aid.OfferOdometry", "parameters": {"source": "\(source)", \
            "time": {"sec": \(seconds), "nsec": \(rest)}, "position": {"x": \(east), "y": 1.6, "z": \(north)}, \
            "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}, "reset": 0, "tracking": 1}, "oneway": true}
            """.utf8)
    }
}
