import Scene
import Testing

@Suite("Maneuvers of a route")
struct RouteManeuverTests {
    let streets: Streets

    init() throws { streets = try Streets() }

    private func maneuver(
        _ east: Double, _ north: Double, _ kind: RouteManeuver.Kind, _ degrees: Double? = nil, _ text: String? = nil
    ) throws -> RouteManeuver {
        RouteManeuver(
            position: try streets.position(east, north), kind: kind, angle: degrees.map { $0 * .pi / 180 }, text: text)
    }

    private func turns(_ corners: [(Double, Double)], _ maneuvers: [RouteManeuver]) throws -> [RouteTurn] {
        var route = try streets.route(corners)
        route.maneuvers = maneuvers
        return try #require(RoutePlan(route)).turns
    }

    @Test("behaviour 27: the service's word on a turn goes with the place where the line turns")
    func merged() throws {
        let turns = try turns(
            [(0, 0), (0, 100), (80, 100)],
            [
                try maneuver(0, 0, .depart), try maneuver(0, 92, .turn, 85, "Turn right onto Elm Street"),
                try maneuver(80, 100, .arrive),
            ])
        try #require(turns.count == 1)
        #expect(abs(turns[0].alongRoute - 100) < 0.01)
        #expect(turns[0].kind == .normal && turns[0].side == .right)
        #expect(turns[0].text == "Turn right onto Elm Street")
    }

    @Test("behaviour 27: a slight turn and a fork that the line hardly shows are turns if the service says so")
    func forks() throws {
        let turns = try turns(
            [(0, 0), (0, 100), (20, 200), (20, 300)],
            [try maneuver(0, 100, .turn, 20), try maneuver(20, 200, .keep, -11)])
        #expect(turns.map(\.kind) == [.slight, .keep])
        #expect(turns.map(\.side) == [.right, .left])
    }

    @Test("behaviour 27: where the street itself leads round a corner, that is a bend; a lesser one is nothing")
    func bends() throws {
        let corners = [(0.0, 0.0), (0, 100), (100, 100), (180, 40), (180, -100)]
        let turns = try turns(corners, [try maneuver(0, 0, .depart), try maneuver(100, 100, .continue, 37)])
        #expect(turns.map(\.kind) == [.bend, .bend])
        #expect(turns.map { $0.alongRoute.rounded() } == [100, 300])
    }

    @Test(
        "behaviour 27: types by angle",
        arguments: zip(
            [35.0, 45, 60, 90, -110, 130, -150, 170], [0, 0, 1, 1, 1, 2, 2, 3]))
    func types(degrees: Double, expected: Int) {
        let kinds: [RouteTurn.Kind] = [.slight, .normal, .sharp, .uturn]
        let turn = RouteTurn(alongRoute: 0, angle: degrees * .pi / 180)
        #expect(turn.kind == kinds[expected])
        #expect(turn.side == (degrees < 0 ? .left : .right))
    }

    @Test("behaviour 27: at a place that is passed twice each pass has its own maneuver")
    func twice() throws {
        // Straight over the crossing at (0, 100), round a block and back to it from the right, there to the left.
        let corners = [(0.0, 0.0), (0, 200), (100, 200), (100, 100), (0, 100), (0, 20)]
        let turns = try turns(
            corners,
            [
                try maneuver(0, 200, .turn, 90), try maneuver(100, 200, .turn, 90), try maneuver(100, 100, .turn, 90),
                try maneuver(0, 100, .turn, -90, "here"),
            ])
        #expect(turns.map { $0.alongRoute.rounded() } == [200, 300, 400, 500])
        #expect(turns[3].text == "here")
        // The same with only the last one said: the first pass leads straight on and cannot be meant.
        let last = try self.turns(corners, [try maneuver(0, 100, .turn, -90, "here")])
        #expect(last.first { $0.text == "here" }.map { $0.alongRoute.rounded() } == 500)
    }

    @Test("behaviour 27: roundabouts and turns back keep their kind")
    func kinds() throws {
        let turns = try turns(
            [(0, 0), (0, 100), (60, 100), (60, 200), (60, 100)],
            [
                try maneuver(0, 100, .roundabout, 90), try maneuver(60, 100, .turn, -90),
                try maneuver(60, 200, .uturn, 180),
            ])
        #expect(turns.map(\.kind) == [.roundabout, .normal, .uturn])
    }

    @Test("maneuvers far from the line are not on it")
    func farFromLine() throws {
        #expect(try turns([(0, 0), (0, 100)], [try maneuver(500, 500, .turn, 90)]).isEmpty)
    }
}
