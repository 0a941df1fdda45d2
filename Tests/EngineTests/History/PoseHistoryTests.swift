import CAllocations
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Simulation
import Testing

@Suite("Pose history")
struct PoseHistoryTests {
    private static let start: Int64 = 5_000_000_000

    private func pose(
        nanoseconds: Int64, generation: UInt32 = 1, position: Vector3 = .zero, velocity: Vector3 = .zero,
        rotation: Rotation3 = .identity, rate: Vector3 = .zero
    ) -> PoseEstimate {
        PoseEstimate(
            time: BootTime(nanoseconds: nanoseconds), generation: generation, rotationSceneFromBody: rotation,
            positionInScene: position, velocityInScene: velocity, angularVelocityInBody: rate,
            rotationENUFromBody: SceneFrame.rotationENUFromScene * rotation, velocityENU: nil, geodetic: nil,
            headingReference: .none, accuracy: PoseAccuracy(horizontal: nil, vertical: nil, yaw: nil),
            orientationTracking: .tracked, positionTracking: .inferred, state: .aligning, reasons: [], sources: [])
    }

    /// A head that nods and turns while its wearer walks: the truth of any moment.
    ///
    /// - Parameter interval: since the sample before, over which the angular velocity is the mean. Unit: seconds.
    private func walking(_ nanoseconds: Int64, generation: UInt32 = 1, interval: Double = 0.005) -> PoseEstimate {
        let t = Double(nanoseconds) * 1e-9
        let displacement = Vector3(1.4 * t + 0.03 * sin(11.3 * t), 0.02 * sin(12.5 * t), -0.3 * t)
        let velocity = Vector3(1.4 + 0.339 * cos(11.3 * t), 0.25 * cos(12.5 * t), -0.3)
        // About one axis, so that the angular velocity is the angle's change.
        func angle(_ t: Double) -> Double { 0.9 * sin(3.1 * t) + 0.02 * sin(12.5 * t) }
        let rate = (angle(t) - angle(t - interval)) / interval
        return pose(
            nanoseconds: nanoseconds, generation: generation, position: displacement, velocity: velocity,
            rotation: Rotation3.about(Vector3(0.2, 0.9, 0.1), by: angle(t)),
            rate: (Vector3(0.2, 0.9, 0.1).normalized ?? .zero) * rate)
    }

