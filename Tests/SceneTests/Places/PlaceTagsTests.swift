import Scene
import Synchronization
import Testing

@Suite("Tags of places") struct PlaceTagsTests {
    /// How often text was read.
    private final class Reads: Sendable {
        let count = Mutex(0)

        func read(_ text: String) -> [String: String] {
            count.withLock { $0 += 1 }
            return ["said": text]
        }
    }

    @Test("tags that are text are read once for what is shown alone, and never for what is only known")
    func readOnce() throws {
        let reads = Reads()
        var stage = try Stage()
        stage.composer.setPlaces(
            try (1...200).map {
                var place = try stage.streets.place("p\($0)", Double($0 * 37 % 401) - 200, Double($0 * 91 % 397) - 200)
                place.setTags(text: "\($0)", read: reads.read)
                return place
            })
        var alone: Set<String> = []
        for frame in 0..<300 {
            let scene = try stage.scene(0, 0, at: Double(frame) / 60)
            for placement in scene.placements where placement.kind == .place {
                #expect(placement.properties == ["said": String(placement.id.dropFirst("place/p".count))])
                alone.insert(placement.id)
            }
        }
        #expect(alone.count > 5 && reads.count.withLock { $0 } == alone.count)
    }

    @Test("a place whose tags are another text is another place, and shown with them")
    func otherText() throws {
        let reads = Reads()
        var stage = try Stage()
        var place = try stage.streets.place("a", 30, 40)
        place.setTags(text: "one", read: reads.read)
        var other = place
        #expect(other == place && reads.count.withLock { $0 } == 0)
        other.setTags(text: "two", read: reads.read)
        #expect(other != place)
        for (place, text) in [(place, "one"), (other, "two")] {
            stage.composer.setPlaces([place])
            #expect(try stage.scene(0, 0, at: 0).placements.first?.properties == ["said": text])
        }
    }

    @Test("tags are the same whether they have been read or not")
    func tables() throws {
        var text = try Streets().place("a", 30, 40)
        var table = text
        text.setTags(text: "one", read: Reads().read)
        table.tags = ["said": "one"]
        #expect(text == table && Set([text]).contains(table))
        table.tags = [:]
        #expect(text != table)
    }
}
