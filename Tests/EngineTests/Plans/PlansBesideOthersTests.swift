import EstimatorFixtures
import Geometry
import Model
import PlanMatching
import Engine
import Simulation
import Testing

@Suite("Plans beside other measurements")
struct PlansBesideOthersTests {
    typealias Measurement = Model.Measurement

    /// Measurements of a walk, and all that its receiver and its camera would give.
    private struct Walk {
        var measurements: [Measurement] = []
        var fixes: [GNSSFix] = []
        var camera: [Measurement] = []
        let truth: CityWalk

        /// - Parameter seconds: duration.
        init(seconds: Double) {
            var settings = CityWalkSettings(seed: 35)
            settings.camera = .exact
            settings.camera?.trackedSeconds = 1000...1000
            var walk = CityWalk(
                settings: settings, start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025)!
            while measurements.last.map({ $0.time < Fixture.time(seconds) }) ?? true {
                let next = walk.next()
                switch next {
                case .fix(let fix):
                    // A single one, at the start.
                    if fixes.isEmpty { measurements.append(next) }
                    fixes.append(fix)
                case .aid: camera.append(next)
                default: measurements.append(next)
                }
            }
            truth = walk
        }
    }

    private static let walk = Walk(seconds: 110)
    private static let seen = Fixture.time(90)

    /// What a pose says of the position on the earth.
    private struct Place: Equatable {
        let time: BootTime
        let geodetic: GeodeticPosition?
        let accuracy: Double?
    }

    /// Places by plans that are at hand up to a time.
    private static func places(_ measurements: some Sequence<Measurement>, plansUntil end: BootTime? = nil) -> [Place] {
        var odometry = Odometry()
        odometry.use(WalkPlan.library)
        var places: [Place] = []
        for measurement in measurements {
            if let end, measurement.time > end { odometry.use(PlanLibrary()) }
            odometry.feed(measurement) { events in
                guard let pose = events.pose else { return }
                places.append(
                    Place(time: pose.time, geodetic: pose.geodetic, accuracy: pose.accuracy.horizontal))
            }
        }
        return places
    }

    /// Whether places agree at each time between two, by the time.
    private static func agreements(_ first: [Place], _ second: [Place], _ times: Range<BootTime>) -> [Bool] {
        zip(first, second).filter { times.contains($0.0.time) }.map { $0 == $1 }
    }

    @Test("a late fix has the positions by plans after its epoch forgotten", arguments: [1.0, 2])
    func lateFix(lateness: Double) throws {
        let fix = try #require(Self.walk.fixes.first { $0.epoch > Self.seen })
        try expectForgotten(Self.walk.measurements, .fix(fix), lateness: lateness)
    }

    @Test("a late position of another program as well", arguments: [1.0, 2])
    func lateOffer(lateness: Double) throws {
        try expectForgotten(Self.walk.measurements, Self.offer(lateness: lateness), lateness: lateness)
    }

    @Test("steps do not overrule one that waits for others", arguments: [1.0, 1.2, 1.4])
    func waitingOffer(lateness: Double) throws {
        // Each sample that is applied beside the inertial ones ends the waiting.
        let measurements = Self.walk.measurements.filter {
            switch $0 {
            case .magneticField, .pressure: $0.time < Self.seen
            default: true
            }
        }
        try expectForgotten(measurements, Self.offer(lateness: lateness), lateness: lateness)
    }

    private static func offer(lateness: Double) -> Measurement {
        let offered = OfferedPosition(
            position: walk.truth.truth(at: seen).position, hasHeight: false, horizontalAccuracy: 1,
            verticalAccuracy: 1)
        return .aid(
            AidMeasurement(
                source: SourceName("beacons")!, time: seen, arrival: seen.shifted(by: Int64(lateness * 1e9)),
                content: .position(offered)))
    }

    /// Expects the place that the late measurement would have given if no plan had been at hand after its time. From
    /// there plans are looked for anew.
    private func expectForgotten(_ measurements: [Measurement], _ late: Measurement, lateness: Double) throws {
        let arrival = late.time.shifted(by: Int64(lateness * 1e9))
        let place = try #require(measurements.firstIndex { $0.time >= arrival })
        let all = measurements[..<place] + [late] + measurements[place...]
        let places = Self.places(all)
        let without = Self.places(all, plansUntil: late.time)
        let before = Self.agreements(places, without, late.time.shifted(by: -500_000_000)..<arrival)
        #expect(before.first == true && before.last == false, "the plan is followed until then")
        let after = Self.agreements(places, without, arrival..<arrival.shifted(by: 500_000_000))
        #expect(after.contains(true))
        #expect(places.last != without.last, "a plan is followed again")
        #expect(places.last != Self.alone.last, "the measurement counts")
    }

    /// Without a late measurement.
    private static let alone = places(walk.measurements)

    @Test("none is used while a camera's odometry comes, and they are followed anew after it has ended")
    func camera() throws {
        let tracked = Fixture.time(85)..<Fixture.time(95)
        let camera = Self.walk.camera.filter { tracked.contains($0.time) }
        let all = (Self.walk.measurements + camera).enumerated().sorted {
            ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset)
        }.map(\.element)
        let begin = try #require(camera.first).arrival
        let places = Self.places(all)
        let without = Self.places(all, plansUntil: begin)
        let beside = Self.agreements(places, without, Fixture.time(80)..<Fixture.time(96))
        #expect(beside.count > 500 && !beside.contains(false))
        #expect(Self.places(all, plansUntil: Fixture.time(70)).last != without.last, "they were followed before")
        #expect(places.last != without.last)
    }
}
