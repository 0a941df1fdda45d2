import Commands
import Testing
import WaymarkClient

@Suite("A route in words")
struct RouteTextTests {
    private func route(_ rest: String) throws -> Waymark.Route {
        try Samples.decode(
            #"{"id":"r","name":"To the\nFountain","length":1234.5,"vertices":40,"turns":2,"# + rest + "}")
    }

    @Test("what is walked, what remains and the next turn")
    func following() throws {
        let lines = RouteText.lines(
            try route(
                """
                "state":"following","duration":900,"along":234.5,"remaining":1000,"remainingSeconds":700,\
                "distanceFromRoute":3.2,"nextTurn":{"kind":"normal","side":"left","angle":-90,\
                "text":"Turn left onto Elm Street","alongRoute":40.25}
                """))
        #expect(
            lines == [
                "route      To the Fountain",
                "length     1235 m, 2 turns, 40 vertices, 15 min 0 s according to the routing service",
                "state      followed",
                "walked     235 m",
                "remaining  1000 m, about 11 min 40 s",
                "next turn  in 40.3 m: Turn left onto Elm Street",
            ])
    }

    @Test("before the first position, off the route and at its end")
    func others() throws {
        #expect(RouteText.lines(try route(#""state":"following""#))[2] == "state      waiting for the first position")
        let lost = RouteText.lines(
            try route(#""state":"offRoute","along":100,"remaining":1200,"distanceFromRoute":65"#))
        #expect(lost[2] == "state      off the route, 65.0 m away")
        let done = RouteText.lines(try route(#""state":"arrived","along":1234,"remaining":0.5"#))
        #expect(done.last == "walked     1234 m")
    }
}
