import Model
import Scene
import Testing

@Suite("Strands of a route")
struct RouteStrandTests {
    let streets: Streets

    init() throws { streets = try Streets() }

    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let corners: [(Double, Double)]
        /// Where the route turns back on itself: near it the wearer's side of it cannot be known.
        var tips: [Double] = []
        var testDescription: String { name }
    }

    static let shapes: [Shape] = [
        Shape(name: "out and back along one street", corners: [(0, 0), (0, 300), (0, 0)], tips: [300]),
        Shape(name: "out on one side, back on the other", corners: [(0, 0), (0, 300), (8, 300), (8, 0)], tips: [304]),
        Shape(
            name: "a figure of eight",
            corners: [(0, 0), (100, 100), (200, 0), (100, -100), (0, 0), (-100, 100), (-200, 0), (-100, -100), (0, 0)]),
        Shape(
            name: "an eight through a crossing at right angles",
            corners: [(0, -150), (0, 150), (150, 150), (150, 0), (-150, 0), (-150, 150)]),
        Shape(
            name: "three rounds of a block",
            corners: [(0, 0)] + (0..<3).flatMap { _ in [(0.0, 90.0), (90, 90), (90, 0), (0, 0)] }),
        Shape(
            name: "spurs to two doors",
            corners: [(0, 0), (0, 100), (70, 100), (0, 100), (0, 250), (-80, 250), (0, 250), (0, 400)],
            tips: [170, 470]),
        Shape(
            name: "a serpentine",
            corners: (0..<6).flatMap { row -> [(Double, Double)] in
                let ends: [(Double, Double)] = [(0, Double(row) * 30), (150, Double(row) * 30)]
                return row % 2 == 0 ? ends : ends.reversed()
            }),
    ]

    @Test("behaviour 25: progress never jumps between strands", arguments: shapes, 1...24 as ClosedRange<UInt64>)
    func neverJumps(shape: Shape, seed: UInt64) throws {
        var progress = try streets.progress(shape.corners)
        var walk = NoisyWalk(shape.corners, seed: seed)
        var (worst, count) = (0.0, 0)
        for fix in walk.fixes() + walk.standing(at: walk.length, seconds: 120) {
            try take(fix, &progress)
            let tip = shape.tips.map { abs($0 - fix.along) }.min() ?? .infinity
            guard tip > 30 else { continue }
            worst = max(worst, abs(try #require(progress.alongRoute) - fix.along))
            #expect(progress.state != .offRoute)
            count += 1
        }
        #expect(count > 100)
        // A reflection of 15 m and lasting errors of 4 m an axis, three of them, cut across a corner.
        #expect(worst < 45)
        #expect(progress.state == .arrived)
    }

    private func take(_ fix: NoisyWalk.Fix, _ progress: inout RouteProgress) throws {
        progress.update(position: try streets.position(fix.east, fix.north), horizontalAccuracy: 6)
    }

    @Test(
        "behaviour 25: who turns round before the end of a dead end is soon on the way back", arguments: [2.0, 10, 20])
    func turnsEarly(short: Double) throws {
        var progress = try streets.progress([(0, 0), (0, 300), (0, 0)])
        for north in stride(from: 0, through: 300 - short, by: 1.3) {
            progress.update(position: try streets.position(2, north), horizontalAccuracy: 4)
            #expect(abs(try #require(progress.alongRoute) - north) < 1)
        }
        for north in stride(from: 300 - short, through: 300 - 2 * short - 10, by: -1.3) {
            progress.update(position: try streets.position(2, north), horizontalAccuracy: 4)
        }
        for north in stride(from: 300 - 2 * short - 12, through: 20, by: -1.3) {
            progress.update(position: try streets.position(2, north), horizontalAccuracy: 4)
            #expect(abs(try #require(progress.alongRoute) - (600 - north)) < 1)
        }
    }

    @Test("behaviour 25: standing in poor reception is no way back", arguments: 1...6 as ClosedRange<UInt64>)
    func stands(seed: UInt64) throws {
        let corners: [(Double, Double)] = [(0, 0), (0, 300), (8, 300), (8, 0)]
        var progress = try streets.progress(corners)
        var walk = NoisyWalk(corners, seed: seed)
        for fix in walk.fixes(to: 200) + walk.standing(at: 200, seconds: 600) + walk.fixes(from: 200, to: 260) {
            try take(fix, &progress)
            #expect(abs(try #require(progress.alongRoute) - fix.along) < 45)
        }
    }

    @Test(
        "behaviour 25: who joins on the way back is taken there after some metres",
        arguments: 1...6 as ClosedRange<UInt64>)
    func joinsTheWayBack(seed: UInt64) throws {
        let corners: [(Double, Double)] = [(0, 0), (0, 400), (0, 0)]
        var progress = try streets.progress(corners)
        var walk = NoisyWalk(corners, seed: seed, standardDeviation: 2, reflection: 0)
        var count = 0
        for fix in walk.fixes(from: 550, to: 650) {
            try take(fix, &progress)
            guard fix.along > 580 else { continue }
            #expect(abs(try #require(progress.alongRoute) - fix.along) < 15)
            count += 1
        }
        #expect(count > 50)
    }

    @Test("behaviour 25: who leaves the route and comes back goes on ahead")
    func comesBack() throws {
        var progress = try streets.progress([(0, 0), (0, 400), (300, 400), (300, 0), (0, 0)])
        func walk(_ points: [(Double, Double)]) throws {
            for (east, north) in points {
                progress.update(position: try streets.position(east, north), horizontalAccuracy: 4)
            }
        }
        try walk(stride(from: 0.0, through: 200, by: 2).map { (0, $0) })
        try walk(stride(from: 2.0, through: 260, by: 2).map { ($0, 200) })
        #expect(progress.state == .offRoute)
        let back = try #require(progress.wayBack)
        #expect(abs(back.distance - 40) < 0.1 && abs(back.alongRoute - 900) < 0.1)
        #expect(abs(try #require(progress.remaining) - 540) < 0.1)
        try walk(stride(from: 262.0, through: 300, by: 2).map { ($0, 200) })
        #expect(progress.state == .following && progress.wayBack == nil)
        try walk(stride(from: 198.0, through: 50, by: -2).map { (300, $0) })
        #expect(abs(try #require(progress.alongRoute) - 1050) < 0.1)
    }

    @Test("behaviour 25: one wild position moves nothing")
    func teleport() throws {
        var progress = try streets.progress([(0, 0), (0, 400), (300, 400), (300, 0)])
        progress.update(position: try streets.position(0, 102), horizontalAccuracy: 4)
        for wild in [(5000.0, 0.0), (-300, 100), (150, 200)] {
            progress.update(position: try streets.position(wild.0, wild.1), horizontalAccuracy: 4)
            #expect(abs(try #require(progress.alongRoute) - 102) < 0.1)
            progress.update(position: try streets.position(0, 102), horizontalAccuracy: 4)
            #expect(abs(try #require(progress.alongRoute) - 102) < 0.1)
            #expect(progress.state == .following)
        }
    }

    @Test("behaviour 47: fixes that come faster than others count as one")
    func fastReceiver() throws {
        var progress = try streets.progress([(0, 0), (0, 400)])
        func update(_ east: Double, _ milliseconds: Int) throws {
            progress.update(
                position: try streets.position(east, 100), horizontalAccuracy: 4,
                at: BootTime(nanoseconds: Int64(milliseconds) * 1_000_000))
        }
        try update(0, 0)
        for count in 1...24 { try update(60, count * 100) }
        #expect(progress.state == .following, "2.4 s are no four fixes")
        for count in 25...40 { try update(60, count * 100) }
        #expect(progress.state == .offRoute)
    }

    @Test("behaviour 47: a destination beside the way is not reached in passing")
    func passesDestination() throws {
        var progress = try streets.progress([(0, 0), (0, 200), (60, 200), (60, 100), (5, 100)])
        for north in stride(from: 0.0, through: 195, by: 1.3) {
            progress.update(position: try streets.position(0, north), horizontalAccuracy: 4)
            #expect(progress.state == .following)
        }
    }
}
