import Geometry
import Scene
import Simulation

/// A made-up city: places with names, kinds and tags such as maps have them, as many to a square kilometre as the
/// middle of an old town has. The same city for the same count.
struct DenseCity {
    let center: GeodeticPosition
    let count: Int

    /// Unit: 1/km².
    private static let density = 4000.0

    private static let streets = [
        "Mill", "Harbour", "Castle", "Orchard", "Chapel", "Market", "Linden", "Foundry", "Rampart", "Weavers'",
    ]
    private static let kinds = [
        "cafe", "restaurant", "bakery", "pharmacy", "museum", "hotel", "bicycle_parking", "bench", "fountain", "bank",
    ]

    /// Calls `body` with one place after the other.
    func forEach(_ body: (Place) throws -> Void) rethrows {
        var random = RandomSource(seed: 7)
        let plane = LocalTangentPlane(origin: center)
        let half = (Double(count) / Self.density).squareRoot() * 500
        for number in 0..<count {
            let (east, north) = (random.uniform(in: -half...half), random.uniform(in: -half...half))
            guard let position = plane.position(ofENU: Vector3(east, north, 0)) else { continue }
            try body(place(number, at: position, &random))
        }
    }

    private func place(_ number: Int, at position: GeodeticPosition, _ random: inout RandomSource) -> Place {
        let street = Self.streets[Int(random.uniform() * Double(Self.streets.count))]
        let kind = Self.kinds[Int(random.uniform() * Double(Self.kinds.count))]
        var place = Place(
            id: "node/\(4_000_000_000 + number)", name: "\(street) \(kind) \(number)", kind: kind, position: position)
        place.tags = [
            "addr:street": "\(street) Street", "addr:housenumber": "\(number % 180 + 1)",
            "opening_hours": "Mo-Fr 08:00-18:30; Sa 09:00-16:00", "wheelchair": number % 3 == 0 ? "yes" : "limited",
        ]
        return place
    }
}
