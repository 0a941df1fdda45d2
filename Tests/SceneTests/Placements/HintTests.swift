import Geometry
import Glibc
import Scene
import Testing

@Suite("Hints at what the display does not show")
struct HintTests {
    let settings = SceneSettings.Placements()
    static let cameras = [
        Camera(horizontalFieldOfView: Angle.radians(degrees: 60), aspect: 16.0 / 9),
        Camera(horizontalFieldOfView: Angle.radians(degrees: 25), aspect: 4.0 / 3),
        Camera(horizontalFieldOfView: Angle.radians(degrees: 50), aspect: 0.5),
        Camera(horizontalFieldOfView: Angle.radians(degrees: 110), aspect: 2),
    ]

    /// Half width and half height of the rectangle on which hints lie. Unit: half the display's height.
    private func extents(_ camera: Camera) -> (x: Double, y: Double) {
        (camera.aspect - 2 * settings.hintInset, 1 - 2 * settings.hintInset)
    }

    private func firstHint(_ direction: Vector3, _ camera: Camera = cameras[0]) -> OffscreenHint? {
        var tracker = HintTracker()
        return tracker.update(pointInBody: direction, camera: camera, settings: settings).hint
    }

    @Test("behaviour 24: right of the display at the right border, above it at the upper, also behind")
    func sides() throws {
        let across = 1 - 0.16 * 9 / 16
        let expected: [(Vector3, Double, Double)] = [
            (Vector3(10, 0, -1), across, 0), (Vector3(-10, 0, -1), -across, 0), (Vector3(0, 9, -1), 0, -0.84),
            (Vector3(0, -9, -1), 0, 0.84),
            // Behind on the right: dividing by the depth would point left.
            (Vector3(5, 0, 5), across, 0), (Vector3(0, 5, 5), 0, -0.84),
        ]
        for (direction, u, v) in expected {
            let hint = try #require(firstHint(direction))
            #expect(abs(hint.u - u) < 1e-12 && abs(hint.v - v) < 1e-12)
        }
    }

    @Test("behaviour 24: always on the border less the inset", arguments: cameras)
    func onBorder(camera: Camera) {
        var draws = Draws(state: 24)
        let extents = extents(camera)
        var count = 0
        for _ in 0..<2000 {
            guard let hint = firstHint(draws.direction(), camera) else { continue }
            count += 1
            let (x, y) = ((hint.u * camera.aspect).magnitude, hint.v.magnitude)
            #expect(x <= extents.x + 1e-12 && y <= extents.y + 1e-12)
            #expect(abs(x - extents.x) < 1e-12 || abs(y - extents.y) < 1e-12)
        }
        #expect(count > 1000)
    }

    @Test("behaviour 24: who follows the hint comes nearer by all that he turns", arguments: cameras)
    func shortestWay(camera: Camera) {
        var draws = Draws(state: 240)
        let sight = Vector3(0, 0, -1)
        var count = 0
        for _ in 0..<2000 {
            let place = draws.direction()
            let off = angle(place, sight)
            guard off < Angle.radians(degrees: 170), let hint = firstHint(place, camera) else { continue }
            let towards = Vector3(hint.u * camera.aspect, -hint.v, 0)
            let step = min(0.1, off)
            let turn = Rotation3.about(sight.cross(towards), by: step)
            // Rounding, which near a half-turn goes by the root.
            #expect(abs(angle(turn.inverse * place, sight) - (off - step)) < 1e-9)
            count += 1
        }
        #expect(count > 1000)
    }

    @Test("behaviour 24: straight behind it stays at the bottom until clearly out of the cone")
    func behind() throws {
        var tracker = HintTracker()
        func hint(_ degrees: Double) throws -> OffscreenHint {
            let direction = attitude(heading: degrees) * Vector3(0, 0, 1)
            return try #require(
                tracker.update(pointInBody: direction, camera: Self.cameras[0], settings: settings).hint)
        }
        let bottom = 0.84
        #expect(try hint(10.5).v == 0, "not yet entered")
        #expect(try hint(9.5).v == bottom && hint(9.5).u == 0)
        for degrees in stride(from: -19.5, through: 19.5, by: 0.5) { #expect(try hint(degrees).v == bottom) }
        #expect(try hint(20.5).v == 0)
        #expect(try hint(10.5).v == 0, "left, and not entered again")
    }

