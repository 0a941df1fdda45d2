import Geometry
import JSON
import Messages
import Model
import Scene
import Testing

@Suite("How much is sent of a scene") struct SceneBytesTests {
    private static let settings = SceneSettings()
    private static let camera = Camera(horizontalFieldOfView: Angle.radians(degrees: 60), aspect: 16.0 / 9)

    @Test("behaviour 40: a walk along a route among places is sent with at most 0.15 MB/s at 60 Hz")
    func walking() throws {
        let bytes = try bytes(of: try Stroll(speed: 1.3, mapSpeed: 0.03))
        #expect(bytes.first < 60_000)
        #expect(bytes.rest / Stroll.seconds < 150_000)
    }

    @Test("behaviour 40: at rest next to nothing is sent")
    func resting() throws {
        let bytes = try bytes(of: try Stroll(speed: 0, mapSpeed: 0))
        #expect(bytes.rest / Stroll.seconds < 2000)
    }

    /// Of the first message, and of all others together.
    private func bytes(of stroll: Stroll) throws -> (first: Double, rest: Double) {
        var stroll = stroll
        var writer = SceneWriter(SceneView(camera: Self.camera))
        var reader = SceneReader(events: EventHistory())
        var (first, rest) = (0.0, 0.0)
        for frame in 0..<Int(Stroll.seconds * Stroll.rate) {
            writer.follow(try stroll.scene(frame), settings: Self.settings.placements)
            let bytes = Double(writer.message(for: &reader, in: .english)?.count ?? 0)
            if frame == 0 { first = bytes } else { rest += bytes }
        }
        return (first, rest)
    }

    @Test("behaviour 40: readers with the same request that read in time share one message, whenever they came")
    func shared() throws {
        var stroll = try Stroll(speed: 1.3, mapSpeed: 0)
        var writer = SceneWriter(SceneView(camera: Self.camera))
        var readers: [SceneReader] = []
        for frame in 0..<600 {
            // One more every tenth of a second, until there are 64: each is sent the whole scene in a message of its
            // own.
            if frame % 6 == 0, readers.count < 64 { readers.append(SceneReader(events: EventHistory())) }
            writer.follow(try stroll.scene(frame), settings: Self.settings.placements)
            for index in readers.indices { _ = writer.message(for: &readers[index], in: .english) }
        }
        #expect(readers.allSatisfy { $0.revision > 100 })
        #expect(writer.count <= 600 + 64)
    }

    @Test("readers that continue after different events share each message after their first one")
    func sharedAfterContinuing() throws {
        var stroll = try Stroll(speed: 1.3, mapSpeed: 0)
        var writer = SceneWriter(SceneView(camera: Self.camera))
        var events = EventHistory()
        func happen() { events.add(TimedEvent(time: BootTime(nanoseconds: 1000), event: .anchorLost(id: "x"))) }
        for _ in 0..<8 { happen() }
        var readers = (0..<8).map { SceneReader(events: events, after: $0) }
        readers.append(SceneReader(events: events))
        for frame in 0..<300 {
            if frame % 30 == 20 { happen() }
            writer.follow(try stroll.scene(frame), events: events, settings: Self.settings.placements)
            for index in readers.indices { _ = writer.message(for: &readers[index], in: .english) }
            if frame == 0 { #expect(writer.count == readers.count) }
        }
        #expect(readers.allSatisfy { $0.revision > 50 })
        #expect(UInt64(writer.count) == UInt64(readers.count - 1) + readers[0].revision)
    }

    @Test(
        "behaviour 40: readers of other languages share each message that has no words, and else one for each language")
    func sharedByLanguage() throws {
        // With words of a routing service, since the daemon's own are in each message of the route's state.
        var stroll = try Stroll(speed: 1.3, mapSpeed: 0, hasInstructions: true)
        var writer = SceneWriter(SceneView(camera: Self.camera))
        var events = EventHistory()
        var readers = Language.allCases.flatMap { language in
            (0..<2).map { _ in (language: language, reader: SceneReader(events: EventHistory())) }
        }
        var framesWithoutWords = 0
        for frame in 0..<120 {
            if frame == 60 {
                let arrived = Announcement(kind: .arrived, routeID: "r", name: "")
                events.add(TimedEvent(time: BootTime(nanoseconds: 1000), event: .announcement(arrived)))
            }
            writer.follow(try stroll.scene(frame), events: events, settings: Self.settings.placements)
            let before = writer.count
            var texts: Set<[UInt8]> = []
            for index in readers.indices {
                let message = writer.message(for: &readers[index].reader, in: readers[index].language)
                if let message { texts.insert(message) }
            }
            let hasWords = frame == 60 || texts.contains { Self.hasDistances($0) }
            let languages = hasWords ? Language.allCases.count : 1
            #expect(writer.count - before <= languages && texts.count <= languages, "frame \(frame)")
            if frame == 60 { #expect(texts.count == languages) }
            framesWithoutWords += hasWords ? 0 : 1
        }
        #expect(framesWithoutWords > 0)
    }

    private static func hasDistances(_ message: [UInt8]) -> Bool {
        String(decoding: message, as: UTF8.self).contains("\"distanceText\"")
    }

    @Test("behaviour 40: what is written for all is to the byte what would have been written for one")
    func sharedIsTheSame() throws {
        var stroll = try Stroll(speed: 1.3, mapSpeed: 0)
        var writer = SceneWriter(SceneView(camera: Self.camera))
        var early = SceneReader(events: EventHistory())
        var late: SceneReader?
        var json = JSONWriter()
        for frame in 0..<240 {
            writer.follow(try stroll.scene(frame), settings: Self.settings.placements)
            _ = writer.message(for: &early, in: .english)
            if frame == 100 { late = SceneReader(events: EventHistory()) }
            guard var reader = late else { continue }
            let update = writer.view.update(for: reader)
            let message = writer.message(for: &reader, in: .english)
            late = reader
            guard let message else { continue }
            json.removeAll()
            json.beginObject()
            json.key("scene")
            try #require(update).message(in: .english).write(into: &json)
            json.endObject()
            #expect(message == json.bytes, "frame \(frame)")
        }
        #expect(try #require(late).revision < early.revision)
    }
}
