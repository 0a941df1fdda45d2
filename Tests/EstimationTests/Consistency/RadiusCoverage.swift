import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation

/// Poses of simulated walks, one a second, and those among them whose published radius held the truth.
struct RadiusCoverage: Sendable {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    private(set) var poses = 0
    private(set) var covered = 0
    private(set) var unknown = 0

    /// Share of the poses whose radius held the truth.
    var share: Double { poses > 0 ? Double(covered) / Double(poses) : 0 }

    static func + (a: RadiusCoverage, b: RadiusCoverage) -> RadiusCoverage {
        var sum = a
        sum.poses += b.poses
        sum.covered += b.covered
        sum.unknown += b.unknown
        return sum
    }

    private mutating func add(_ pose: PoseEstimate, of walk: CityWalk) {
        guard let place = pose.geodetic, let radius = pose.accuracy.horizontal else {
            unknown += 1
            return
        }
        let error = walk.plane.pointENU(of: place) - walk.truth(at: pose.time).positionENU
        poses += 1
        if Vector3(error.x, error.y, 0).norm <= radius { covered += 1 }
    }

    /// One walk.
    ///
    /// - Parameters:
    ///   - seconds: when the radius is held against the truth.
    ///   - hasFix: whether a fix of that time is delivered. Unit: seconds.
    private static func ofWalk(
        _ settings: CityWalkSettings, during seconds: ClosedRange<Double>, hasFix: (Double) -> Bool
    ) -> RadiusCoverage {
        guard var walk = CityWalk(settings: settings, start: start, magneticModel: WorldMagneticModel.wmm2025) else {
            return RadiusCoverage()
        }
        var odometry = Odometry(settings: .calibrated)
        var coverage = RadiusCoverage()
        var next = seconds.lowerBound
        while next < seconds.upperBound {
            let measurement = WalkErrors.asMeans(walk.next(), rate: settings.inertialRate)
            if case .fix = measurement, !hasFix(measurement.time.seconds(since: start)) { continue }
            var newest: PoseEstimate?
            odometry.feed(measurement) { if let pose = $0.pose { newest = pose } }
            guard let newest, newest.time.seconds(since: start) >= next else { continue }
            next += 1
            coverage.add(newest, of: walk)
        }
        return coverage
    }

    /// Walks with the seeds, together.
    static func ofWalks(
        _ seeds: ClosedRange<UInt64>, during seconds: ClosedRange<Double>,
        _ change: @escaping @Sendable (inout CityWalkSettings) -> Void,
        hasFix: @escaping @Sendable (Double) -> Bool = { _ in true }
    ) async -> RadiusCoverage {
        await withTaskGroup(of: RadiusCoverage.self) { group in
            for seed in seeds {
                group.addTask {
                    var settings = CityWalkSettings(seed: seed)
                    settings.inertialRate = 100
                    settings.magneticRate = 25
                    settings.pressureRate = 0
                    change(&settings)
                    return ofWalk(settings, during: seconds, hasFix: hasFix)
                }
            }
            return await group.reduce(RadiusCoverage(), +)
        }
    }
}
