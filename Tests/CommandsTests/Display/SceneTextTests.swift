import Commands

import Testing
import WaymarkClient

@Suite("The scene in words") struct SceneTextTests {
    private static let text = """
        {"revision":1,"snapshot":true,"time":{"sec":1,"nsec":2},"generation":2,"readiness":"lost","reasons":["poorGNSS"],
        "route":{"id":"r","name":"Home","state":"following","length":500,"vertices":9,"turns":2,"remaining":420,
        "remainingSeconds":330,"nextTurn":{"kind":"normal","side":"left","angle":-90,"text":"Turn left","alongRoute":42}},
        "sun":{"elevation":-3.2,"azimuth":251,"isDay":false,"light":"civilTwilight"},
        "labelRoll":0,"removed":[],"left":3,"changed":[
        {"id":"place/a","revision":1,"kind":"place","name":"Caf\u{e9}\\nX","lock":"scene","position":{"x":1,"y":2,"z":3},
        "displayDistance":10,"yaw":0,"bearing":359.9,"distance":123.4,"distanceText":"120 m","order":1,"visible":false,
        "size":{"policy":"fading","angle":3,"scale":1},"hint":{"u":1,"v":0,"turn":90,"order":0,"count":0},
        "slot":{"index":2,"elevation":5,"width":9,"height":3}},
        {"id":"anchor/1","revision":1,"kind":"anchor","lock":"head","position":{"x":0,"y":0,"z":-1},"displayDistance":1,
        "yaw":0,"distance":1,"order":0,"visible":true,"size":{"policy":"metric","angle":3,"scale":1}},
        {"id":"route/r#1/arrow/1","revision":1,"kind":"arrow","lock":"scene","position":{"x":0,"y":0,"z":-1},
        "displayDistance":1,"yaw":0,"distance":1,"order":0,"visible":true,
        "size":{"policy":"metric","angle":3,"scale":1}}],
        "events":[{"time":{"sec":1,"nsec":0},"kind":"announcement","text":"Turn left now","distance":12,"side":"left"}]}
        """

    @Test("frame, route and sun a line each, then the placements, the nearest first, without arrows and nodes")
    func lines() throws {
        var state = Waymark.SceneState()
        try state.apply(try Samples.decode(Self.text) as Waymark.Scene)
        let lines = SceneText.lines(state)
        #expect(lines[0] == "frame     lost (poorGNSS), generation 2")
        #expect(lines[1] == "route     Home: following, 420 m left, 5 min 30 s, Turn left in 42.0 m")
        #expect(lines[2] == "sun       civil twilight, 3.2° below the horizon at 251°")
        #expect(lines.contains { $0.contains("anchor/1") && $0.contains("yes") })
        let place = try #require(lines.first { $0.contains("place/a") })
        #expect(place.contains("→") && place.contains("120 m") && place.contains("0°") && place.contains("+90°"))
        #expect(place.contains("Café X"))
        #expect(lines.suffix(2) == ["plus 1 arrows and nodes of the route", "3 more omitted (limit reached)"])
        #expect(!lines.contains { $0.contains("arrow/1") })
    }

    @Test("in a small terminal the table does without identifiers, long names and the farthest, and says so")
    func small() throws {
        var state = Waymark.SceneState()
        try state.apply(try Samples.decode(Self.text) as Waymark.Scene)
        #expect(SceneText.lines(state, columns: 79, rows: 23) == SceneText.lines(state))
        for columns in [58, 60, 64] {
            let lines = SceneText.lines(state, columns: columns, rows: 8)
            #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
            #expect(!lines.contains { $0.contains("place/a") })
            #expect(lines.last == "3 more omitted (limit reached)")
        }
        let few = SceneText.lines(state, columns: 79, rows: 9)
        #expect(few.contains("1 more, farther away"), "\(few)")
    }

    @Test("an event is a line")
    func event() throws {
        let scene = try Samples.decode(Self.text) as Waymark.Scene
        #expect(
            SceneText.event(try #require(scene.events.first)) == "1.0 s  announcement  \"Turn left now\"  left  12.0 m")
    }

    @Test("before the first message there is a line that says so")
    func nothing() { #expect(SceneText.lines(Waymark.SceneState()) == ["waiting for the scene"]) }
}
