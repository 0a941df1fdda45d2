import Geometry
import Model
import Scene
import Testing

/// Whatever is fed to the functions for placements, what comes out is a number within its bounds.
@Suite("Placements at the end of all numbers")
struct ExtremeInputTests {
    static let extremes = [
        0, -0.0, 0x1p-1070, -1e-300, 1e-160, -1e-12, 1, -1, 40, -1e6, 1e7, 1e150, -1e154, 1e200, -1e300,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]
    let settings = SceneSettings.Placements()

    private func vector(_ draws: inout Draws) -> Vector3 {
        func extreme() -> Double { Self.extremes.randomElement(using: &draws) ?? 0 }
        return Vector3(extreme(), extreme(), extreme())
    }

    @Test("sizes and display distances", arguments: extremes)
    func distances(distance: Double) {
        for policy in [SizePolicy.fading, .angular(distance), .metric(distance)] {
            for other in Self.extremes + [.infinity] {
                let size = ApparentSize.of(policy, distance: other, settings: settings)
                #expect((0...Double.pi).contains(size.angle) && size.scale.isFinite)
            }
        }
        let drawn = DisplayDistance.metres(for: distance, settings: settings)
        #expect(drawn >= 0 && drawn <= max(0, distance))
        var shown = SteadyDistance()
        #expect((0...21_000_000).contains(shown.metres(for: distance)))
        #expect(shown.metres(for: .infinity) == 21_000_000)
        #expect(shown.metres(for: .nan) == 0)
    }

    @Test("points, billboards and rolls", arguments: UInt64(0)..<400)
    func points(seed: UInt64) {
        var draws = Draws(state: seed)
        let (point, eye) = (vector(&draws), vector(&draws))
        #expect(Billboard.yaw(of: point, from: eye).magnitude <= .pi)
        let full = Billboard.fullRotation(of: point, from: eye)
        #expect(abs((full * Vector3(0, 0, 1)).norm - 1) < 1e-9)
        if (point - eye).isFinite { #expect(!DisplayDistance.point(point, from: eye, settings: settings).x.isNaN) }
        #expect(BearingOffset.bearing(ofScene: point).map { (0..<2 * Double.pi).contains($0) } ?? true)
        let radar = Radar.point(bearing: draws.number(-9...9), heading: 3, distance: point.x, range: point.y)
        #expect(radar.x.magnitude <= 1 && radar.y.magnitude <= 1)
    }

    @Test(
        "attitudes that look straight up and down or hang on their heads",
        arguments: [-180.0, -90, 0, 90, 180], [-180.0, -90, 0, 90])
    func attitudes(pitch: Double, roll: Double) {
        var rolls = LabelRoll()
        for heading in stride(from: 0.0, to: 360, by: 45) {
            let exact = attitude(heading: heading, pitch: pitch, roll: roll)
            #expect(Billboard.labelRoll(exact).magnitude <= .pi)
            // The same instant again and again, and one before it.
            #expect(rolls.update(exact, at: BootTime(nanoseconds: Int64(-heading))).magnitude <= .pi)
        }
    }

    @Test("hints")
    func hints() {
        let count = (UInt64(0)..<400).reduce(0) { $0 + hints(seed: $1) }
        #expect(count > 2000)
    }

    /// Number of hints.
    private func hints(seed: UInt64) -> Int {
        var draws = Draws(state: seed)
        var tracker = HintTracker()
        var count = 0
        for _ in 0..<20 {
            let camera = Camera(
                horizontalFieldOfView: [1e-9, 0.5, 1, 3.14159].randomElement(using: &draws) ?? 1,
                aspect: [1e-3, 0.1, 1, 2, 1e3].randomElement(using: &draws) ?? 1)
            let up = draws.direction()
            let found = tracker.update(
                pointInBody: vector(&draws), upInBody: [up, Vector3(0, 0, 1)].randomElement(using: &draws) ?? up,
                camera: camera, settings: settings)
            guard let hint = found.hint else { continue }
            #expect(!found.isVisible, "seed \(seed)")
            #expect(hint.u.magnitude <= 1 && hint.v.magnitude <= 1, "seed \(seed)")
            #expect(hint.turn.magnitude <= .pi + Angle.radians(degrees: 10) + 1e-12, "seed \(seed)")
            count += 1
        }
        return count
    }

    @Test("nothing is hinted at in the eye itself, and what it was before it stays")
    func atEye() {
        var tracker = HintTracker()
        let camera = Camera(horizontalFieldOfView: 1, aspect: 1)
        #expect(tracker.update(pointInBody: .zero, camera: camera, settings: settings) == (false, nil))
        #expect(tracker.update(pointInBody: Vector3(0, 0, -9), camera: camera, settings: settings).isVisible)
        #expect(tracker.update(pointInBody: .zero, camera: camera, settings: settings) == (true, nil))
    }

    @Test("rays and targets")
    func picking() {
        var (rays, hits) = (0, 0)
        for seed in UInt64(0)..<400 {
            var draws = Draws(state: seed)
            guard let ray = Ray(origin: vector(&draws), direction: vector(&draws)) else { continue }
            rays += 1
            #expect(abs(ray.direction.norm - 1) < 1e-12, "seed \(seed)")
            let targets = (0..<20).map { PickTarget(id: "\($0)", position: vector(&draws), halfAngle: 3) }
            guard let hit = Picking.pick(ray, among: targets, settings: settings) else { continue }
            hits += 1
            #expect(hit.offAxis >= 0 && hit.offAxis <= .pi / 2, "seed \(seed)")
            #expect(hit.distance.isFinite, "seed \(seed)")
        }
        #expect(rays > 150 && hits > 80)
    }

    @Test("draw orders have no ties, of distances that are none too", arguments: UInt64(0)..<50)
    func order(seed: UInt64) {
        var draws = Draws(state: seed)
        var order = DrawOrder()
        let ids = (0..<12).map { "\($0)" }
        for _ in 0..<10 {
            let distances = ids.map { _ in (Self.extremes + [.infinity, .nan]).randomElement(using: &draws) ?? 0 }
            let numbers = order.numbers(distances: distances, ids: ids)
            #expect(Set(numbers).count == 12 && numbers.allSatisfy { (0..<1 << 30).contains($0) })
        }
    }

    @Test("angular accuracy", arguments: extremes)
    func sigma(distance: Double) {
        for yaw in [0, 0x1p-1070, 0.1, 1e200] {
            for accuracy in [0, 0x1p-1070, 5, 1e300] {
                let found = AngularSigma.radians(
                    yawStandardDeviation: yaw, horizontalAccuracy: accuracy, distance: distance)
                #expect(found.map { (0...Double.pi).contains($0) } ?? false)
            }
        }
    }

    @Test("pulses over all of time", arguments: [Int64.min, -1, 0, 1, .max])
    func pulses(nanoseconds: Int64) {
        for epoch in [Int64.min, 0, .max] {
            let pulse = Pulse(epoch: BootTime(nanoseconds: epoch), settings: settings)
            #expect((0..<1).contains(pulse.phase(at: BootTime(nanoseconds: nanoseconds))))
        }
    }
}
