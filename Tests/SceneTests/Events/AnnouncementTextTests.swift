import Scene
import Testing

@Suite("Words of announcements")
struct AnnouncementTextTests {
    func turn(
        _ kind: RouteTurn.Kind, _ side: RouteTurn.Side? = .left, distance: Double = 40, isNow: Bool = false,
        instruction: String? = nil
    ) -> String {
        Announcement(
            kind: .turn, routeID: "r", name: "Home", distance: distance, turn: kind, side: side,
            instruction: instruction, isNow: isNow
        ).text
    }

    @Test("behaviour 43: what kind of turn it is, with its side or without")
    func kinds() {
        #expect(turn(.normal) == "Turn left in 40 metres")
        #expect(turn(.slight, .right) == "Turn slightly right in 40 metres")
        #expect(turn(.sharp) == "Turn sharply left in 40 metres")
        #expect(turn(.keep) == "Keep left in 40 metres" && turn(.keep, nil) == "Fork ahead in 40 metres")
        #expect(turn(.uturn) == "Turn round in 40 metres" && turn(.uturn, nil, isNow: true) == "Turn round now")
        #expect(turn(.roundabout) == "Enter the roundabout in 40 metres")
        #expect(turn(.roundabout, nil, isNow: true) == "Roundabout here")
        #expect(turn(.normal, nil, isNow: true) == "Turn here" && turn(.normal, isNow: true) == "Turn left now")
    }

    @Test("behaviour 43: the service's own instruction comes with the distance")
    func instruction() {
        #expect(
            turn(.normal, instruction: "Turn left onto Long Lane") == "In 40 metres: Turn left onto Long Lane")
        #expect(turn(.normal, isNow: true, instruction: "Turn left onto Long Lane") == "Turn left onto Long Lane")
    }

    @Test(
        "distances are said in round figures",
        arguments: [
            (0.0, "5 metres"), (12, "10 metres"), (14, "15 metres"), (18, "20 metres"), (99.2, "100 metres"),
            (194, "190 metres"), (196, "200 metres"), (430, "450 metres"), (960, "950 metres"), (980, "1 kilometre"),
            (1040, "1 kilometre"), (1260, "1.3 kilometres"), (1960, "2 kilometres"), (9940, "9.9 kilometres"),
            (9960, "10 kilometres"), (12_400, "12 kilometres"), (1e300, "1000000 kilometres"),
        ])
    func distances(metres: Double, words: String) {
        let text = Announcement(kind: .destination, routeID: "", name: "Home", distance: metres).text
        #expect(text == "Home in \(words)")
    }

    @Test("a route without a name is not called by its id")
    func unnamed() {
        let start = Announcement(kind: .start, routeID: "route", name: "route", distance: 222)
        #expect(start.text == "Route to the destination, 200 metres")
        let arrived = Announcement(kind: .arrived, routeID: "route", name: "route")
        #expect(arrived.text == "You have arrived at the destination")
    }

    @Test("every kind has words, without a name and without a distance too", arguments: Announcement.Kind.allCases)
    func all(kind: Announcement.Kind) {
        let text = Announcement(kind: kind, routeID: "", name: "").text
        #expect(!text.isEmpty && !text.contains("  ") && !text.hasSuffix(" "))
        #expect(!Announcement(kind: kind, routeID: "", name: "", distance: .nan).text.contains("nan"))
    }
}
