import Foundation
import Geometry
import Model
import Scene
import Testing

@Suite("The differences from which docs/placements.md says a placement is sent again")
struct PlacementToleranceTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// Condition of each field, as in the table.
    private let rows: [String: String]
    private let stage: Stage

    init() throws {
        stage = try Stage()
        let page = try String(contentsOf: Self.root.appending(path: "docs/placements.md"), encoding: .utf8)
        var rows: [String: String] = [:]
        for line in page.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2, line.hasPrefix("| `") else { continue }
            for field in cells[0].matches(of: /`([a-zA-Z.]+)`/) { rows[String(field.1), default: ""] += cells[1] + " " }
        }
        self.rows = rows
    }

    /// The tolerances of a field in their order. Units: metres, radians, 1.
    private func tolerances(_ field: String) throws -> [Double] {
        try #require(rows[field], "\(field) is not in the table").matches(of: /([0-9.]+) ?(cm|mm|m\b|°|%)?/).compactMap
        {
            guard let number = Double($0.1) else { return nil }
            return switch $0.2 {
            case "cm": number / 100
            case "mm": number / 1000
            case "°": Angle.radians(degrees: number)
            case "%": number / 100
            default: number
            }
        }
    }

    /// Expects that less than the tolerance is not sent, and more is, in one direction and the other.
    private func expect(
        _ tolerance: Double, of what: String, location: SourceLocation = #_sourceLocation,
        _ isSent: (Double) throws -> Bool
    ) rethrows {
        for sign in [-1.0, 1] {
            let (less, more) = (try isSent(0.98 * sign * tolerance), try isSent(1.02 * sign * tolerance))
            #expect(!less && more, "\(what) is sent again from another difference on", sourceLocation: location)
        }
    }

    /// Whether a change of a placement is sent that lies so far away.
    private func isSent(
        from distance: Double, _ kind: Placement.Kind = .place, prepared prepare: (inout Placement) -> Void = { _ in },
        changed change: (inout Placement) -> Void
    ) throws -> Bool {
        var stage = stage
        _ = try stage.scene(0, 0, at: 0)
        try stage.place(Anchor(id: "a", site: .scene(Vector3(0, 0, -distance)), lifetime: .daemon))
        var before = try #require(try stage.scene(0, 0, at: 1).placements.first)
        (before.kind, before.course, before.alongRoute, before.sigma) = (kind, 0.5, distance, 0.1)
        (before.distance, before.displayDistance) = (distance, distance)
        try stage.follow([(0, 0), (0, 90)])
        let arrow = try #require(try stage.scene(0, 0, at: 2).placements.first { !$0.path.isEmpty })
        before.path = [arrow.path[0]]
        (before.path[0].position, before.path[0].course) = (before.position, 0.5)
        prepare(&before)
        var after = before
        change(&after)
        return PlacementChange.isWorthSending(after, after: before)
    }

    @Test("behaviour 40: a place is sent again from the documented distance on, on the ground and elsewhere")
    func positions() throws {
        let said = try tolerances("position")
        try #require(said.count == 4)
        for (kind, length, angle) in [(Placement.Kind.place, said[0], said[1]), (.arrow, said[2], said[3])] {
            // What is far may move by as much as is seen.
            for (distance, tolerance) in [(1.0, length), (400, 400 * angle)] {
                try expect(tolerance, of: "position of \(kind) at \(distance) m") { difference in
                    try isSent(from: distance, kind) { $0.position.x += difference }
                }
                try expect(tolerance, of: "path of \(kind) at \(distance) m") { difference in
                    try isSent(from: distance, kind) { $0.path[0].position.y += difference }
                }
            }
        }
    }

    @Test("behaviour 40: distances, angles, sizes and sigmas are sent again from the same differences on")
    func numbers() throws {
        for (field, part) in [
            ("distance", \Placement.distance), ("displayDistance", \.displayDistance),
            ("alongRoute", \.alongRoute[or: 0]),
        ] {
            let said = try tolerances(field)
            for (distance, tolerance) in [(2.0, said[0]), (400, 400 * said[1])] {
                try expect(tolerance, of: field) { difference in
                    try isSent(from: distance) { $0[keyPath: part] += difference }
                }
            }
        }
        for (field, part) in [
            ("course", \Placement.course[or: 0]), ("yaw", \.billboardYaw), ("bearing", \.bearing[or: 0]),
        ] {
            try expect(try tolerances(field)[0], of: field) { difference in
                try isSent(from: 9, prepared: { $0.bearing = 1 }, changed: { $0[keyPath: part] += difference })
            }
        }
        try expect(try tolerances("course")[0], of: "course of a path") { difference in
            try isSent(from: 9, .arrow) { $0.path[0].course += difference }
        }
        try expect(try tolerances("sigma")[0], of: "sigma") { share in
            try isSent(from: 9) { $0.sigma[or: 0] *= 1 + share }
        }
        try expect(try tolerances("size.angle")[0], of: "size") { share in
            try isSent(from: 9) { $0.size.angle *= 1 + share }
        }
        #expect(try !isSent(from: 9, prepared: { $0.sizePolicy = .metric(1) }, changed: { $0.size.angle *= 2 }))
    }

    @Test("behaviour 40: hints, the radar and the roll are sent again from the same differences on")
    func ofADisplay() throws {
        let camera = Camera(horizontalFieldOfView: 1, aspect: 1.5)
        let settings = SceneSettings().placements
        // Half width and half height of the line on which hints lie, in half the display's height.
        let (across, down) = (camera.aspect - 2 * settings.hintInset, 1 - 2 * settings.hintInset)
        /// What is sent of one thing after the wearer has turned: to the right, and the head to the left shoulder.
        func sent(_ direction: Vector3, turn: Double = 0, roll: Double = 0, radar: Double? = nil) throws -> SceneUpdate?
        {
            var stage = stage
            var view = SceneView(camera: camera, radarRange: radar)
            for (seconds, turn, roll) in [(0.0, 0.0, 0.0), (0.1, turn, roll)] {
                var moment = try stage.moment(0, 0, heading: Angle.degrees(radians: turn), at: seconds)
                let attitude = moment.pose.rotationSceneFromBody * Rotation3.exp(Vector3(0, 0, roll))
                moment.pose.rotationSceneFromBody = attitude
                if seconds == 0 {
                    _ = stage.composer.compose(moment)
                    let site = moment.pose.positionInScene + direction * 300
                    try stage.place(Anchor(id: "a", site: .scene(site), lifetime: .daemon))
                }
                let update = view.update(to: stage.composer.compose(moment), settings: settings)
                if seconds > 0 { return update }
            }
            return nil
        }
        func isChanged(_ update: SceneUpdate?) -> Bool { !(update?.changed.isEmpty ?? true) }
        try expect(try tolerances("hint.turn")[0], of: "hint.turn") {
            isChanged(try sent(Vector3(1, 0, 0), turn: $0))
        }
        try expect(try tolerances("hint.v")[0], of: "hint.v") {
            isChanged(try sent(Vector3(1, 0, 0), roll: atan($0 / across)))
        }
        try expect(try tolerances("hint.u")[0], of: "hint.u") {
            isChanged(try sent(Vector3(0, 0.8, -0.6), roll: atan($0 * camera.aspect / down)))
        }
        // Beyond the radar's range straight ahead: on its border.
        try expect(try tolerances("radar.x")[0], of: "radar.x") {
            isChanged(try sent(Vector3(0, 0, -1), turn: asin($0), radar: 100))
        }
        try expect(try tolerances("labelRoll")[0], of: "labelRoll") {
            let update = try sent(Vector3(0, 0, -1), roll: $0)
            #expect(!isChanged(update))
            return update != nil
        }
    }

    @Test("behaviour 40: words, counts and what a thing is are sent again at once")
    func atOnce() throws {
        let changes: [String: (inout Placement) -> Void] = [
            "kind": { $0.kind = .cluster }, "name": { $0.name = "b" }, "category": { $0.category = "b" },
            "lock": { $0.lock = .head }, "band": { $0.band = .far }, "order": { $0.order += 1 },
            "side": { $0.side = .left }, "maneuver": { $0.maneuver = .sharp },
            "pulse": { $0.pulse = Pulse(epoch: BootTime(nanoseconds: 0), settings: SceneSettings().placements) },
            "favorite": { $0.isFavorite = true }, "members": { $0.members = ["b"] },
            "occluded": { $0.isOccluded = true }, "properties": { $0.properties = ["b": "c"] },
            "slot": { $0.slot = LabelSlot(index: 1, elevation: 0.1, width: 0.1, height: 0.1) },
            "size.policy": { $0.sizePolicy = .metric(3) }, "distanceText": { $0.shownDistance = 2 },
            "alongRouteText": { $0.shownAlongRoute = 2 },
        ]
        for (field, change) in changes {
            #expect(rows[field]?.hasPrefix("at once") == true, "\(field)")
            #expect(try isSent(from: 9, changed: change), "\(field)")
        }
        // `id` and `visible` are held elsewhere, as are ranks and boxes of hints; details go with the properties they
        // are made of.
        let elsewhere: Set = ["id", "visible", "hint.order", "hint.count", "hint.box", "details"]
        let atOnce = rows.filter { $0.value.hasPrefix("at once") }.keys
        #expect(Set(atOnce) == Set(changes.keys).union(elsewhere))
    }

    @Test("the document leaves no field of a placement out")
    func complete() throws {
        let interface = try String(
            contentsOf: Self.root.appending(path: "Sources/Wire/WaymarkInterface/org.waymark.Scene.varlink"),
            encoding: .utf8)
        let type = try #require(interface.firstMatch(of: /type Placement \(\n(.*?)\n\)/.dotMatchesNewlines())).1
        let fields = type.matches(of: /(?:^|\n)  ([a-zA-Z]+):/).map { String($0.1) }
        #expect(fields.count > 25)
        let documented = Set(rows.keys.map { String($0.prefix { $0 != "." }) })
        // The revision is that of the message.
        #expect(Set(fields).subtracting(documented) == ["revision"])
        #expect(documented.subtracting(fields) == ["labelRoll"], "which is the scene's")
    }
}

extension Optional {
    /// The value, or another one where there is none.
    fileprivate subscript(or other: Wrapped) -> Wrapped {
        get { self ?? other }
        set { self = newValue }
    }
}
