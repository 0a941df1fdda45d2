import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Simulation
import Testing

@Suite("Scale of the gyroscope")
struct GyroScaleTests {
    /// Scales as data sheets allow them. Frame: body, y about up.
    private static let scales = [
        Vector3(0.03, 0.03, 0.03), Vector3(-0.03, 0.03, -0.03), Vector3(0.01, -0.03, 0.02), Vector3(0, 0, 0),
    ]

    private static let settings: EstimatorSettings = {
        var settings = EstimatorSettings.calibrated
        settings.initial.gyroScaleStandardDeviation = EstimatorSettings().initial.gyroScaleStandardDeviation
        return settings
    }()

    /// Walk in a city whose gyroscope has no other error of its scale.
    private static func walk(_ seed: UInt64, hasMagnetometer: Bool = true) -> CityWalk {
        var errors = SensorErrors.typical
        errors.gyroscope.scale = 0
        return GaitFixture.walk(seed: seed, magneticRate: hasMagnetometer ? 25 : 0, errors: errors)
    }

    private static func measured(_ walk: CityWalk, scale: Vector3) -> [Measurement] {
        GaitFixture.measurements(walk, seconds: 180).map { measurement in
            guard case .angularRate(var sample) = measurement else { return measurement }
            sample.rate += sample.rate.scaled(by: scale)
            return .angularRate(sample)
        }
    }

    @Test(
        "leaves no heading confidently wrong, from the second second on, and none doubted for long", arguments: scales)
    func heading(scale: Vector3) throws {
        var (within, known) = (0, 0)
        for seed in UInt64(1)...3 {
            let walk = Self.walk(seed, hasMagnetometer: seed != 3)
            var odometry = Odometry(settings: Self.settings)
            var last: PoseEstimate?
            for measurement in Self.measured(walk, scale: scale) {
                odometry.feed(measurement) { output in
                    guard let pose = output.pose, pose.seconds > 2, let accuracy = pose.accuracy.yaw else { return }
                    last = pose
                    let truth = walk.truth(at: pose.time).rotationENUFromBody
                    known += 1
                    if abs((pose.rotationENUFromBody * truth.inverse).yawAboutZ) < 3 * accuracy { within += 1 }
                }
            }
            #expect(try #require(last?.accuracy.yaw) < Angle.radians(degrees: 4))
        }
        #expect(known > 3 * 12_000)
        #expect(Double(within) > 0.98 * Double(known))
    }

    @Test("is learned from turns among fixes, as well as it is claimed to be", arguments: scales)
    func learned(scale: Vector3) throws {
        for seed in UInt64(1)...3 {
            var odometry = Odometry(settings: Self.settings)
            for measurement in Self.measured(Self.walk(seed), scale: scale) { odometry.feed(measurement) { _ in } }
            let last = odometry.filter
            let filter = try #require(last)
            // What measures (1 + k)·ω is too large by k/(1 + k) of what it measures.
            let truth = Vector3(
                scale.x / (1 + scale.x), scale.y / (1 + scale.y), scale.z / (1 + scale.z))
            let error = filter.state.gyroScale - truth
            for (axis, value) in [error.x, error.y, error.z].enumerated() {
                let claim = filter.standardDeviation(ErrorState.gyroScale + axis)
                #expect(claim < 0.008)
                #expect(abs(value) < 3.5 * claim, "axis \(axis), seed \(seed): \(value), \(claim)")
            }
        }
    }

    @Test("is not learned from the field, which a magnet may turn")
    func field() {
        for regime in Regime.all { #expect(regime.rules.field.mask.isDisjoint(with: .gyroScale)) }
    }
}
