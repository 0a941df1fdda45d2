import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Testing

@Suite("Hard iron while worn")
struct HardIronTrackerTests {
    private let settings = PublicationSettings.HardIron()

    /// What became of a walk. Times in seconds from its start.
    private struct Course {
        var firstProposal: Double?
        var firstProof: Double?
        var proven: ProposedHardIron?
        var last: ProposedHardIron?
        var leastSecondsOfProof = Double.infinity
    }

    private func walk(
        seed: UInt64, minutes: Double, _ surroundings: WornBoard.Surroundings = WornBoard.Surroundings(),
        change: (inout FieldReading, Double) -> Void = { _, _ in }, iron: (Double) -> Vector3
    ) -> Course {
        var board = WornBoard(seed: seed, surroundings)
        var tracker = HardIronTracker(settings: settings)
        var course = Course()
        while board.seconds < minutes * 60 {
            var reading = board.next(iron: iron(board.seconds))
            change(&reading, board.seconds)
            tracker.add(reading)
            guard let proposal = tracker.proposal else { continue }
            course.firstProposal = course.firstProposal ?? board.seconds
            guard proposal.isProven else { continue }
            course.leastSecondsOfProof = min(course.leastSecondsOfProof, proposal.seconds)
            guard course.proven == nil else { continue }
            course.firstProof = board.seconds
            course.proven = proposal
        }
        course.last = tracker.proposal
        return course
    }

    private static func level(_ v: Vector3) -> Double { (v.x * v.x + v.z * v.z).squareRoot() }

    @Test("iron that appears is proposed within minutes, and proven after ten more", arguments: [3.0, 6, 10])
    func appears(size: Double) throws {
        let onset = 480.0
        let iron = Vector3(0.6, 0, -0.8) * size
        for seed in UInt64(1)...6 {
            let course = walk(seed: seed, minutes: 45) { $0 < onset ? .zero : iron }
            let first = try #require(course.firstProposal)
            #expect(first > onset && first < onset + 480, "\(first)")
            let proof = try #require(course.firstProof, "\(seed)")
            #expect(proof > first + 600 && course.leastSecondsOfProof >= 600)
            let proven = try #require(course.proven)
            // A microtesla is 2.7° of heading here.
            #expect(Self.level(proven.offset - iron) < 1)
            #expect(proven.residualAfter < proven.residualBefore)
            #expect(course.last?.isProven == true)
        }
    }

    @Test("nothing is proposed where the calibration holds, whatever stands about", arguments: [true, false])
    func clean(isKnown: Bool) {
        var proposed = 0
        for seed in UInt64(1)...30 {
            for surroundings in [
                WornBoard.Surroundings(isKnown: isKnown),
                WornBoard.Surroundings(disturbance: 4, indoors: 5, block: 15, isKnown: isKnown),
            ] {
                let course = walk(seed: seed, minutes: 40, surroundings) { _ in .zero }
                #expect(course.firstProof == nil)
                if course.firstProposal != nil { proposed += 1 }
            }
        }
        // Of forty hours.
        #expect(proposed <= 1)
    }

    @Test("a house full of steel may raise a suspicion, and no more")
    func steel() {
        for seed in UInt64(1)...20 {
            let course = walk(seed: seed, minutes: 40, WornBoard.Surroundings(indoors: 10, block: 15)) { _ in .zero }
            #expect(course.firstProof == nil, "\(seed)")
        }
    }

    @Test("iron that comes for a while is never proven, and forgotten", arguments: [5.0, 10, 20])
    func visit(size: Double) {
        let iron = Vector3(0.6, 0.3, -0.74) * size
        var proposed = 0
        for seed in UInt64(1)...6 {
            for minutes in [5.0, 12] {
                let course = walk(seed: seed, minutes: 45) { $0 > 480 && $0 < 480 + minutes * 60 ? iron : .zero }
                #expect(course.firstProof == nil, "\(seed), \(minutes) minutes")
                #expect(course.last == nil)
                proposed += course.firstProposal == nil ? 0 : 1
            }
        }
        #expect(proposed >= 6, "it is seen at all")
    }

    @Test("a proof is taken back when the iron has gone")
    func gone() {
        let iron = Vector3(6, 0, -8)
        let course = walk(seed: 2, minutes: 60) { $0 < 2400 ? iron : .zero }
        #expect(course.firstProof != nil)
        #expect(course.last == nil)
    }

    @Test("no sample is used while the wearer does not walk")
    func riding() {
        // A car for a quarter of an hour: its iron turns with the board.
        let iron = Vector3(8, 0, -6)
        let ride = 300.0..<1800
        let course = walk(
            seed: 4, minutes: 45, change: { $0.isWalk = !ride.contains($1) },
            iron: { ride.contains($0) ? iron : .zero })
        #expect(course.firstProposal == nil)
    }

    @Test("one who never leaves a room, or never turns, proves nothing")
    func onePlace() {
        let iron = Vector3(6, 0, -8)
        let room = walk(
            seed: 5, minutes: 40, change: { reading, _ in reading.walked = .zero }, iron: { _ in iron })
        #expect(room.firstProposal != nil)
        #expect(room.firstProof == nil)
        var board = WornBoard(seed: 5)
        var tracker = HardIronTracker(settings: settings)
        while board.seconds < 2400 {
            tracker.add(board.next(iron: iron, turns: false))
            #expect(tracker.proposal?.isProven != true)
        }
    }

    @Test("another calibration begins the search anew, without what was measured before it")
    func restart() {
        let iron = Vector3(6, 0, -8)
        var board = WornBoard(seed: 6)
        var tracker = HardIronTracker(settings: settings)
        while board.seconds < 600 { tracker.add(board.next(iron: iron)) }
        #expect(tracker.proposal != nil)
        let time = Fixture.time(board.seconds + 3)
        tracker.restart(at: time)
        #expect(tracker.proposal == nil && tracker.fit == nil)
        // Three seconds are still on their way, corrected as before.
        while board.seconds < 603 { tracker.add(board.next(iron: iron)) }
        while board.seconds < 1500 {
            tracker.add(board.next(iron: .zero))
            #expect(tracker.proposal == nil)
        }
        #expect(tracker.fit.map { $0.hardIron.norm < 1 } == true)
    }

    @Test("pauses, repeated stamps and a vertical field do no harm")
    func odd() {
        var board = WornBoard(seed: 7)
        var tracker = HardIronTracker(settings: settings)
        for k in 0..<20_000 {
            var reading = board.next(iron: .zero)
            if k % 97 < 30 { continue }
            if k % 5 == 0 { tracker.add(reading) }
            if k % 13 == 0 { reading.field = reading.rotationENUFromBody.inverse * Vector3(0, 0, -50) }
            if k % 17 == 0 { reading.field = .zero }
            tracker.add(reading)
        }
        #expect(tracker.fit.map { $0.hardIron.isFinite && $0.hardIron.norm < 2 } == true)
        #expect(tracker.proposal == nil)
    }
}
