import Foundation
import Geometry
import Messages
import Model
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
        ).text(in: .english)
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
        let text = Announcement(kind: .destination, routeID: "", name: "Home", distance: metres).text(in: .english)
        #expect(text == "Home in \(words)")
    }

    @Test("a route without a name is not called by its id")
    func unnamed() {
        let start = Announcement(kind: .start, routeID: "route", name: "route", distance: 222)
        #expect(start.text(in: .english) == "Route to the destination, 200 metres")
        let arrived = Announcement(kind: .arrived, routeID: "route", name: "route")
        #expect(arrived.text(in: .english) == "You have arrived at the destination")
    }

    @Test("every kind has words, without a name and without a distance too", arguments: Announcement.Kind.allCases)
    func all(kind: Announcement.Kind) {
        for language in Language.allCases {
            let text = Announcement(kind: kind, routeID: "", name: "").text(in: language)
            #expect(!text.isEmpty && !text.contains("  ") && !text.hasSuffix(" ") && !text.contains("{"))
            #expect(Announcement(kind: kind, routeID: "", name: "", distance: .nan).text(in: language) == text)
        }
    }

    @Test("behaviour 43: the side of the destination is said, where it is known")
    func destinationSide() {
        func text(_ kind: Announcement.Kind, _ name: String, _ side: RouteTurn.Side?, _ language: Language) -> String {
            Announcement(kind: kind, routeID: "r", name: name, distance: 40, side: side).text(in: language)
        }
        #expect(text(.arrived, "Home", .left, .english) == "You have arrived at Home, on your left")
        #expect(text(.arrived, "", .right, .french) == "Vous êtes arrivé à destination, sur votre droite")
        #expect(text(.destination, "Home", .right, .english) == "Home in 40 metres on your right")
        #expect(text(.destination, "", .left, .german) == "Ziel in 40 Metern auf der linken Seite")
        #expect(text(.destination, "Home", nil, .english) == "Home in 40 metres")
    }

    @Test("a turn that is near at the start is a sentence of its own")
    func startWithTurn() {
        let start = Announcement(
            kind: .start, routeID: "r", name: "Café", distance: 1234, turnDistance: 40, turn: .normal, side: .right)
        #expect(start.text(in: .english) == "Route to Café, 1.2 kilometres. Turn right in 40 metres")
        #expect(
            start.text(in: .ukrainian) == "Маршрут до пункту «Café», 1,2 кілометра. Через 40 метрів поверніть праворуч")
    }

    private static func page() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/announcements-table.md"), encoding: .utf8)
    }

    @Test("the page for native speakers has what is said", arguments: Language.allCases)
    func page(language: Language) throws {
        let page = try Self.page()
        let kinds: [RouteTurn.Kind] = [.slight, .normal, .sharp, .uturn, .keep, .roundabout, .bend]
        for (kind, side) in kinds.flatMap({ kind in [RouteTurn.Side.left, .right, nil].map { (kind, $0) } }) {
            for isNow in [false, true] {
                let turn = Announcement(
                    kind: .turn, routeID: "r", name: "", distance: 40, turn: kind, side: side, isNow: isNow)
                #expect(page.contains("| \(turn.text(in: language)) |"))
            }
        }
        for kind in Announcement.Kind.allCases where kind != .turn {
            for (name, side) in [("Café Rose", RouteTurn.Side.left), ("Café Rose", nil), ("", .right), ("", nil)] {
                let announcement = Announcement(kind: kind, routeID: "r", name: name, distance: 40, side: side)
                #expect(page.contains("| \(announcement.text(in: language)) |"))
            }
        }
        for metres in [5.0, 40, 1000, 1200, 5000] {
            let turn = Announcement(kind: .turn, routeID: "r", name: "", distance: metres, turn: .normal, side: .left)
            #expect(page.contains("| \(turn.text(in: language)) |"))
        }
    }

    @Test("the page for native speakers has what is said of floor plans and corrections", arguments: Language.allCases)
    func pageOfEvents(language: Language) throws {
        let page = try Self.page()
        let used = PlanUse(
            plan: "station", name: "Main Station", level: "2", planProbability: 1, levelProbability: 1,
            noPlanProbability: 0, distance: 31, state: .used)
        var unfit = used
        unfit.state = .unfit
        let events: [(PlanEvent.Kind, PlanUse)] = [(.entered, used), (.unfit, unfit), (.left, used), (.left, unfit)]
        for (kind, use) in events {
            #expect(page.contains("| \(PlanEvent(kind: kind, use: use).text(in: language)) |"))
        }
        let corrections = [(0.0, 0.0), (0, 40), (17, 0), (-17, 0), (17, 40), (-17, 40)]
        for (degrees, metres) in corrections {
            let text = Self.correction(degrees: degrees, metres: metres).text(in: language)
            #expect(page.contains("| \(text) |"), "\(degrees)° \(metres) m")
        }
        for metres in [42, 1200, 12_000] {
            #expect(page.contains("| \(ShortDistance.text(metres: metres, in: language)) |"))
        }
    }

    @Test("a correction says how content has moved for the wearer: to the right is clockwise from above")
    func corrections() {
        func text(_ degrees: Double, _ metres: Double) -> String {
            Self.correction(degrees: degrees, metres: metres).text(in: .english)
        }
        #expect(text(17.2, 12) == "Content was turned by 17 degrees to the right and moved by 10 metres")
        #expect(text(-17.2, 2) == "Content was turned by 17 degrees to the left")
        #expect(text(0.4, 12) == "Content was moved by 10 metres")
        #expect(text(0.4, 2) == "Content was moved to where it belongs")
    }

    /// Correction of the frame of a wearer at its origin.
    private static func correction(degrees: Double, metres: Double) -> FrameCorrection {
        var frame = MessageSamples.frame
        frame.before = SceneAlignment(yaw: 0, translation: .zero)
        frame.published = frame.before
        frame.target = SceneAlignment(
            yaw: Angle.radians(degrees: degrees), translation: Vector3(metres, 0, 0))
        return FrameCorrection(frame, at: BootTime(nanoseconds: 0), wearer: .zero)
    }

    @Test("the instruction of a routing service stays as it is, in every language", arguments: Language.allCases)
    func instruction(language: Language) {
        #expect(RouteTurn(alongRoute: 0, angle: 1.5, text: "Turn left").words(in: language) == "Turn left")
        let turn = Announcement(
            kind: .turn, routeID: "r", name: "", distance: 40, turn: .normal, side: .left, instruction: "Go {x}")
        #expect(turn.text(in: language).contains("Go {x}"))
    }
}
