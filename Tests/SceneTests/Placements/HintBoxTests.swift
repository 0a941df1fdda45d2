import Geometry
import Glibc
import Model
import Scene
import Testing

@Suite("The boxes of the texts of hints")
struct HintBoxTests {
    private static let camera = Camera(horizontalFieldOfView: Angle.radians(degrees: 60), aspect: 16 / 9)
    private static let settings = SceneSettings().placements

    /// A display, and what it draws: edges in half the display's height.
    private struct Display {
        private var view: SceneView
        private var follower = Follower()
        private let camera: Camera

        init(_ texts: HintTextSize = .usual, camera: Camera = HintBoxTests.camera, hints: Int? = nil) {
            self.camera = camera
            view = SceneView(camera: camera, maximumHintCount: hints, hintTexts: texts)
        }

        mutating func show(_ scene: SceneContent) {
            if let update = view.update(to: scene, settings: settings) { follower.take(update) }
        }

        var hints: [ViewedPlacement] { follower.placements.values.filter { $0.hint != nil } }
        var boxes: [(id: String, box: HintBox)] {
            hints.compactMap { viewed in viewed.hint?.box.map { (viewed.placement.id, $0) } }
        }

        /// Directions of the corners, edges and inside of a box. Frame: body.
        private func directions(_ box: HintBox) -> [Vector3] {
            let across = tan(camera.horizontalFieldOfView / 2)
            return stride(from: -0.5, through: 0.5, by: 0.125).flatMap { x in
                [-0.5, -0.25, 0, 0.25, 0.5].map { y in
                    Vector3(
                        (box.u + x * box.width) * across, -(box.v + y * box.height) * across / camera.aspect, -1)
                }
            }
        }

        /// What is drawn in a box, by the pose of a scene: marks at their largest, labels, arrows and other boxes.
        func covered(by one: (id: String, box: HintBox), _ scene: SceneContent) -> [String] {
            let box = one.box
            var found: [String] = []
            func meets(_ u: Double, _ v: Double, _ width: Double, _ height: Double) -> Bool {
                (box.u - u).magnitude < (box.width + width) / 2 && (box.v - v).magnitude < (box.height + height) / 2
            }
            for viewed in hints {
                guard let hint = viewed.hint else { continue }
                let side = 0.4 * 2 * settings.hintSpacing
                if meets(hint.u, hint.v, side / camera.aspect, side) { found.append("arrow of \(viewed.placement.id)") }
                if viewed.placement.id != one.id, let other = hint.box,
                    meets(other.u, other.v, other.width, other.height)
                {
                    found.append("text of \(viewed.placement.id)")
                }
            }
            for placement in follower.placements.values.map(\.placement)
            where placement.kind != .arrow && placement.kind != .node {
                let line = placement.position - scene.eye
                for direction in directions(box).map({ scene.rotationSceneFromBody * $0 }) {
                    let radius = placement.size.angle / 2 * (placement.pulse?.scale ?? 1)
                    if angle(direction, line) < radius { found.append("mark of \(placement.id)") }
                    if let slot = placement.slot, contains(direction, slot, line) {
                        found.append("label of \(placement.id)")
                    }
                }
            }
            return found
        }

        private func contains(_ direction: Vector3, _ slot: LabelSlot, _ line: Vector3) -> Bool {
            let azimuth = atan2(line.x, -line.z)
            let (sine, cosine) = (sin(slot.elevation), cos(slot.elevation))
            let ahead = Vector3(cosine * sin(azimuth), sine, -cosine * cos(azimuth))
            let right = Vector3(cos(azimuth), 0, sin(azimuth))
            let up = Vector3(-sine * sin(azimuth), cosine, sine * cos(azimuth))
            let depth = direction.dot(ahead)
            return depth > 0 && direction.dot(right).magnitude < depth * tan(slot.width / 2)
                && direction.dot(up).magnitude < depth * tan(slot.height / 2)
        }
    }

    private static func stage(_ draws: inout Draws) throws -> Stage {
        var stage = try Stage()
        _ = try stage.scene(0, 0, at: -1)
        stage.composer.setPlaces(
            try (0..<60).map { try stage.streets.place("p\($0)", draws.number(-250...250), draws.number(-250...250)) })
        for number in 0..<8 {
            let site = Vector3(draws.number(-40...40), draws.number(-15...25), draws.number(-40...40))
            try stage.place(Anchor(id: "\(number)", name: "Post", site: .scene(site), lifetime: .daemon))
        }
        return stage
    }

