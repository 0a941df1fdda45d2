import Fleet
import Geometry
import Testing
import WaymarkInterface

@Suite("Simulated wearer")
struct SimulatedWearerTests {
    private static let origin = GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 400)!
    private static let second: Int64 = 1_000_000_000

    private static func position(_ walk: SimulatedWearer, _ seconds: Double) throws -> GeodeticPosition {
        let geo = try #require(walk.pose(at: Int64(seconds * 1e9)).geo)
        return try #require(
            GeodeticPosition(
                latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: geo.height))
    }

    @Test("A wearer walks at walking pace in the direction of the pose's heading", arguments: [0, 1, 37, 999])
    func pace(number: Int) throws {
        let walk = SimulatedWearer(number: number, origin: Self.origin)
        var turns = 0
        for seconds in 0..<400 {
            let (from, to) = (Double(seconds), Double(seconds) + 0.5)
            let step = Geodesic(from: try Self.position(walk, from), to: try Self.position(walk, to))
            let headings = try [from, to].map { try #require(walk.pose(at: Int64($0 * 1e9)).heading) }
            guard headings[0] == headings[1] else {
                turns += 1
                continue
            }
            #expect(abs(step.distance - 0.7) < 0.001)
            let bearing = try #require(step.bearing) * 180 / .pi
            #expect(abs((bearing - headings[0]).remainder(dividingBy: 360)) < 0.2)
        }
        // 560 m around blocks of 320 m: seven corners, some of them between the halves of seconds that are looked at.
        #expect((1...8).contains(turns))
    }

    @Test("Wearers of different numbers are at different places, and the same wearer is always at the same one")
    func apart() throws {
        let walks = (0..<200).map { SimulatedWearer(number: $0, origin: Self.origin) }
        for seconds in [0.0, 55, 1234.5] {
            let places = try walks.map { try Self.position($0, seconds) }
            for (index, place) in places.enumerated() {
                let nearest = places[..<index].map { Geodesic(from: $0, to: place).distance }.min() ?? .infinity
                #expect(nearest > 40)
            }
            #expect(try places[7] == Self.position(SimulatedWearer(number: 7, origin: Self.origin), seconds))
        }
    }

    @Test("Poses are localized and arrivals carry their number")
    func content() {
        let walk = SimulatedWearer(number: 3, origin: Self.origin)
        #expect(walk.pose(at: Self.second).state == .localized)
        let event = walk.arrival(number: 12, at: Self.second)
        #expect(event.kind == .arrived && event.text == "12" && event.time.nanoseconds == Self.second)
    }
}
