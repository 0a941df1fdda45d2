import Engine
import Geometry
import Glibc
import Model
import Scene
import Testing

@Suite("An anchor that holds, on a walk with a wrong compass") struct AnchorHoldWalkTests {
    /// What became of one anchor.
    private struct Course {
        /// By which it has crept over ground in the scene, without the moves. Unit: metres.
        var crept = 0.0
        /// How far off it was seen, at first and at last. Unit: radians.
        var firstError: Double?
        var lastError = 0.0
        /// Steps of more than a metre: a map that is corrected goes slower.
        var moves = 0
        private var last: (position: Vector3, generation: UInt32)?

        mutating func add(_ position: Vector3, generation: UInt32, error: Double) {
            if let last, last.generation == generation {
                // Its height follows the wearer's eyes.
                let step = hypot(position.x - last.position.x, position.z - last.position.z)
                if step > 1 { moves += 1 } else { crept += step }
            }
            last = (position, generation)
            firstError = firstError ?? error
            lastError = error
        }
    }

    @Test(
        "behaviour 51: with a compass that is off for good it does not creep; one or two reported moves correct it",
        arguments: [15, 21, 27] as [UInt64])
    func wrongCompass(seed: UInt64) throws {
        var walk = try FrameWalk(seed: seed)
        walk.fieldTurn = Angle.radians(degrees: 30)
        walk.fieldSeconds = .infinity
        let reader = walk
        var engine = Engine()
        var courses: [String: Course] = [:]
        var moves: [(time: BootTime, distance: Double)] = []
        var site: GeodeticPosition?
        var next = FrameWalk.start
        while true {
            let measurement = try walk.next()
            guard measurement.time.seconds(since: FrameWalk.start) < 300 else { break }
            engine.feed(measurement) { event in
                if case .scene(let timed) = event, case .anchorMoved(_, let distance) = timed.event {
                    moves.append((timed.time, distance))
                }
            }
            guard let pose = engine.pose, pose.time >= next else { continue }
            next = pose.time.shifted(by: 100_000_000)
            let truth = reader.truth(at: pose.time)
            if site == nil, engine.readiness.state == .ready {
                let place = try #require(truth.position.destination(bearing: 1, distance: 60))
                site = place
                for policy in [Anchor.Policy.hold, .follow] {
                    try engine.place(
                        Anchor(
                            id: "\(policy)", site: .earth(place, height: .atEye), lifetime: .daemon, policy: policy),
                        owner: nil)
                }
            }
            guard let site, let scene = engine.compose() else { continue }
            let toSite = LocalTangentPlane(origin: truth.position).pointENU(of: site)
            let truly = truth.rotationENUFromBody.inverse * Vector3(toSite.x, toSite.y, 0)
            for placement in scene.placements where placement.kind == .anchor {
                let seen = scene.rotationSceneFromBody.inverse * (placement.position - scene.eye)
                let error = atan2(seen.cross(truly).norm, seen.dot(truly))
                courses[placement.id, default: Course()].add(
                    placement.position, generation: scene.generation, error: error)
            }
        }
        let held = try #require(courses["anchor/hold"])
        let followed = try #require(courses["anchor/follow"])
        #expect(held.crept < 1e-6, "metres")
        #expect(followed.crept > 10, "metres, by which the map moves what follows it")
        #expect((1...2).contains(moves.count) && moves.count == held.moves, "each move is reported")
        #expect(try #require(held.firstError) > Angle.radians(degrees: 10), "the wrong compass was accepted")
        #expect(held.lastError < Angle.radians(degrees: 8))
    }
}