    @Test("behaviour 54: in any scene the texts of hints cover no other text, no arrow and no mark", arguments: 0..<12)
    func randomScenes(seed: Int) throws {
        var draws = Draws(state: UInt64(540 + seed))
        var stage = try Self.stage(&draws)
        let texts = seed % 3 == 0 ? HintTextSize.usual : HintTextSize(width: draws.number(0.1...0.6), height: 0.08)
        var display = Display(texts, hints: [nil, 6][seed % 2])
        var (boxes, hints) = (0, 0)
        for step in 0..<60 {
            let scene = try stage.scene(
                draws.number(-30...30), draws.number(-30...30), heading: draws.number(0...360), at: Double(step))
            display.show(scene)
            for one in display.boxes {
                #expect(display.covered(by: one, scene) == [])
                #expect(one.box.u.magnitude + one.box.width / 2 <= 1 && one.box.v.magnitude + one.box.height / 2 <= 1)
                #expect(abs(one.box.width - 2 * texts.width / Self.camera.aspect) < 1e-9)
                #expect(abs(one.box.height - 2 * texts.height) < 1e-9)
            }
            boxes += display.boxes.count
            hints += display.hints.count
        }
        #expect(Double(boxes) > 0.6 * Double(hints), "\(boxes) boxes of \(hints) hints")
    }

    @Test("behaviour 54: where a head trembles, the text of a hint stays at its side of the arrow")
    func tremblingHead() throws {
        // Of a hint to the upper right its arrow is at the upper border, at the corner or at the right one, by the
        // direction; of one behind at the left or right of the middle of the lower one.
        for site in [Vector3(17.8, 10, 3), Vector3(-17.8, 10, 3), Vector3(17.8, -10, 3), Vector3(0, -2, 20)] {
            for base in stride(from: -12.0, through: 12, by: 0.5) {
                var stage = try Stage()
                _ = try stage.scene(0, 0, at: -1)
                try stage.place(Anchor(id: "0", name: "Post", site: .scene(site), lifetime: .daemon))
                var display = Display()
                var (offsets, jumps): ([(x: Double, y: Double)], Int) = ([], 0)
                for frame in 0..<90 {
                    let tremor = frame % 2 == 0 ? 0.6 : -0.6
                    display.show(try stage.scene(0, 0, heading: base + tremor, at: Double(frame) / 30))
                    guard let hint = display.hints.first?.hint, let box = hint.box else { continue }
                    let offset = (x: (box.u - hint.u) * Self.camera.aspect, y: box.v - hint.v)
                    if let last = offsets.last, hypot(offset.x - last.x, offset.y - last.y) > 0.15 { jumps += 1 }
                    offsets.append(offset)
                }
                #expect(jumps <= 1, "\(site) at \(base)°")
            }
        }
    }

    @Test("behaviour 54: while the head turns, texts cover nothing until the next message and do not flicker")
    func turningHead() throws {
        var draws = Draws(state: 54)
        for degreesPerSecond in [3.0, 12, 40] {
            var stage = try Self.stage(&draws)
            var display = Display()
            var last: [String: (isThere: Bool, since: Double)] = [:]
            for frame in 0..<600 {
                let seconds = Double(frame) / 30
                func scene(at seconds: Double) throws -> SceneContent {
                    try stage.scene(0, 1.3 * seconds, heading: degreesPerSecond * seconds, at: seconds)
                }
                display.show(try scene(at: seconds))
                // The same is drawn by the pose of one thirtieth of a second later.
                let later = try scene(at: seconds + 1.0 / 30)
                for one in display.boxes { #expect(display.covered(by: one, later) == []) }
                let present = Set(display.boxes.map(\.id))
                let hinted = display.hints.map(\.placement.id)
                last = last.filter { hinted.contains($0.key) }
                for id in hinted {
                    guard let was = last[id], was.isThere != present.contains(id) else {
                        last[id] = last[id] ?? (present.contains(id), -1)
                        continue
                    }
                    #expect(was.isThere || seconds - was.since > 0.45, "what went does not come back at once")
                    last[id] = (present.contains(id), seconds)
                }
            }
        }
    }

    @Test("behaviour 54: a hint for whose text there is no room has none")
    func noRoom() throws {
        var draws = Draws(state: 5)
        var stage = try Self.stage(&draws)
        let scene = try stage.scene(0, 0, at: 0)
        for (texts, camera) in [
            (HintTextSize(width: 5, height: 0.5), Self.camera),
            (.usual, Camera(horizontalFieldOfView: 0.3, aspect: 0.1)),
        ] {
            var display = Display(texts, camera: camera)
            display.show(scene)
            #expect(!display.hints.isEmpty && display.boxes.isEmpty)
        }
        var display = Display()
        display.show(scene)
        #expect(!display.boxes.isEmpty)
    }
}