    private func range(_ history: PoseHistory) throws -> ClosedRange<BootTime> { try #require(history.available) }

    private func problem(_ history: PoseHistory, at nanoseconds: Int64) -> PastPoseProblem? {
        do throws(PastPoseProblem) {
            _ = try history.pose(at: BootTime(nanoseconds: nanoseconds))
            return nil
        } catch {
            return error
        }
    }

    @Test("behaviour 50: all of ten minutes takes less than 4 MB, taken once")
    func memory() {
        #expect(PoseHistory.memory <= 4_000_000)
        guard waymark_counts_memory() != 0 else { return }
        // Other tests take and give back memory meanwhile: the least of some readings has the least of theirs in it.
        let held = (0..<8).map { _ in
            let before = Int64(waymark_held_bytes())
            return withExtendedLifetime(PoseHistory()) { Int64(waymark_held_bytes()) - before }
        }
        #expect((held.min() ?? .max) <= 4_000_000)
        var history = PoseHistory()
        let allocations = waymark_allocations()
        for index in 0..<140_000 { history.add(walking(Self.start + Int64(index) * 5_000_000)) }
        #expect(waymark_allocations() == allocations)
    }

    @Test("behaviour 50: at any rate of samples ten minutes are held", arguments: [50, 100, 200, 208, 417, 1000])
    func rates(rate: Int) throws {
        var history = PoseHistory()
        let count = rate * 630
        var random = RandomSource(seed: UInt64(rate))
        for index in 0..<count {
            let jitter = Int64(random.uniform(in: -1...1) * 4e8) / Int64(rate)
            let moment = Self.start + Int64(index) * 1_000_000_000 / Int64(rate) + jitter
            history.add(walking(moment, interval: 1 / Double(rate)))
        }
        let available = try range(history)
        #expect(available.upperBound.seconds(since: available.lowerBound) > PoseHistory.span - 0.1)
        #expect(available.upperBound.seconds(since: available.lowerBound) <= PoseHistory.span)
        var (worstDistance, worstTurn, worstVelocity) = (0.0, 0.0, 0.0)
        for _ in 0..<20_000 {
            let moment = available.lowerBound.nanoseconds + Int64(random.uniform() * 599.8e9)
            let past = try history.pose(at: BootTime(nanoseconds: moment)).pose
            let truth = walking(moment)
            worstDistance = max(worstDistance, (past.positionInScene - truth.positionInScene).norm)
            worstTurn = max(worstTurn, (past.rotationSceneFromBody * truth.rotationSceneFromBody.inverse).log.norm)
            worstVelocity = max(worstVelocity, (past.velocityInScene - truth.velocityInScene).norm)
        }
        // Rounding is 0.1 mm and 0.004°; what is left is interpolation over 20 ms where samples come that slowly.
        #expect(worstDistance < 1e-3, "\(worstDistance)")
        #expect(worstTurn * 180 / .pi < 0.05, "\(worstTurn * 180 / .pi)")
        #expect(worstVelocity < 0.01)
    }

    @Test("behaviour 50: at a pose's own time the answer is that pose, to the rounding", arguments: [1.4, 30, 250])
    func exact(speed: Double) throws {
        var history = PoseHistory()
        var random = RandomSource(seed: 2)
        var poses: [PoseEstimate] = []
        for index in 0..<2000 {
            var made = walking(Self.start + Int64(index) * 5_000_000)
            let t = Double(index) * 0.005
            made.positionInScene = Vector3(1e6 + speed * t, 0, 40 * sin(t))
            made.velocityInScene = Vector3(speed, 0, 40 * cos(t))
            let axis = Vector3(random.normal(), random.normal(), random.normal())
            made.rotationSceneFromBody = Rotation3.about(axis, by: random.uniform(in: -3...3))
            made.angularVelocityInBody = Vector3(random.normal(), 30 * random.normal(), 0.01 * random.normal())
            history.add(made)
            poses.append(made)
        }
        for (index, made) in poses.enumerated() {
            let past = try history.pose(at: made.time)
            #expect(past.sequence == UInt64(index + 1))
            #expect((past.pose.positionInScene - made.positionInScene).norm < 1e-4)
            #expect((past.pose.rotationSceneFromBody * made.rotationSceneFromBody.inverse).log.norm < 7e-5)
            #expect((past.pose.velocityInScene - made.velocityInScene).norm < 1e-3)
            let limited = made.angularVelocityInBody.y.magnitude < 80
            #expect(!limited || (past.pose.angularVelocityInBody - made.angularVelocityInBody).norm < 4e-3)
        }
    }

    @Test("behaviour 50: too early and too late are reported with the available range")
    func outside() throws {
        var history = PoseHistory()
        #expect(problem(history, at: Self.start) == PastPoseProblem.none)
        for index in 0..<400 { history.add(walking(Self.start + Int64(index) * 5_000_000)) }
        let available = try range(history)
        #expect(available.lowerBound.nanoseconds == Self.start)
        #expect(available.upperBound.nanoseconds == Self.start + 399 * 5_000_000)
        for early in [Int64.min, -1, 0, Self.start - 1] {
            #expect(problem(history, at: early) == .tooEarly(available: available))
        }
        for late in [available.upperBound.nanoseconds + 1, Int64.max] {
            #expect(problem(history, at: late) == .tooLate(available: available))
        }
        #expect(problem(history, at: Self.start) == nil)
        #expect(problem(history, at: available.upperBound.nanoseconds) == nil)
    }

    @Test("behaviour 50: within a silence of the sensors nothing is made up")
    func gap() throws {
        var history = PoseHistory()
        for index in 0..<200 { history.add(walking(Self.start + Int64(index) * 5_000_000)) }
        let (end, next) = (Self.start + 199 * 5_000_000, Self.start + 1_500_000_000)
        // Held poses, as they are published meanwhile.
        for _ in 0..<2 { history.skip() }
        for index in 0..<200 { history.add(walking(next + Int64(index) * 5_000_000)) }
        let available = try range(history)
        let silence = BootTime(nanoseconds: end)...BootTime(nanoseconds: next)
        for moment in [end + 1, (end + next) / 2, next - 1] {
            #expect(problem(history, at: moment) == .inGap(silence, available: available))
        }
        #expect(problem(history, at: end) == nil && problem(history, at: next) == nil)
        let after = try history.pose(at: silence.upperBound)
        #expect(after.sequence == 203)
    }

    @Test("behaviour 50: each moment is in the scene frame of then")
    func generations() throws {
        var history = PoseHistory()
        for index in 0..<300 {
            let moment = Self.start + Int64(index) * 5_000_000
            history.add(walking(moment, generation: index < 150 ? 1 : 2))
        }
        let last = Self.start + 149 * 5_000_000
        for (moment, generation) in [(last, UInt32(1)), (last + 4_999_999, 1), (last + 5_000_000, 2)] {
            let past = try history.pose(at: BootTime(nanoseconds: moment)).pose
            let truth = walking(moment)
            #expect(past.generation == generation)
            #expect((past.positionInScene - truth.positionInScene).norm < 1e-3)
        }
    }

    @Test("behaviour 50: what comes after the clock was set back has no past")
    func setBack() throws {
        var history = PoseHistory()
        for index in 0..<300 { history.add(walking(Self.start + Int64(index) * 5_000_000)) }
        for index in 0..<100 { history.add(walking(1_000_000_000 + Int64(index) * 5_000_000, generation: 2)) }
        let available = try range(history)
        #expect(available.lowerBound.nanoseconds == 1_000_000_000)
        #expect(try history.pose(at: available.upperBound).sequence == 400)
        #expect(problem(history, at: Self.start) == .tooLate(available: available))
    }

    @Test("behaviour 50: numbers that are none, and huge ones, do no harm")
    func hostile() throws {
        var history = PoseHistory()
        var random = RandomSource(seed: 9)
        let odd = [Double.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude, 0, 1e9]
        for index in 0..<20_000 {
            var made = walking(Self.start + Int64(index) * 5_000_000, generation: UInt32.max - UInt32(index % 3))
            func some() -> Double { odd[Int(random.uniform(in: 0...7.99))] }
            switch index % 5 {
            case 0: made.positionInScene = Vector3(some(), some(), some())
            case 1: made.velocityInScene = Vector3(some(), some(), some())
            case 2: made.angularVelocityInBody = Vector3(some(), some(), some())
            case 3: made.accuracy = PoseAccuracy(horizontal: some(), vertical: some(), yaw: nil)
            default: break
            }
            history.add(made)
        }
        let available = try range(history)
        for _ in 0..<20_000 {
            let span = available.upperBound.nanoseconds - available.lowerBound.nanoseconds
            let moment = available.lowerBound.nanoseconds + Int64(random.uniform() * Double(span))
            guard let past = try? history.pose(at: BootTime(nanoseconds: moment)) else { continue }
            #expect(past.pose.positionInScene.isFinite && past.pose.velocityInScene.isFinite)
        }
        for extreme in [Int64.min, Int64.max] {
            var history = PoseHistory()
            history.add(walking(Self.start))
            history.add(pose(nanoseconds: extreme))
            #expect(history.available != nil)
            #expect(throws: Never.self) { try history.pose(at: BootTime(nanoseconds: extreme)) }
        }
    }
}
