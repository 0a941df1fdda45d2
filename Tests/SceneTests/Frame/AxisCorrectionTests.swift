import Geometry
import Glibc
import Model
import Scene
import Simulation
import Testing

@Suite("Correction of the axes")
struct AxisCorrectionTests {
    private let settings = SceneSettings.Frame()

    private func turned(_ vector: Vector3, by angle: Double) -> Vector3 {
        let (s, c) = (sin(angle), cos(angle))
        return Vector3(c * vector.x + s * vector.z, vector.y, c * vector.z - s * vector.x)
    }

    /// A line of estimates 5 m apart, its track turned against the earth by minus an angle.
    private func line(
        _ angle: Double, count: Int = 30, accuracy: Double = 2, move: (Int) -> Vector3 = { _ in .zero }
    ) throws -> AxisCorrection {
        let origin = try FrameSamples.zurich()
        let map = FrameSamples.map(origin: origin)
        var correction = AxisCorrection(settings: settings)
        for k in 0..<count {
            let point = Vector3(4 * Double(k), 0, -3 * Double(k))
            let place = try #require(map.position(ofScene: point + move(k)))
            correction.add(
                FrameSamples.estimate(
                    Double(k), at: place, accuracy: accuracy, inScene: turned(point, by: -angle)))
        }
        return correction
    }

    @Test(
        "behaviour 8: the angle turns the track about up onto what the fixes say",
        arguments: [-170.0, -90, -10, 0, 3, 45, 90, 179])
    func angle(degrees: Double) throws {
        var correction = try line(Angle.radians(degrees: degrees))
        let found = correction.evaluate(at: FrameSamples.time(30))
        let reading = try #require(found)
        // The meridians converge by 2e-5 over the 116 m that the line leads east.
        #expect(abs(Angle.wrapped(reading.angle - Angle.radians(degrees: degrees))) < 3e-5)
        #expect(reading.pairs > 100 && reading.standardDeviation > 0 && reading.standardDeviation < 0.2)
    }

    @Test("behaviour 8: a result is as old as the newest fix, whenever it is asked for")
    func age() throws {
        var correction = try line(0.2)
        let found = correction.evaluate(at: FrameSamples.time(300))
        #expect(found?.time == FrameSamples.time(29))
    }

    @Test("behaviour 9: it is time after 100 estimates, or after 10 s with any")
    func due() throws {
        let here = try FrameSamples.zurich()
        var correction = AxisCorrection(settings: settings)
        #expect(!correction.isDue(at: FrameSamples.time(100)), "nothing came")
        correction.add(FrameSamples.estimate(0, at: here, accuracy: 3))
        #expect(!correction.isDue(at: FrameSamples.time(9.9)))
        #expect(correction.isDue(at: FrameSamples.time(10)), "satellites may be gone: the time is up all the same")
        correction.evaluate(at: FrameSamples.time(10))
        #expect(!correction.isDue(at: FrameSamples.time(30)), "nothing new since")
        for k in 0..<100 {
            #expect(!correction.isDue(at: FrameSamples.time(10)))
            correction.add(FrameSamples.estimate(10 + Double(k) / 100, at: here, accuracy: 3))
        }
        #expect(correction.isDue(at: FrameSamples.time(11)))
    }

    @Test("behaviour 10: the worst error of a pair's direction is asin((r1 + r2)/d)")
    func worstError() {
        for (distance, degrees) in [(10.0, 90.0), (29, 20), (58, 10), (100, 5.7)] {
            let error = AxisCorrection.worstError(accuracies: 5, 5, distance: distance)
            #expect(abs(Angle.degrees(radians: error) - degrees) < 0.3)
        }
        #expect(AxisCorrection.worstError(accuracies: 5, 5, distance: 1) == .pi / 2)
    }

    @Test("behaviour 10: poor fixes and pairs too close do not count")
    func filter() throws {
        var poor = try line(0.2, accuracy: 21)
        let none = poor.evaluate(at: FrameSamples.time(30))
        #expect(none == nil)
        // (2 + 2)/sin 30° = 8 m: of 30 points 5 m apart all but the neighbours.
        var near = try line(0.2, accuracy: 2)
        let all = near.evaluate(at: FrameSamples.time(30))
        #expect(all?.pairs == 29 * 28 / 2)
        // (14.9 + 14.9)/sin 30° = 59.6 m: all that are 12 apart or more.
        var far = try line(0.2, accuracy: 14.9)
        let apart = far.evaluate(at: FrameSamples.time(30))
        #expect(apart?.pairs == 18 * 19 / 2)
    }

