import CAllocations
import Engine
import Geometry
import Model
import Scene
import Simulation
import Testing

/// The engine's own poses at 200 Hz are the reference for the past poses that it returns.
@Suite("Past poses")
struct PastPoseTests {
    /// Eleven minutes of the city walk with late fixes; after seven the inertial sensors are silent for three seconds,
    /// which costs the scene frame.
    private final class Past {
        static let silence = 420.0...423.0

        var engine = Engine()
        var walk: CityWalk
        private(set) var poses: [PoseEstimate] = []

        init(seconds: Double, isSilent: Bool = true) throws {
            let (walk, measurements) = try EngineTests.recordedWalk(seed: 6, seconds: Int(seconds))
            self.walk = walk
            let start = try #require(measurements.first).time
            for measurement in measurements {
                let age = measurement.time.seconds(since: start)
                var isInertial = false
                switch measurement {
                case .angularRate, .specificForce: isInertial = true
                default: break
                }
                if isSilent, isInertial, Self.silence.contains(age) { continue }
                engine.feed(measurement) { if case .pose(let pose) = $0 { poses.append(pose) } }
            }
        }
    }

    @Test("behaviour 50: at any nanosecond of ten minutes the pose is within 1 mm and 0.05° of the published ones")
    func anyMoment() throws {
        let past = try Past(seconds: 660)
        let known = past.engine.pastPoses
        let available = try #require(known)
        #expect(available.upperBound.seconds(since: available.lowerBound) > 599.9)
        var random = RandomSource(seed: 3)
        var (distance, turn, heading, place) = (Worst(), Worst(), Worst(), Worst())
        var (gaps, generations) = (0, Set<UInt32>())
        for _ in 0..<30_000 {
            let moment = available.lowerBound.nanoseconds + Int64(random.uniform() * 599.9e9)
            let time = BootTime(nanoseconds: moment)
            let next = past.poses.partitioningIndex { $0.time > time }
            guard next < past.poses.count else { continue }
            let (a, b) = (past.poses[next - 1], past.poses[next])
            guard b.time.seconds(since: a.time) < 0.1 else {
                gaps += 1
                let isInGap = Self.isInGap(past.engine, time)
                #expect(isInGap)
                continue
            }
            guard a.generation == b.generation else { continue }
            let found = try past.engine.pose(at: time).pose
            generations.insert(found.generation)
            // A straight line and an even turn between two samples 5 ms apart: what they leave out is in the bound.
            let share = time.seconds(since: a.time) / b.time.seconds(since: a.time)
            let line = a.positionInScene + (b.positionInScene - a.positionInScene) * share
            let arc = (a.rotationSceneFromBody.inverse * b.rotationSceneFromBody).log
            let even = a.rotationSceneFromBody * Rotation3.exp(arc * share)
            distance.add((found.positionInScene - line).norm, found.time)
            turn.add((found.rotationSceneFromBody * even.inverse).log.norm * 180 / .pi, found.time)
            // State and alignment are those of then, which are looked at every fourth sample.
            let recent = past.poses[max(0, next - 5)...next]
            #expect(recent.contains { $0.state == found.state })
            if let angle = found.heading {
                let errors = recent.compactMap(\.heading).map { Angle.wrapped(angle - $0).magnitude }
                heading.add((errors.min() ?? 9) * 180 / .pi, found.time)
            }
            if let here = found.geodetic {
                let errors = recent.compactMap(\.geodetic).map { Geodesic(from: here, to: $0).distance }
                place.add(errors.min() ?? 9, found.time)
            }
        }
        #expect(distance.value < 1e-3, "\(distance)")
        #expect(turn.value < 0.05, "\(turn)")
        #expect(heading.value < 0.5 && heading.mean < 0.05, "\(heading)")
        #expect(place.value < 0.1 && place.mean < 0.03, "\(place)")
        #expect(gaps > 50 && generations.count == 2, "\(gaps) \(generations)")
    }

    private struct Worst: CustomStringConvertible {
        var value = 0.0
        var sum = 0.0
        var count = 0.0
        var time: BootTime?
        var mean: Double { sum / max(1, count) }

        var description: String { "worst \(value) at \(time?.seconds ?? 0), mean \(mean)" }

        mutating func add(_ error: Double, _ at: BootTime) {
            sum += error
            count += 1
            guard error > value else { return }
            (value, time) = (error, at)
        }
    }

    private static func isInGap(_ engine: borrowing Engine, _ time: BootTime) -> Bool {
        do throws(PastPoseProblem) {
            _ = try engine.pose(at: time)
            return false
        } catch {
            guard case .inGap(let gap, _) = error else { return false }
            return gap.contains(time)
        }
    }

