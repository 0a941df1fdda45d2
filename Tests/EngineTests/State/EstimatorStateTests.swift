import EstimatorFixtures
import Foundation
import Geometry
import Model
import PlanMatching
import Engine
import Simulation
import Testing

@Suite("The state of the estimator")
struct EstimatorStateTests {
    typealias Measurement = Model.Measurement

    /// Walks that lead through everything an estimator can be in the middle of.
    enum Course: String, CaseIterable {
        /// Late fixes, and magnetometer and barometer.
        case city
        /// Without a magnetometer, so that hypotheses of the heading are compared for long.
        case compassless
        /// Fixes missing for half of the time, and calibrations that change under way.
        case interrupted
        /// A gap of the sensors and a clock that is set back.
        case broken
        /// With a single fix at its start, and the steps followed on a plan.
        case indoors

        fileprivate var measurements: [Measurement] {
            switch self {
            case .city: Self.walk(seed: 31) { _ in }
            case .compassless: Self.walk(seed: 32) { $0.magneticRate = 0 }
            case .interrupted: Self.interrupted(Self.walk(seed: 33) { _ in })
            case .broken: Self.broken(Self.walk(seed: 34) { _ in })
            case .indoors: Self.indoors(Self.walk(seed: 35) { _ in })
            }
        }

        /// Estimator before the first measurement.
        fileprivate func odometry() -> Odometry {
            var odometry = Odometry()
            if self == .indoors { odometry.use(WalkPlan.library) }
            return odometry
        }

        private static func indoors(_ walk: [Measurement]) -> [Measurement] {
            var isPlaced = false
            return walk.filter { measurement in
                guard case .fix = measurement else { return true }
                defer { isPlaced = true }
                return !isPlaced
            }
        }

        fileprivate static func walk(
            seed: UInt64, seconds: Double = 150, _ change: (inout CityWalkSettings) -> Void
        ) -> [Measurement] {
            var settings = CityWalkSettings(seed: seed)
            change(&settings)
            var walk = CityWalk(settings: settings, start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025)!
            var all: [Measurement] = []
            while all.last.map({ $0.time < Fixture.time(seconds) }) ?? true { all.append(walk.next()) }
            return all
        }

        private static func interrupted(_ walk: [Measurement]) -> [Measurement] {
            var result: [Measurement] = []
            for measurement in walk {
                let seconds = measurement.time.seconds(since: Fixture.start)
                if case .fix = measurement, seconds > 40, seconds < 110 { continue }
                if result.count % 2500 == 2499 {
                    let turn = Rotation3.exp(Vector3(0.01, 0.2, 0) * Double(result.count % 3)).matrix
                    result.append(
                        .calibration(SensorCalibration(time: measurement.time, sensor: .mount, correction: turn)))
                }
                if result.count % 3000 == 2999 {
                    let bias = Vector3(1, 2, 3) * Double(result.count % 7)
                    result.append(
                        .calibration(SensorCalibration(time: measurement.time, sensor: .magnetometer, bias: bias)))
                }
                result.append(measurement)
            }
            return result
        }

        private static func broken(_ walk: [Measurement]) -> [Measurement] {
            walk.compactMap { measurement in
                let seconds = measurement.time.seconds(since: Fixture.start)
                if seconds > 50, seconds < 54 { return .clock(measurement.time) }
                return seconds < 100 ? measurement : measurement.shifted(by: -30_000_000_000)
            }
        }
    }

    /// What an estimator gives for each measurement.
    private static func events(of measurement: Measurement, _ odometry: inout Odometry) -> [OdometryEvents] {
        var events: [OdometryEvents] = []
        odometry.feed(measurement) { events.append($0) }
        return events
    }

    private static func areSame(_ a: [OdometryEvents], _ b: [OdometryEvents]) -> Bool {
        a.count == b.count
            && zip(a, b).allSatisfy { $0.pose == $1.pose && $0.frame == $1.frame && $0.alignment == $1.alignment }
    }

    private func saved(_ odometry: inout Odometry) throws -> EstimatorState {
        let state = odometry.state()
        return try #require(state)
    }

    /// Instants as far apart as the whole, dense at the beginning.
    private static func splits(_ count: Int, _ random: inout Seeded) -> [Int] {
        (0..<12).map { _ in
            let share = Double.random(in: 0..<1, using: &random)
            return Int(share * share * Double(count))
        } + [0, 1, 2, 5, 100, count * 9 / 10]
    }