    @Test("behaviour 24: trembling about straight behind moves neither the hint nor the side to turn to")
    func trembling() throws {
        var draws = Draws(state: 7)
        var tracker = HintTracker()
        var turns: [Double] = []
        for _ in 0..<3000 {
            let direction =
                attitude(heading: 180 + draws.number(-5...5), pitch: draws.number(-5...5))
                * Vector3(0, 0, -1)
            let hint = try #require(
                tracker.update(pointInBody: direction, camera: Self.cameras[0], settings: settings).hint)
            #expect(hint.u == 0 && abs(hint.v - 0.84) < 1e-12)
            turns.append(hint.turn)
        }
        #expect(turns.allSatisfy { $0 > 0 } || turns.allSatisfy { $0 < 0 })
    }

    @Test("behaviour 24: shown up to the border, and again only from the line of the hints, where mark meets hint")
    func borderHysteresis() throws {
        let camera = Self.cameras[0]
        var tracker = HintTracker()
        func update(_ share: Double) -> (isVisible: Bool, hint: OffscreenHint?) {
            let x = share * tan(camera.horizontalFieldOfView / 2)
            return tracker.update(pointInBody: Vector3(x, 0, -1), camera: camera, settings: settings)
        }
        #expect(update(0.999).isVisible, "the first time by the border alone")
        #expect(update(0).isVisible && update(0.999).isVisible)
        let left = update(1.001)
        #expect(!left.isVisible)
        let line = try #require(left.hint).u
        #expect(!update(0.999).isVisible && !update(line + 0.001).isVisible)
        #expect(update(line - 0.001).isVisible && update(line + 0.001).isVisible)
    }

    @Test(
        "behaviour 24: turned all round at many pitches, the hint jumps only at the cone behind and at the display",
        arguments: cameras, [-60.0, -35, -12, 0, 20, 50])
    func allRound(camera: Camera, pitch: Double) throws {
        var handovers = 0
        for elevation in stride(from: -75.0, through: 75, by: 12.5) {
            for roll in [-30.0, 0, 15] {
                handovers += try turnRound(camera, pitch: pitch, roll: roll, elevation: elevation)
            }
        }
        #expect(handovers > 5)
    }

    /// Twice about the vertical in steps of 0.5°.
    private func turnRound(_ camera: Camera, pitch: Double, roll: Double, elevation: Double) throws -> Int {
        let step = 0.5
        let place = attitude(heading: 77, pitch: elevation) * Vector3(0, 0, -40)
        var tracker = HintTracker()
        var before: (tracker: HintTracker, hint: OffscreenHint?)?
        var (jumps, moves, handovers) = (0, 0, 0)
        var sideChanges = 0
        for heading in stride(from: 0.0, through: 720, by: step) {
            let inverse = attitude(heading: heading, pitch: pitch, roll: roll).inverse
            let direction = inverse * place
            let found = tracker.update(
                pointInBody: direction, upInBody: inverse * Vector3(0, 1, 0), camera: camera, settings: settings)
            #expect((found.hint == nil) == found.isVisible)
            defer { before = (tracker, found.hint) }
            guard let hint = found.hint, let last = before, let lastHint = last.hint else {
                if found.isVisible, let lastHint = before?.hint {
                    let mark = projection(direction, camera)
                    let distance = hypot(mark.u - lastHint.u * camera.aspect, mark.v - lastHint.v)
                    #expect(distance <= maximumHandover(camera, step: step), "the mark appears where the hint was")
                    handovers += 1
                }
                jumps += before != nil && before?.tracker.isVisible != found.isVisible ? 1 : 0
                continue
            }
            let turned = hint.turn - lastHint.turn
            sideChanges += turned > .pi ? 1 : 0
            #expect(abs(Angle.wrapped(turned) + Angle.radians(degrees: step)) < 1e-9, "all of the turn, leftwards")
            if last.tracker.isBehind != tracker.isBehind {
                jumps += 1
            } else {
                let distance = hypot((hint.u - lastHint.u) * camera.aspect, hint.v - lastHint.v)
                #expect(distance <= maximumMovement(camera, step: step))
                moves += 1
            }
        }
        #expect(jumps <= 8, "in and out of the cone and of the display, twice")
        #expect(sideChanges <= 2)
        #expect(moves > 300)
        return handovers
    }

    /// On the display, in units of half its height.
    private func projection(_ direction: Vector3, _ camera: Camera) -> (u: Double, v: Double) {
        let scale = tan(camera.horizontalFieldOfView / 2) / camera.aspect
        return (direction.x / (-direction.z * scale), -direction.y / (-direction.z * scale))
    }

    /// The image moves by the step over cos² at the most, and its hint by that over the slope of the border.
    private func maximumHandover(_ camera: Camera, step: Double) -> Double {
        let scale = tan(camera.horizontalFieldOfView / 2) / camera.aspect
        let corner = hypot(camera.aspect, 1)
        let image = Angle.radians(degrees: step) * (1 + corner * corner * scale * scale) / scale
        return image * (1 + corner / min(extents(camera).x, extents(camera).y))
    }

    /// Of a hint in one step of the head: the place moves by the step on the sphere, no nearer to the line of sight
    /// than the display's inner rectangle nor to its back than the cone; the direction by that over the sine of that;
    /// and the point of the border by (A² + B²)/min(A, B) of that.
    private func maximumMovement(_ camera: Camera, step: Double) -> Double {
        let extents = extents(camera)
        let scale = tan(camera.horizontalFieldOfView / 2) / camera.aspect
        let nearest = min(
            Angle.radians(degrees: settings.behindEnterDegrees), atan(min(extents.x, extents.y) * scale))
        let turned = Angle.radians(degrees: step) / sin(nearest - Angle.radians(degrees: step))
        return turned * (extents.x * extents.x + extents.y * extents.y) / min(extents.x, extents.y)
    }

    @Test("behaviour 24: the turn is about the vertical, however the head is tilted")
    func yawOnly() throws {
        for pitch in [-80.0, -60, 0, 45, 80] {
            for roll in [-40.0, 0, 25] {
                let inverse = attitude(heading: 10, pitch: pitch, roll: roll).inverse
                let place = attitude(heading: 130, pitch: 12) * Vector3(0, 0, -300)
                var tracker = HintTracker()
                let hint = try #require(
                    tracker.update(
                        pointInBody: inverse * place, upInBody: inverse * Vector3(0, 1, 0), camera: Self.cameras[1],
                        settings: settings
                    ).hint)
                #expect(abs(Angle.degrees(radians: hint.turn) - 120) < 1e-9)
            }
        }
    }

    @Test("behaviour 24: looking straight down keeps the turn")
    func straightDown() throws {
        var tracker = HintTracker()
        let place = Vector3(30, 0, 30)
        func turn(_ heading: Double, _ pitch: Double) throws -> Double {
            let inverse = attitude(heading: heading, pitch: pitch).inverse
            return try #require(
                tracker.update(
                    pointInBody: inverse * place, upInBody: inverse * Vector3(0, 1, 0), camera: Self.cameras[1],
                    settings: settings
                ).hint
            ).turn
        }
        let before = try turn(0, -80)
        #expect(abs(Angle.degrees(radians: before) - 135) < 1e-9)
        for heading in stride(from: 0.0, to: 360, by: 10) { #expect(try turn(heading, -89) == before) }
    }
}
