import EstimatorFixtures
import Geodesy
import Geometry
import Model
import Publication
import Simulation
import Testing

/// Whether the published radius holds the truth as often as it promises while the receiver is worse than it reports.
@Suite("Consistency under mismatched noise")
struct MismatchedNoiseTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)
    private static let seeds: ClosedRange<UInt64> = 1...40
    /// From when on the radius is held against the truth, and when the walk ends: time enough to learn how large the
    /// receiver's errors are. Unit: seconds.
    private static let settled = 120.0
    private static let end = 420.0
    /// About 68 %: errors that last leave 40 walks with about a hundred independent ones, and so with a standard
    /// deviation of 0.05; too large a radius does less harm than one too small.
    private static let allowed = 0.60...0.85

    /// Poses that were looked at, and those among them whose radius held the truth.
    private struct Coverage {
        var poses = 0
        var covered = 0
        var unknown = 0

        static func + (a: Coverage, b: Coverage) -> Coverage {
            Coverage(poses: a.poses + b.poses, covered: a.covered + b.covered, unknown: a.unknown + b.unknown)
        }

        var share: Double { poses > 0 ? Double(covered) / Double(poses) : 0 }
    }

    /// One walk, looked at once a second.
    private static func coverage(_ gnss: SensorErrors.GNSS, seed: UInt64) -> Coverage? {
        var settings = CityWalkSettings(seed: seed)
        settings.errors.gnss = gnss
        settings.inertialRate = 100
        settings.magneticRate = 25
        settings.pressureRate = 0
        guard var walk = CityWalk(settings: settings, start: start, magneticModel: WorldMagneticModel.wmm2025) else {
            return nil
        }
        var odometry = Odometry(settings: .calibrated)
        var coverage = Coverage()
        var next = settled
        while next < end {
            let measurement = WalkErrors.asMeans(walk.next(), rate: settings.inertialRate)
            var newest: PoseEstimate?
            odometry.feed(measurement) { if let pose = $0.pose { newest = pose } }
            guard let newest, newest.time.seconds(since: start) >= next else { continue }
            next += 1
            guard let place = newest.geodetic, let radius = newest.accuracy.horizontal else {
                coverage.unknown += 1
                continue
            }
            let error = walk.plane.pointENU(of: place) - walk.truth(at: newest.time).positionENU
            coverage.poses += 1
            if Vector3(error.x, error.y, 0).norm <= radius { coverage.covered += 1 }
        }
        return coverage
    }

    /// All walks together.
    private static func coverage(_ gnss: SensorErrors.GNSS) async -> Coverage {
        await withTaskGroup(of: Coverage?.self) { group in
            for seed in seeds { group.addTask { coverage(gnss, seed: seed) } }
            return await group.reduce(Coverage()) { $0 + ($1 ?? Coverage()) }
        }
    }

    private func expectConsistent(_ coverage: Coverage) {
        #expect(coverage.poses == Self.seeds.count * Int(Self.end - Self.settled))
        #expect(coverage.unknown == 0)
        #expect(Self.allowed.contains(coverage.share), "\(coverage.share)")
    }

    @Test("the radius holds the truth in about 68 % of the time, the receiver being as good as it reports")
    func typical() async {
        expectConsistent(await Self.coverage(.typical))
    }

    @Test("the radius holds the truth in about 68 % of the time, the fixes' errors being twice as large as reported")
    func understated() async {
        expectConsistent(await Self.coverage(.understated(by: 2)))
    }

    @Test("the radius holds the truth in about 68 % of the time, the fixes' errors lasting for 300 s")
    func longLasting() async {
        expectConsistent(await Self.coverage(.longLasting))
    }

    @Test("the radius holds the truth in about 68 % of the time, the fixes' errors being three times as reported")
    func threeTimesUnderstated() async {
        expectConsistent(await Self.coverage(.understated(by: 3)))
    }

    @Test("the radius holds the truth in about 68 % of the time, the velocities being off for a minute")
    func wanderingVelocity() async {
        expectConsistent(await Self.coverage(.wanderingVelocity))
    }
}