    @Test("from any instant, the state gives the same poses and frames to the last bit", arguments: Course.allCases)
    func continues(course: Course) throws {
        let measurements = course.measurements
        var random = Seeded(UInt64(course.rawValue.utf8.count))
        for split in Self.splits(measurements.count, &random) {
            var odometry = course.odometry()
            for measurement in measurements[..<split] { odometry.feed(measurement) { _ in } }
            let state = try saved(&odometry)
            var other = try course.odometry().restored(state)
            let again = try saved(&other)
            #expect(again == state)
            var count = 0
            for measurement in measurements[split...].prefix(8000) {
                let (own, others) = (Self.events(of: measurement, &odometry), Self.events(of: measurement, &other))
                guard Self.areSame(own, others) else {
                    Issue.record("at \(split), \(count) measurements later")
                    break
                }
                count += 1
            }
            // What no pose has shown yet is in the state.
            #expect(try saved(&odometry) == saved(&other))
        }
    }

    @Test(
        "from between two late fixes of a fast receiver, also where the first waits for the second, poses are the same")
    func continuesBetweenFixes() throws {
        let measurements = Course.walk(seed: 36, seconds: 30) {
            $0.fixRate = 10
            $0.errors.gnss.delaySeconds = 0.3...0.3
        }
        let begin = measurements.count * 29 / 30
        var odometry = Odometry()
        for measurement in measurements[..<begin] { odometry.feed(measurement) { _ in } }
        var events: [[OdometryEvents]] = []
        var saves: [(next: Int, state: EstimatorState)] = []
        var (sinceFix, counted, waiting) = (Int.max / 2, UInt64(0), 0)
        for (index, measurement) in measurements.enumerated().dropFirst(begin) {
            if case .fix = measurement { (sinceFix, counted) = (0, Self.appliedFixes(odometry)) }
            events.append(Self.events(of: measurement, &odometry))
            sinceFix += 1
            guard sinceFix == 12 else { continue }
            saves.append((index + 1, try saved(&odometry)))
            if Self.appliedFixes(odometry) == counted { waiting += 1 }
        }
        #expect(waiting > 2 && saves.count - waiting > 2, "\(waiting) of \(saves.count)")
        for (next, state) in saves {
            var other = try Odometry().restored(state)
            let isSame = zip(measurements[next...], events[(next - begin)...]).allSatisfy {
                Self.areSame(Self.events(of: $0, &other), $1)
            }
            #expect(isSame, "at \(next)")
            #expect(try saved(&odometry) == saved(&other))
        }
    }

    private static func appliedFixes(_ odometry: borrowing Odometry) -> UInt64 {
        let tally = odometry.updates[.gnssPosition]
        return tally.applied + tally.refused
    }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Core")

    private static func text(_ file: String) throws -> String {
        try String(contentsOf: sources.appending(path: file), encoding: .utf8)
    }