    @Test("behaviour 50: at its own time a pose is returned as it was published, with all words and its accuracy")
    func ownTime() throws {
        let past = try Past(seconds: 200, isSilent: false)
        var (outdated, count) = (0, 0)
        for pose in past.poses.dropFirst(2000) where pose.time.nanoseconds % 7 == 0 {
            let found = try past.engine.pose(at: pose.time).pose
            count += 1
            #expect((found.positionInScene - pose.positionInScene).norm < 1e-4)
            #expect((found.velocityInScene - pose.velocityInScene).norm < 1e-3)
            let turn = found.rotationSceneFromBody * pose.rotationSceneFromBody.inverse
            #expect(turn.log.norm * 180 / .pi < 0.004)
            var isOutdated = found.state != pose.state || found.reasons != pose.reasons
            if let radius = found.accuracy.horizontal, let published = pose.accuracy.horizontal {
                isOutdated = isOutdated || abs(radius - published) > 0.17 * published
            }
            if let here = found.geodetic, let there = pose.geodetic {
                isOutdated = isOutdated || Geodesic(from: here, to: there).distance > 0.1
            }
            if isOutdated { outdated += 1 }
        }
        // What changes slowly is looked at every fourth pose.
        #expect(count > 3000 && Double(outdated) < 0.05 * Double(count), "\(outdated) of \(count)")
    }

    @Test("behaviour 50: from every second pose alone the others are found")
    func interpolation() throws {
        let past = try Past(seconds: 120, isSilent: false)
        var history = PoseHistory()
        for (index, pose) in past.poses.enumerated() where index % 2 == 0 { history.add(pose) }
        let available = try #require(history.available)
        var (distance, turn) = (Worst(), Worst())
        for (index, pose) in past.poses.enumerated() where index % 2 == 1 && index > 2000 {
            guard available.contains(pose.time) else { continue }
            let found = try history.pose(at: pose.time).pose
            distance.add((found.positionInScene - pose.positionInScene).norm, pose.time)
            turn.add((found.rotationSceneFromBody * pose.rotationSceneFromBody.inverse).log.norm * 180 / .pi, pose.time)
        }
        #expect(distance.value < 1e-3, "\(distance)")
        #expect(turn.value < 0.05, "\(turn)")
    }

    @Test("behaviour 5: a client's fix is paired with the pose of its moment, not with that of its arrival")
    func pairing() throws {
        let past = try Past(seconds: 200, isSilent: false)
        let newest = past.engine.pose
        let now = try #require(newest).time
        var errors: [Double] = []
        for age in stride(from: 0.3, through: 100, by: 7) {
            let time = now.shifted(by: -Int64(age * 1e9))
            let truth = past.walk.truth(at: time)
            let fix = ClientFix(position: truth.position, hasHeight: true, horizontalAccuracy: 0.05)
            let (estimate, pose) = try past.engine.pair(fix, at: time)
            #expect(pose.pose.time == time)
            #expect(estimate.pointInScene == pose.pose.positionInScene)
            // The difference is that of the two points in the scene.
            let ground = (estimate.fixInScene - estimate.pointInScene).norm
            #expect(abs(ground - estimate.difference.norm) < 1e-3)
            // What it claims of itself holds: the truth lies where its own accuracy allows.
            #expect(try #require(estimate.normalizedDistance) < 4, "\(estimate)")
            errors.append(estimate.difference.norm)
        }
        #expect(errors.allSatisfy { $0 < 15 }, "\(errors)")
        // A fix at another place shows in the number of standard deviations.
        let far = past.walk.truth(at: now).position
        var wrong = far
        wrong.latitudeDegrees += 0.01
        let (estimate, _) = try past.engine.pair(
            ClientFix(position: wrong, hasHeight: false, horizontalAccuracy: 1), at: now)
        #expect(try #require(estimate.normalizedDistance) > 50 && !estimate.hasHeight)
        #expect(abs(estimate.difference.y - 1112) < 15)
    }

    @Test("behaviour 5: an offset from the board is taken in the direction of then")
    func offset() throws {
        let past = try Past(seconds: 120, isSilent: false)
        let newest = past.engine.pose
        let time = try #require(newest).time.shifted(by: -5_000_000_000)
        let pose = try past.engine.pose(at: time).pose
        let ahead = Vector3(0, 0, -3)
        let fix = ClientFix(
            position: past.walk.truth(at: time).position, hasHeight: true, horizontalAccuracy: 1, offsetInBody: ahead)
        let (estimate, _) = try past.engine.pair(fix, at: time)
        let expected = pose.positionInScene + pose.rotationSceneFromBody * ahead
        #expect((estimate.pointInScene - expected).norm < 1e-9)
    }
}

extension Array {
    /// The first index whose element satisfies a condition that all later ones do too.
    fileprivate func partitioningIndex(where isLater: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isLater(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
