import Estimation
import Geometry
import Glibc
import Model
import Engine
import Simulation

/// Measurements of one simulated walk under a condition, and its truth at 10 Hz, held in memory for several variants of
/// the estimator.
package struct SimulatedWalk: Sendable {
    /// Measurements in order of arrival.
    package private(set) var measurements: [Measurement] = []
    private var truth: [WalkTruth] = []
    /// Distance travelled until each truth. Unit: metres.
    private var distances: [Double] = []
    private let start = BootTime(nanoseconds: 1_000_000_000_000)
    private let plane: LocalTangentPlane
    /// Declination of the site. Unit: degrees.
    private let declination: Double
    private let outages: [ClosedRange<Double>]
    private var fastest = 0.0

    /// Number of truths a second.
    package static let rate = 10.0
    /// Number of truths between two of which the distance is taken: the sway of a head is no way.
    private static let distanceStride = 10

    /// Simulates a walk. Each condition has random numbers of its own for the same seed.
    package init(_ condition: ScoreCondition, seed: UInt64) {
        let seed = condition.walkSeed(seed)
        var settings = CityWalkSettings(seed: seed)
        condition.settings(&settings)
        guard var walk = CityWalk(settings: settings, start: start, magneticModel: WorldMagneticModel.wmm2025) else {
            fatalError("the magnetic model reaches the walk")
        }
        plane = walk.plane
        declination = atan2(walk.magneticFieldENU.x, walk.magneticFieldENU.y) * 180 / .pi
        outages = condition.outages
        var changer = MeasurementChanger(condition, seed: seed, start: start, plane: plane)
        while true {
            let next = walk.next()
            let seconds = next.arrival.seconds(since: start)
            guard seconds < condition.seconds else { break }
            if case .fix(let fix) = next {
                let epoch = fix.epoch.seconds(since: start)
                if outages.contains(where: { $0.contains(epoch) }) { continue }
            }
            // Only an added field needs the attitude.
            var rotation = Rotation3.identity
            if case .magneticField = next { rotation = walk.truth(at: next.time).rotationENUFromBody }
            guard let delivered = changer.delivered(next, rotationENUFromBody: rotation) else { continue }
            measurements.append(delivered)
        }
        readTruth(of: walk, seconds: condition.seconds)
    }

    private mutating func readTruth(of walk: CityWalk, seconds: Double) {
        var distance = 0.0
        for index in 0...Int(seconds * Self.rate) {
            let found = walk.truth(at: start.shifted(by: Int64(index) * 1_000_000_000 / Int64(Self.rate)))
            truth.append(found)
            if index >= Self.distanceStride, index % Self.distanceStride == 0 {
                distance += Vector2(found.positionENU - truth[index - Self.distanceStride].positionENU).norm
            }
            distances.append(distance)
            fastest = max(fastest, Vector2(found.velocityENU).norm)
        }
    }

    /// Errors of an estimator with some settings.
    package func track(_ settings: EstimatorSettings = EstimatorSettings()) -> Track {
        var odometry = Odometry(settings: settings)
        var points: [TrackPoint] = []
        for measurement in measurements {
            odometry.feed(measurement) { events in
                if let pose = events.pose, let point = point(of: pose) { points.append(point) }
            }
        }
        return Track(points: points, outages: outages, fastest: fastest)
    }

    /// Nil between the instants of the truth.
    private func point(of pose: PoseEstimate) -> TrackPoint? {
        let seconds = pose.time.seconds(since: start)
        let index = Int((seconds * Self.rate).rounded())
        guard (seconds * Self.rate - Double(index)).magnitude < 1e-3, truth.indices.contains(index) else { return nil }
        let truth = truth[index]
        var point = TrackPoint(seconds: seconds, distance: distances[index])
        if let position = pose.geodetic {
            let error = plane.pointENU(of: position) - truth.positionENU
            point.error = Vector2(error)
            point.radius = pose.accuracy.horizontal
            point.heightError = error.z
            point.heightAccuracy = pose.accuracy.vertical
        }
        point.speed = pose.velocityENU.map { Vector2($0).norm }
        guard pose.orientationTracking != .invalid else { return point }
        let error = AttitudeError(of: pose.rotationENUFromBody, against: truth.rotationENUFromBody)
        point.tilt = error.inclination
        guard pose.headingReference != .none else { return point }
        let offset = pose.headingReference == .magneticNorth ? declination : 0
        point.yawError = (error.heading - offset).remainder(dividingBy: 360)
        point.yawAccuracy = pose.accuracy.yaw.map(Angle.degrees(radians:))
        return point
    }
}
