import Testing
import Sound
import WaymarkInterface

@Suite("Utterances")
struct UtteranceTests {
    static let second: Int64 = 1_000_000_000

    static func event(
        _ text: String?, _ about: SceneInterface.AnnouncementKind?, kind: SceneInterface.EventKind = .announcement,
        isNow: Bool? = nil, seconds: Int64 = 100
    ) -> SceneInterface.Event {
        // A distance that says nothing of how urgent it is.
        SceneInterface.Event(
            time: SceneInterface.Time(nanoseconds: seconds * second), kind: OpenWord(kind),
            about: about.map { OpenWord($0) }, isNow: isNow, text: text, distance: 5)
    }

    static func utterance(
        _ text: String, _ about: SceneInterface.AnnouncementKind, isNow: Bool? = nil, seconds: Int64 = 100
    ) throws -> Utterance {
        try #require(Utterance(event(text, about, isNow: isNow, seconds: seconds)))
    }

    @Test("announcements with a text are spoken, no other events")
    func announcements() {
        #expect(Utterance(Self.event("Turn left now", .turn)) != nil)
        #expect(Utterance(Self.event(nil, .turn)) == nil && Utterance(Self.event("", .turn)) == nil)
        #expect(Utterance(Self.event("Café", nil, kind: .proximityEntered)) == nil)
        #expect(Utterance(Self.event("?", nil))?.subject == .other)
    }

    @Test("what has to be done now is the most urgent, then what comes")
    func priorities() throws {
        let now = try Self.utterance("now", .turn, isNow: true)
        let ahead = try Self.utterance("ahead", .turn)
        let start = try Self.utterance("start", .start)
        #expect(now.priority < ahead.priority && ahead.priority < start.priority)
        let startNow = try Self.utterance("Route to Home. Turn left now", .start, isNow: true)
        #expect(startNow.priority == now.priority && startNow.subject == start.subject)
        #expect(try Self.utterance("left", .offRoute).priority == now.priority)
        #expect(try Self.utterance("there", .arrived).priority == ahead.priority)
        #expect(try Self.utterance("route", .destination).priority == start.priority)
        var near = Self.event("on your left", .destination)
        near.side = .left
        #expect(Utterance(near)?.priority == ahead.priority)
    }

    @Test("a newer one replaces one about the same that waits; others keep their order")
    func replaced() throws {
        var queue = UtteranceQueue()
        for (text, about) in [
            ("start", SceneInterface.AnnouncementKind.start), ("off", .offRoute), ("far", .turn),
            ("back", .backOnRoute),
            ("near", .turn),
        ] {
            queue.add(try Self.utterance(text, about))
        }
        var heard: [String] = []
        while let next = queue.next(at: 101 * Self.second) { heard.append(next.utterance.text) }
        #expect(heard == ["start", "back", "near"])
    }

    @Test("one about the same as the last, and a more urgent one, end what is still said")
    func cancels() throws {
        var queue = UtteranceQueue()
        func cancels(_ about: SceneInterface.AnnouncementKind, isNow: Bool? = nil, at seconds: Int64) throws -> Bool? {
            queue.add(try Self.utterance("x", about, isNow: isNow, seconds: seconds))
            return queue.next(at: seconds * Self.second)?.cancels
        }
        #expect(try cancels(.start, at: 100) == false)
        #expect(try cancels(.turn, at: 101) == true)
        #expect(try cancels(.turn, isNow: true, at: 103) == true)
        #expect(try cancels(.destination, at: 104) == false)
        #expect(try cancels(.destination, at: 120) == false, "the last has ended long ago")
    }

    @Test("what is older than its time is not spoken")
    func obsolete() throws {
        var queue = UtteranceQueue()
        let turn = try Self.utterance("left", .turn, seconds: 100)
        queue.add(turn)
        let late = queue.next(at: 100 * Self.second + UtteranceQueue.maximumAge + 1)
        #expect(late?.utterance == nil)
        queue.add(turn.repeated(at: 200 * Self.second))
        let repeated = queue.next(at: 201 * Self.second)
        #expect(repeated?.utterance.text == "left")
    }

    @Test("only what is not obsolete waits")
    func waits() throws {
        var queue = UtteranceQueue()
        #expect(!queue.waits(at: 0))
        queue.add(try Self.utterance("left", .turn, seconds: 100))
        #expect(queue.waits(at: 100 * Self.second))
        #expect(!queue.waits(at: 100 * Self.second + UtteranceQueue.maximumAge + 1))
    }

    @Test("what could not be spoken comes next, and the queue is bounded")
    func putBack() throws {
        var queue = UtteranceQueue()
        for number in 0..<100 { queue.add(try #require(Utterance(Self.event("\(number)", nil)))) }
        let next = queue.next(at: 100 * Self.second)
        let first = try #require(next)
        #expect(first.utterance.text == "92")
        queue.putBack(first.utterance)
        let again = queue.next(at: 100 * Self.second)
        #expect(again?.utterance == first.utterance)
    }
}
