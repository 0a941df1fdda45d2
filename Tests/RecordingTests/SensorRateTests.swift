import Geometry
import Model
import Engine
import Recording
import Testing

@Suite("Recordings from slower sensors")
struct SensorRateTests {
    struct Trial: CustomTestStringConvertible {
        var name: String
        /// This number of inertial samples becomes one, as the filter of a slower sensor does.
        var every: Int
        /// Against the orientation at the full rate, RMS. Unit: degrees.
        var maximum: Double
        var testDescription: String { "\(name), 286 Hz / \(every)" }
    }

    /// Slow motion loses nothing at any rate. In the fast trial a hand turns by tens of degrees within a sample of 26
    /// Hz: what it does in between is lost.
    static let trials = [
        Trial(name: "broad_11_undisturbed_slow_translation_B", every: 3, maximum: 0.8),
        Trial(name: "broad_11_undisturbed_slow_translation_B", every: 6, maximum: 0.8),
        Trial(name: "broad_11_undisturbed_slow_translation_B", every: 11, maximum: 0.8),
        Trial(name: "broad_07_undisturbed_fast_rotation_B", every: 3, maximum: 1.5),
        Trial(name: "broad_07_undisturbed_fast_rotation_B", every: 6, maximum: 1.5),
        Trial(name: "broad_07_undisturbed_fast_rotation_B", every: 11, maximum: 4),
    ].filter { RecordingData.has($0.name) }

    @Test("give the orientation of the fast ones", arguments: trials)
    func decimated(trial: Trial) throws {
        let reader = try SensorFolder(path: RecordingData.folder + "/" + trial.name)
        var fast = Odometry()
        var slow = Odometry()
        var (expected, found) = ([PoseEstimate](), [PoseEstimate]())
        var decimator = Decimator(every: trial.every)
        while let measurement = try reader.next() {
            fast.feed(measurement) { if let pose = $0.pose { expected.append(pose) } }
            guard let mean = decimator.take(measurement) else { continue }
            slow.feed(mean) { if let pose = $0.pose { found.append(pose) } }
        }
        let start = try #require(expected.first).time
        var (square, count, index) = (0.0, 0.0, 0)
        for pose in found where pose.time.seconds(since: start) > 10 {
            while index < expected.count - 1, expected[index].time < pose.time { index += 1 }
            guard expected[index].time == pose.time else { continue }
            square += (expected[index].rotationENUFromBody.inverse * pose.rotationENUFromBody).log.squaredNorm
            count += 1
        }
        #expect(count > 100)
        let degrees = (square / count).squareRoot() * 180 / .pi
        #expect(degrees < trial.maximum)
    }

    /// Means over several samples, stamped with the last of them.
    private struct Decimator {
        let every: Int
        private var rates = (sum: Vector3.zero, count: 0)
        private var forces = (sum: Vector3.zero, count: 0)

        init(every: Int) { self.every = every }

        mutating func take(_ measurement: Measurement) -> Measurement? {
            switch measurement {
            case .angularRate(var sample):
                guard let mean = Self.add(sample.rate, to: &rates, every) else { return nil }
                sample.rate = mean
                return .angularRate(sample)
            case .specificForce(var sample):
                guard let mean = Self.add(sample.force, to: &forces, every) else { return nil }
                sample.force = mean
                return .specificForce(sample)
            default: return measurement
            }
        }

        private static func add(_ value: Vector3, to sum: inout (sum: Vector3, count: Int), _ every: Int) -> Vector3? {
            sum = (sum.sum + value, sum.count + 1)
            guard sum.count == every else { return nil }
            defer { sum = (.zero, 0) }
            return sum.sum / Double(every)
        }
    }
}
