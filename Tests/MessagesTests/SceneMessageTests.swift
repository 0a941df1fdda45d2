import Foundation
import Geometry
import JSON
import Messages
import Model
import Scene
import Testing

@Suite("Messages about the scene") struct SceneMessageTests {
    private static func place(_ id: String, east: Double, north: Double, tags: [String: String] = [:]) throws -> Place {
        let position = try #require(
            GeodeticPosition(
                latitudeDegrees: 47 + north / 111_000, longitudeDegrees: 8 + east / 76_000, ellipsoidalHeight: 0))
        return Place(
            id: id, name: "Café \"\(id)\"\n\u{0}", kind: "cafe", position: position, tags: tags, isFavorite: true)
    }

    private static func moment(seconds: Double = 10) throws -> SceneMoment {
        let origin = try #require(
            GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 400))
        let map = SceneMap(
            plane: LocalTangentPlane(origin: origin), alignment: SceneAlignment(yaw: 0, translation: .zero))
        let time = try #require(BootTime(seconds: seconds))
        let pose = PoseEstimate(
            time: time, generation: 3, rotationSceneFromBody: .identity, positionInScene: .zero, velocityInScene: .zero,
            angularVelocityInBody: .zero, rotationENUFromBody: Rotation3.exp(Vector3(.pi / 2, 0, 0)),
            velocityENU: nil, geodetic: origin,
            headingReference: .trueNorth, accuracy: PoseAccuracy(horizontal: 2, vertical: nil, yaw: 0.02),
            orientationTracking: .tracked, positionTracking: .tracked, state: .localized, reasons: [], sources: [])
        let viewpoint = Viewpoint(
            time: time, generation: 3, positionInScene: .zero, rotationSceneFromBody: .identity, velocityInScene: .zero,
            map: map, position: origin, horizontalAccuracy: 2, yawStandardDeviation: 0.02)
        return SceneMoment(
            pose: pose, viewpoint: viewpoint, readiness: FrameReadiness(state: .ready, reasons: []),
            utcSeconds: 1_782_043_200)
    }

    /// What is sent of a scene, as a reader parses it.
    private static func message(_ view: inout SceneView, _ content: SceneContent) throws -> [String: Any] {
        let update = view.update(to: content, settings: SceneSettings().placements)
        var json = JSONWriter()
        try #require(update).message(in: .english).write(into: &json)
        let parsed = try JSONSerialization.jsonObject(with: Data(json.bytes))
        return try #require(parsed as? [String: Any])
    }

    private static func number(_ object: [String: Any], _ name: String) throws -> Double {
        try #require(object[name] as? Double)
    }

    @Test("a placement holds the names, units and values of the interface, and nothing that is unknown")
    func placement() throws {
        var composer = SceneComposer()
        composer.setPlaces([try Self.place("a", east: 100, north: 100, tags: ["b": "2", "a": "1"])])
        let scene = composer.compose(try Self.moment())
        var view = SceneView(camera: Camera(horizontalFieldOfView: 1, aspect: 1.5), radarRange: 500)
        let message = try Self.message(&view, scene)
        #expect(message["revision"] as? Int == 1 && message["snapshot"] as? Bool == true)
        #expect(message["generation"] as? Int == 3 && message["readiness"] as? String == "ready")
        #expect(
            (message["reasons"] as? [String])?.isEmpty == true && message["route"] == nil && message["missed"] == nil)
        #expect((message["time"] as? [String: Int]) == ["sec": 10, "nsec": 0])
        let sun = try #require(message["sun"] as? [String: Any])
        #expect(sun["light"] as? String == "day" && sun["isDay"] as? Bool == true)
        let all = try #require(message["changed"] as? [[String: Any]])
        let placement = try #require(all.first)
        #expect(all.count == 1 && placement["id"] as? String == "place/a" && placement["kind"] as? String == "place")
        #expect(placement["name"] as? String == "Café \"a\"\n\u{0}" && placement["category"] as? String == "cafe")
        #expect(placement["favorite"] as? Bool == true && placement["lock"] as? String == "scene")
        let (bearing, distance) = (try Self.number(placement, "bearing"), try Self.number(placement, "distance"))
        #expect(abs(bearing - 45) < 0.5 && abs(distance - 141.4) < 1)
        #expect(placement["distanceText"] as? String == "140 m" && placement["band"] as? String == "near")
        #expect((placement["properties"] as? [String: String]) == ["a": "1", "b": "2"])
        #expect(placement["visible"] as? Bool == false)
        let hint = try #require(placement["hint"] as? [String: Any])
        let (u, turn) = (try Self.number(hint, "u"), try Self.number(hint, "turn"))
        #expect(u > 0.5 && abs(turn - 45) < 0.5)
        let radar = try #require(placement["radar"] as? [String: Any])
        let (x, y) = (try Self.number(radar, "x"), try Self.number(radar, "y"))
        #expect(abs(x - 0.2) < 0.01 && abs(y - 0.2) < 0.01)
        for absent in ["alongRoute", "pulse", "side", "members", "path", "course", "maneuver"] {
            #expect(placement[absent] == nil)
        }
    }

    @Test("events of floor plans say plan, level and probabilities, and in words what has become of them")
    func plans() throws {
        var composer = SceneComposer()
        let scene = composer.compose(try Self.moment())
        var view = SceneView(camera: Camera(horizontalFieldOfView: 1, aspect: 1.5))
        let use = PlanUse(
            plan: "station", name: "Main station", level: "F1", planProbability: 0.93456, levelProbability: 0.8,
            noPlanProbability: 0.06544, distance: 31, state: .used)
        for kind in [PlanEvent.Kind.entered, .levelChanged, .unfit, .left] {
            view.events.add(
                TimedEvent(time: BootTime(nanoseconds: 5), event: .plan(PlanEvent(kind: kind, use: use))))
        }
        let events = try #require(try Self.message(&view, scene)["events"] as? [[String: Any]])
        #expect(events.map { $0["kind"] as? String } == ["planEntered", "planLevel", "planUnfit", "planLeft"])
        #expect(events[0]["text"] as? String == "On level F1 of “Main station”")
        let published = try #require(events[0]["plan"] as? [String: Any])
        #expect(published["plan"] as? String == "station" && published["level"] as? String == "F1")
        #expect(published["state"] as? String == "used" && published["planProbability"] as? Double == 0.9346)
    }

    @Test("events say their kind and what they are about")
    func events() throws {
        var composer = SceneComposer()
        let scene = composer.compose(try Self.moment())
        var view = SceneView(camera: Camera(horizontalFieldOfView: 1, aspect: 1.5))
        let time = BootTime(nanoseconds: 5_000_000_007)
        let turn = RouteTurn(alongRoute: 50, angle: 1)
        let happened: [SceneEvent] = [
            .proximity(ProximityEvent(kind: .entered, id: "a", name: "A", distance: 12.34)),
            .announcement(Announcement(kind: .turn, routeID: "r", name: "Home", distance: 40, side: .left, grade: 1)),
            .turnAhead(TurnAhead(routeID: "r", turn: turn, distance: 99)), .route(id: "r", state: .offRoute),
            .readiness(FrameReadiness(state: .lost, reasons: [.poorGNSS, .settling])), .anchorLost(id: "x"),
            .anchorMoved(id: "y", distance: 12.34),
            .announcement(Announcement(kind: .turn, routeID: "r", name: "Home", distance: 11, grade: 2, isNow: true)),
        ]
        for event in happened { view.events.add(TimedEvent(time: time, event: event)) }
        let message = try Self.message(&view, scene)
        let events = try #require(message["events"] as? [[String: Any]])
        let kinds = [
            "proximityEntered", "announcement", "turnAhead", "offRoute", "readiness", "anchorLost", "anchorMoved",
            "announcement",
        ]
        #expect(events.map { $0["kind"] as? String } == kinds)
        #expect(events.allSatisfy { ($0["time"] as? [String: Int]) == ["sec": 5, "nsec": 7] })
        #expect(events[0]["id"] as? String == "place/a" && events[0]["distance"] as? Double == 12.3)
        #expect(events[1]["about"] as? String == "turn" && events[1]["side"] as? String == "left")
        #expect((events[1]["text"] as? String)?.contains("left") == true)
        #expect(events[1]["isNow"] == nil && events[7]["isNow"] as? Bool == true)
        #expect(events[2]["side"] as? String == "right" && events[3]["route"] as? String == "r")
        #expect(events[4]["state"] as? String == "lost")
        #expect((events[4]["reasons"] as? [String]) == ["settling", "poorGNSS"])
        #expect(events[5]["id"] as? String == "anchor/x")
        #expect(events[6]["id"] as? String == "anchor/y" && events[6]["distance"] as? Double == 12.3)
    }

    @Test("the second message is a change, which names what is gone")
    func change() throws {
        var composer = SceneComposer()
        composer.setPlaces([try Self.place("a", east: 10, north: 10), try Self.place("b", east: -90, north: 10)])
        var view = SceneView(camera: Camera(horizontalFieldOfView: 1, aspect: 1.5))
        let first = try Self.message(&view, composer.compose(try Self.moment()))
        #expect(first["snapshot"] as? Bool == true)
        composer.setPlaces([try Self.place("b", east: -90, north: 10)])
        let message = try Self.message(&view, composer.compose(try Self.moment(seconds: 10.1)))
        #expect(message["snapshot"] as? Bool == false && message["revision"] as? Int == 2)
        #expect(message["removed"] as? [String] == ["place/a"])
    }
}
