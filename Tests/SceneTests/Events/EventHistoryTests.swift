import Geometry
import Model
import Scene
import Testing

@Suite("Events for readers that continue")
struct EventHistoryTests {
    /// A view with a history, and the placeless scene that lets it send updates.
    private struct Display {
        var stage: Stage
        var view: SceneView
        var seconds = 0.0

        init(takesEvents: Bool = true) throws {
            stage = try Stage()
            view = SceneView(camera: Camera(horizontalFieldOfView: 1, aspect: 16 / 9), takesEvents: takesEvents)
        }

        /// Publishes events at one time.
        mutating func happen(_ names: Range<Int>, atMicroseconds time: Int64) {
            for name in names {
                let event = SceneEvent.anchorLost(id: "\(name)")
                view.events.add(TimedEvent(time: BootTime(nanoseconds: time * 1000 + 999), event: event))
            }
        }

        /// Next update of a reader.
        mutating func update(_ reader: inout SceneReader) throws -> SceneUpdate {
            seconds += 1
            view.follow(try stage.scene(0, 0, at: seconds), settings: stage.composer.settings.placements)
            let update = try #require(view.update(for: reader))
            reader = view.updated(reader)
            return update
        }

        /// First update of a new reader.
        mutating func first(after sequence: Int64?) throws -> SceneUpdate {
            var reader = SceneReader(events: view.events, after: sequence)
            return try update(&reader)
        }
    }

    @Test("a sequence is the time of the event in microseconds, and one more than the last where that is not less")
    func sequences() throws {
        var display = try Display()
        display.happen(0..<3, atMicroseconds: 1000)
        display.happen(3..<4, atMicroseconds: 1001)
        display.happen(4..<5, atMicroseconds: 7)
        display.happen(5..<6, atMicroseconds: 2000)
        let events = try display.first(after: 0).events
        #expect(events.map(\.sequence) == [1000, 1001, 1002, 1003, 1004, 2000])
        #expect(events.map(\.time.nanoseconds).prefix(2) == [1_000_999, 1_000_999])
    }

    @Test("a reader that continues has each event once: those it missed with its first update, oldest first")
    func continues() throws {
        var display = try Display()
        display.happen(0..<200, atMicroseconds: 10)
        var reader = SceneReader(events: display.view.events, after: 59)
        display.happen(200..<203, atMicroseconds: 10)
        let first = try display.update(&reader)
        #expect(first.events.map(\.sequence) == Array(60..<213) && first.eventsDropped == 0)
        display.happen(203..<204, atMicroseconds: 10)
        #expect(try display.update(&reader).events.map(\.sequence) == [213])
        #expect(try display.update(&reader).events.isEmpty)
    }

    @Test("a reader that has the newest event, or one of an earlier start of the computer, gets only newer ones")
    func hasAll() throws {
        for sequence: Int64? in [nil, 14, 15, .max] {
            var display = try Display()
            display.happen(0..<5, atMicroseconds: 10)
            var reader = SceneReader(events: display.view.events, after: sequence)
            display.happen(0..<1, atMicroseconds: 10)
            let update = try display.update(&reader)
            #expect(update.events.count == 1 && update.eventsDropped == 0)
        }
    }

    @Test("of more than 256 events the newest are retained, and those known to be missing are counted")
    func overflow() throws {
        var display = try Display()
        display.happen(0..<300, atMicroseconds: 1000)
        let earlier = try display.first(after: 999)
        #expect(earlier.events.map(\.sequence) == Array(1044..<1300) && earlier.eventsDropped == 44)
        #expect(try display.first(after: 0).eventsDropped == 44)
        // The reader's own last event is gone, too: the number of those after it is unknown, but 1043 is one of them.
        let gone = try display.first(after: 1020)
        #expect(gone.events.count == 256 && gone.eventsDropped == 1)
        #expect(try display.first(after: 1042).eventsDropped == 1)
        let whole = try display.first(after: 1043)
        #expect(whole.events.count == 256 && whole.eventsDropped == 0)
        let part = try display.first(after: 1044)
        #expect(part.events.first?.sequence == 1045 && part.eventsDropped == 0)
    }

    @Test("events between the call and a late first update count against the same 256")
    func lateFirstUpdate() throws {
        var display = try Display()
        display.happen(0..<256, atMicroseconds: 1)
        var reader = SceneReader(events: display.view.events, after: 0)
        display.happen(256..<266, atMicroseconds: 1)
        let update = try display.update(&reader)
        #expect(update.events.map(\.sequence) == Array(11...266) && update.eventsDropped == 10)
    }

    @Test("a reader that has continued is as slow as others from then on: the newest 64")
    func slowAfterwards() throws {
        var display = try Display()
        var reader = SceneReader(events: display.view.events, after: 0)
        _ = try display.update(&reader)
        display.happen(0..<100, atMicroseconds: 1)
        let update = try display.update(&reader)
        #expect(update.events.map(\.sequence) == Array(37...100) && update.eventsDropped == 36)
    }

    @Test("events make no update for a display without events")
    func withoutEvents() throws {
        var display = try Display(takesEvents: false)
        let scene = try display.stage.scene(0, 0, at: 0)
        let settings = display.stage.composer.settings.placements
        #expect(display.view.update(to: scene, settings: settings) != nil)
        display.happen(0..<1, atMicroseconds: 1)
        #expect(display.view.update(to: scene, settings: settings) == nil)
    }
}