    /// The compiler codes every stored property, unless a type has keys or a list of its own.
    @Test(
        "every stored property of every part is saved, but for the parts named here",
        arguments: ["Geometry", "Model", "Estimation", "Engine"])
    func complete(module: String) throws {
        let own = [
            // Both enumerations are switched over.
            "Timeline/FilterTimeline+Aid.swift", "Heading/HeadingKnowledge.swift",
        ]
        let folder = Self.sources.appending(path: module)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        #expect(files.count > 5)
        for file in files where !own.contains(file) && !(module == "Model" && file.hasPrefix("State/")) {
            let text = try Self.text(module + "/" + file)
            #expect(
                !text.contains("CodingKey") && !text.contains("from decoder:") && !text.contains("WordCoded"), "\(file)"
            )
        }
    }

    @Test("every stored property of a calibration is saved, which has a list of its own")
    func completeCalibration() throws {
        let calibration = SensorCalibration(time: Fixture.start, sensor: .mount)
        let coder = try Self.text("Model/State/StateValues.swift")
        for name in Mirror(reflecting: calibration).children.compactMap(\.label) {
            #expect(coder.contains("writer.write(\(name))") && coder.contains("\"\(name)\""), "\(name)")
        }
    }

    @Test("every stored property of the façade is saved, or named as none of the state")
    func completeFacade() throws {
        let (facade, state) = (
            try Self.text("Engine/Odometry/Odometry.swift"),
            try Self.text("Engine/State/Odometry+State.swift")
        )
        // Stored properties come before the first function, and have no body.
        let body = facade.prefix(upTo: try #require(facade.range(of: "init(")).lowerBound)
        let stored = body.matches(of: /\n    [^\/\n]*?(?:var|let) (\w+)[^\n{]*(?=\n)/).map { String($0.1) }
        #expect(stored.count > 12)
        // Configuration, what follows from the calibrations, counts, and the newest pose, on which no other depends.
        let others = ["settings", "publication", "intake", "magneticModel", "filterSettings", "updatesBefore", "pose"]
        for name in stored where !others.contains(name) {
            #expect(state.contains("(\"\(name)\")") && state.contains("writer.write(\(name)"), "\(name)")
        }
    }

    @Test("no bytes whatever make it trap, and what is restored takes measurements")
    func hostile() throws {
        var random = Seeded(7)
        for course in [Course.city, .compassless] {
            let measurements = course.measurements
            for split in [3000, 9000, 20_000] {
                var odometry = Odometry()
                for measurement in measurements[..<split] { odometry.feed(measurement) { _ in } }
                let state = try saved(&odometry)
                var restored = 0
                for _ in 0..<1000 {
                    let mutated = Self.mutated(state, &random)
                    guard var other = try? Odometry().restored(mutated) else { continue }
                    restored += 1
                    for measurement in measurements[split...].prefix(100) { other.feed(measurement) { _ in } }
                }
                #expect(restored > 100)
            }
        }
    }

    @Test("no bytes whatever make it trap where steps are followed on a plan")
    func hostilePlans() throws {
        var random = Seeded(8)
        let measurements = Course.indoors.measurements
        let split = measurements.count * 9 / 10
        var odometry = Course.indoors.odometry()
        for measurement in measurements[..<split] { odometry.feed(measurement) { _ in } }
        let state = try saved(&odometry)
        let without = try Odometry().restored(state).state()
        #expect(try state.words.count > #require(without).words.count + 20_000, "the particles are in it")
        var restored = 0
        for _ in 0..<100 {
            let mutated = Self.mutated(state, &random)
            guard var other = try? Course.indoors.odometry().restored(mutated) else { continue }
            restored += 1
            for measurement in measurements[split...].prefix(800) { other.feed(measurement) { _ in } }
        }
        #expect(restored > 10)
    }

    private static let strange: [UInt64] = [
        0, 1, 2, 7, 8, 255, 1 << 31, 1 << 32, 1 << 52, 1 << 61, 1 << 62, 1 << 63, .max, .max - 1,
        Double.nan.bitPattern, Double.infinity.bitPattern, (-Double.infinity).bitPattern, 1e15.bitPattern,
        (-1e15).bitPattern, 1e16.bitPattern, (-1e16).bitPattern, 1e300.bitPattern, 1e-300.bitPattern, 0.5.bitPattern,
        (-1.0).bitPattern, (-0.0).bitPattern,
    ]

    private static func mutated(_ state: EstimatorState, _ random: inout Seeded) -> EstimatorState {
        var state = state
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let index = Int.random(in: 0..<state.words.count, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: state.words[index] = strange.randomElement(using: &random)!
            case 4..<7: state.words[index] ^= 1 << UInt64.random(in: 0..<64, using: &random)
            case 7: state.words[index] = random.next()
            case 8: state.words.remove(at: index)
            default: state.words[index] &+= UInt64(Int.random(in: 1...3, using: &random))
            }
        }
        return state
    }

    @Test("a state of another layout, or of another length, is refused by name")
    func refused() throws {
        var odometry = Odometry()
        let state = try saved(&odometry)
        #expect(throws: EstimatorStateProblem.otherLayout) {
            _ = try Odometry().restored(EstimatorState(layout: state.layout ^ 1, words: state.words))
        }
        #expect(throws: EstimatorStateProblem.otherLength) {
            _ = try Odometry().restored(EstimatorState(layout: state.layout, words: state.words + [0]))
        }
        #expect(throws: EstimatorStateProblem.self) {
            _ = try Odometry().restored(EstimatorState(layout: state.layout, words: state.words.dropLast()))
        }
        #expect(throws: EstimatorStateProblem.impossible(member: "hasSteppedBack")) {
            let flag = 11 + 1 + 1
            var words = state.words
            words[flag] = 2
            _ = try Odometry().restored(EstimatorState(layout: state.layout, words: words))
        }
    }

    @Test("its size stays below 800 kilobytes")
    func size() throws {
        var largest = 0
        for course in [Course.city, .compassless] {
            var odometry = Odometry()
            for (index, measurement) in course.measurements.enumerated() {
                odometry.feed(measurement) { _ in }
                guard index % 1000 == 0 else { continue }
                largest = try max(largest, saved(&odometry).words.count * 8)
            }
        }
        #expect(largest < 800_000)
    }
}