    @Test("behaviour 11: a pair counts with the square of its distance over its errors")
    func weight() {
        #expect(Self.weight(accuracies: 2, 3, distance: 50) == 100)
        #expect(
            Self.weight(accuracies: 2, 2, distance: 80) == 4 * Self.weight(accuracies: 2, 2, distance: 40))
    }

    /// Weight of a pair's direction: the squared ratio of the pair's distance to the sum of its accuracies.
    private static func weight(accuracies first: Double, _ second: Double, distance: Double) -> Double {
        let ratio = distance / (first + second)
        return ratio * ratio
    }

    @Test("behaviour 11: a few fixes that lie 40 m off do not turn the axes")
    func robust() throws {
        var correction = try line(0.1) { 12...14 ~= $0 ? Vector3(-30, 0, -26) : .zero }
        let found = correction.evaluate(at: FrameSamples.time(30))
        let reading = try #require(found)
        #expect(abs(reading.angle - 0.1) < Angle.radians(degrees: 2))
    }

    @Test("a wearer who stands gives no information on the axes")
    func standing() throws {
        let here = try FrameSamples.zurich()
        var correction = AxisCorrection(settings: settings)
        for k in 0..<60 {
            let noise = try #require(here.destination(bearing: Double(k), distance: 3))
            correction.add(FrameSamples.estimate(Double(k), at: noise, accuracy: 3))
        }
        let found = correction.evaluate(at: FrameSamples.time(60))
        #expect(found == nil)
    }

    /// The fixes of a walk, each with the true way in a scene that is turned wrongly.
    private func estimates(_ walk: inout CityWalk, seconds: Double, multipath: Bool) throws -> [PositionFixEstimate] {
        let start = BootTime(nanoseconds: 0)
        var estimates: [PositionFixEstimate] = []
        var reflections = RandomSource(seed: 5, stream: 1)
        var (until, offset) = (0.0, Vector3.zero)
        while true {
            guard case .fix(let fix) = walk.next() else { continue }
            let t = fix.epoch.seconds(since: start)
            guard t < seconds else { return estimates }
            if multipath, t > until {
                // For ten seconds of twenty-five the receiver follows a reflection.
                until = t + 25
                offset = Vector3(reflections.normal() * 12, reflections.normal() * 12, 0)
            }
            let isReflected = multipath && until - t < 10
            let place = walk.plane.pointENU(of: fix.position) + (isReflected ? offset : .zero)
            let truth = walk.truth(at: fix.epoch).positionENU
            let sigma = try #require(fix.positionSigma.east)
            estimates.append(
                PositionFixEstimate(
                    epoch: fix.epoch, generation: 1, position: try #require(walk.plane.position(ofENU: place)),
                    accuracy: 1.51 * sigma, positionInScene: Vector3(truth.x, truth.z, -truth.y)))
        }
    }

    @Test(
        "behaviour 12: converges from a yaw that is wrong on purpose: within 3° after three corrections",
        arguments: [10.0, 30, 90, 180], [false, true])
    func converges(degrees: Double, multipath: Bool) throws {
        for seed in [1, 2, 3] as [UInt64] {
            var settings = CityWalkSettings(seed: seed)
            settings.inertialRate = 5
            settings.magneticRate = 0
            settings.pressureRate = 0
            settings.openingSeconds = 2
            if !multipath { settings.errors.gnss = .none }
            var walk = try #require(
                CityWalk(settings: settings, start: BootTime(nanoseconds: 0), magneticModel: WorldMagneticModel.wmm2025)
            )
            let estimates = try estimates(&walk, seconds: 150, multipath: multipath)
            var correction = AxisCorrection(settings: SceneSettings.Frame())
            // What the scene is still turned by, and the corrections so far.
            var wrong = Angle.radians(degrees: degrees)
            var left: [Double] = []
            for var estimate in estimates {
                estimate.positionInScene = turned(estimate.positionInScene, by: -wrong)
                correction.add(estimate)
                guard correction.isDue(at: estimate.epoch) else { continue }
                guard let reading = correction.evaluate(at: estimate.epoch) else { continue }
                wrong = Angle.wrapped(wrong - reading.angle)
                correction.rotate(by: reading.angle)
                left.append(wrong.magnitude)
            }
            #expect(left.count > 6, "corrections that were made")
            // Typical fixes drift by 2.6 m for a minute, and reflections are 12 m off: some 6° over the first 50 m.
            let allowed = Angle.radians(degrees: multipath ? 8 : 3)
            for (number, rest) in left.enumerated() where number >= 2 {
                #expect(rest <= allowed, "after \(number + 1) corrections from \(degrees)°, seed \(seed)")
            }
        }
    }
}
