import Estimation
import Geometry
import Model
import Recording
import Simulation

/// Position against RTK, by fixes of an imitated plain receiver with outages, in several passes.
extension PublicRecording {
    /// Number of passes, each with errors and outages of its own.
    private static let passes = 4

    func positionScores(_ settings: EstimatorSettings, _ round: OutageRound) throws(RecordingError) -> Scores? {
        let columns = ["lat_deg", "lon_deg", "alt_m"]
        guard let truth = try NumberTable("truth", in: path, columns: columns), let last = truth.rows.last else {
            return nil
        }
        var walks: [Readings] = []
        for pass in 0..<Self.passes {
            let first = round.first + round.every * Double(pass) / Double(Self.passes)
            let outages = stride(from: first, to: last.time.seconds - round.length, by: round.every)
                .map { $0...($0 + round.length) }
            var receiver = PlainReceiver(
                seed: UInt64(pass + 1), outages: outages, until: last.time, late: round.inertialLate)
            let track = try poses(settings) { receiver.deliver($0) }
            walks.append(Self.track(track, truth, outages, late: round.inertialLate).readings)
        }
        let wanted: [Reading] = [.horizontal, .withinRadius, .outageEnd, .outageEndRadii, .reckoned]
        return wanted.compactMap { reading in
            Spread(walks.compactMap { $0[reading] }).map { (reading.rawValue, $0.mean) }
        }
    }

    private static func track(
        _ poses: PoseTrack, _ truth: NumberTable, _ outages: [ClosedRange<Double>], late: Double
    ) -> Track {
        var points: [TrackPoint] = []
        var plane: LocalTangentPlane?
        var (before, distance) = (Vector2(), 0.0)
        for row in truth.rows {
            guard let latitude = row.values[0], let longitude = row.values[1], let height = row.values[2],
                let position = GeodeticPosition(
                    latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: height)
            else { continue }
            let local = plane ?? LocalTangentPlane(origin: position)
            plane = local
            let place = local.pointENU(of: position)
            distance += (Vector2(place) - before).norm
            before = Vector2(place)
            var point = TrackPoint(seconds: row.time.seconds, distance: distance)
            let time = row.time.shifted(by: Int64(late * 1e9))
            if let pose = poses.nearest(time), let found = pose.geodetic {
                point.error = Vector2(local.pointENU(of: found) - place)
                point.radius = pose.accuracy.horizontal
            }
            points.append(point)
        }
        return Track(points: points, outages: outages)
    }
}

/// Imitates a plain receiver at 1 Hz by the fixes of a better one: correlated and white errors, a delay, and outages.
private struct PlainReceiver {
    private var random: RandomSource
    private var drift: GaussMarkov
    private let outages: [ClosedRange<Double>]
    private let end: BootTime
    /// Shift of the epochs to the clock of the inertial samples. Unit: nanoseconds.
    private let shift: Int64
    private var waiting: [GNSSFix] = []
    private var nextSecond = 0.0

    private static let delay: Int64 = 200_000_000
    private static let white = Vector3(0.7, 0.7, 1.5)
    private static let correlated = Vector3(2, 2, 4)
    private static let velocity = Vector3(0.12, 0.12, 0.2)

    init(seed: UInt64, outages: [ClosedRange<Double>], until end: BootTime, late: Double) {
        random = RandomSource(seed: seed, stream: 111)
        drift = GaussMarkov(standardDeviation: Self.correlated, timeConstant: 60, interval: 1, from: &random)
        self.outages = outages
        self.end = end
        shift = Int64(late * 1e9)
    }

    /// Measurements to feed for the next one of the recording: fixes wait for their arrival.
    mutating func deliver(_ measurement: Measurement) -> [Measurement] {
        guard measurement.time <= end else { return [] }
        if case .fix(let fix) = measurement {
            take(fix)
            return []
        }
        var due: [Measurement] = []
        while let fix = waiting.first, fix.arrival <= measurement.time {
            due.append(.fix(fix))
            waiting.removeFirst()
        }
        return due + [measurement]
    }

    private mutating func take(_ fix: GNSSFix) {
        let seconds = fix.epoch.seconds
        guard seconds >= nextSecond else { return }
        nextSecond = seconds.rounded(.down) + 1
        drift.step(&random)
        let error = drift.value + random.normalVector(Self.white)
        let velocityError = random.normalVector(Self.velocity)
        guard !outages.contains(where: { $0.contains(seconds) }) else { return }
        var fix = fix
        fix.epoch = fix.epoch.shifted(by: shift)
        fix.arrival = fix.epoch.shifted(by: Self.delay)
        let plane = LocalTangentPlane(origin: fix.position)
        fix.position = plane.position(ofENU: error) ?? fix.position
        fix.velocityENU.east? += velocityError.x
        fix.velocityENU.north? += velocityError.y
        fix.velocityENU.up? += velocityError.z
        fix.positionSigma = .init(
            east: Self.sum(Self.correlated.x, Self.white.x), north: Self.sum(Self.correlated.y, Self.white.y),
            up: Self.sum(Self.correlated.z, Self.white.z))
        fix.velocitySigma = Self.velocity.x
        waiting.append(fix)
    }

    private static func sum(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
}
