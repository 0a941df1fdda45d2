import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Fit to the undisturbed samples of a session, with its predicted errors.
struct MagneticSolution {
    let fit: MagneticFit
    let disturbance: MagneticDisturbance
    let prediction: HeadingPrediction
    let coverage: SphereCoverage
    /// Tilt of the board from its mean attitude, or of the field from a plane. Unit: radians.
    let tilt: Double
    /// RMS residual of the strength over the undisturbed samples, as a part of the field.
    let residualRMS: Double
    /// Undisturbed samples. Measured units.
    let fields: [Vector3]

    /// Nil if no fit is possible.
    init?(_ store: MagneticStore, settings: CalibrationSettings) {
        guard store.fields.count >= MagnetometerLimits.fewestSamples,
            let start = Ellipsoid(robust: store.fields.map(\.value))
        else { return nil }
        let joined = MagneticPoints(store, start: start, settings: settings)
        let hasBias = settings.present.contains { $0.sensor == .accelerometer }
        let bias =
            hasBias ? MagnetometerLimits.calibratedAccelerometerBias : MagnetometerLimits.accelerometerBias
        let all = joined.points
        var kept = MagneticDisturbance(start, all).keeping(all)
        var found: (MagneticFit, MagneticDisturbance)?
        for _ in 0..<2 {
            guard let fit = MagneticFit(best: kept, start: start, hasForces: joined.hasForces, biasDeviation: bias)
            else {
                return nil
            }
            let disturbance = MagneticDisturbance(fit, all)
            found = (fit, disturbance)
            let next = disturbance.keeping(all)
            if next.count == kept.count { break }
            kept = next
        }
        guard let found else { return nil }
        (fit, disturbance) = found
        fields = kept.map(\.field)
        var (coverage, sum) = (SphereCoverage(), 0.0)
        for point in kept {
            let field = fit.model.corrected(point.field)
            coverage.insert(field)
            sum += (field.norm - 1) * (field.norm - 1)
        }
        self.coverage = coverage
        residualRMS = (sum / Double(kept.count)).squareRoot()
        let pose = BoardPose(kept, fit)
        tilt = pose.tilt
        prediction = HeadingPrediction(fit, vertical: pose.vertical, inclination: pose.inclination)
    }
}

extension MagneticPoints {
    /// Points of a store, with forces and rates corrected by the calibrations in force.
    init(_ store: MagneticStore, start: Ellipsoid, settings: CalibrationSettings) {
        func corrected(_ samples: BinnedSamples, _ sensor: SensorCalibration.Sensor) -> [MagneticStore.Sample] {
            guard let present = settings.present.last(where: { $0.sensor == sensor }) else { return samples.all }
            return samples.all.map { MagneticStore.Sample(time: $0.time, value: present.applied(to: $0.value)) }
        }
        let forces = corrected(store.forces, .accelerometer)
        var rates = corrected(store.rates, .gyroscope)
        if settings.unit == .arbitrary, let scale = RateScale.scale(rates: rates, forces: forces) {
            rates = rates.map { MagneticStore.Sample(time: $0.time, value: scale * $0.value) }
        }
        self.init(fields: store.fields, forces: forces, rates: rates, start: start)
    }
}

extension MagneticFit {
    /// Aligned fit if the forces are consistent with the field, otherwise a fit without rotation.
    init?(best points: [MagneticPoint], start: Ellipsoid, hasForces: Bool, biasDeviation: Double) {
        let withUp = points.count { $0.up != nil }
        if hasForces, withUp * 2 >= points.count,
            let fit = MagneticFit(points, start: start, aligned: true, biasDeviation: biasDeviation),
            fit.noise[.elevation] ?? 1 < Self.largestElevationNoise
        {
            self = fit
        } else if let fit = MagneticFit(points, start: start, aligned: false, biasDeviation: biasDeviation) {
            self = fit
        } else {
            return nil
        }
    }

    /// Largest elevation noise as a part of the field; beyond it the forces belong to another board.
    private static let largestElevationNoise = 0.35
}

extension MagneticDisturbance {
    init(_ start: Ellipsoid, _ points: [MagneticPoint]) {
        self.init(times: points.map(\.time), residuals: [points.map { start.corrected($0.field).norm - 1 }])
    }

    init(_ fit: MagneticFit, _ points: [MagneticPoint]) {
        self.init(times: points.map(\.time), residuals: [points.map { fit.model.corrected($0.field).norm - 1 }])
    }

    /// Undisturbed points; all points if most are disturbed.
    func keeping(_ points: [MagneticPoint]) -> [MagneticPoint] {
        let kept = points.indices.filter { !isDisturbed[$0] }
        return kept.count * 2 > points.count ? kept.map { points[$0] } : points
    }
}

/// Attitude of the board while it was turned.
struct BoardPose {
    /// Up direction in the board's axes as it is worn.
    let vertical: Vector3
    let inclination: Double
    let tilt: Double

    init(_ points: [MagneticPoint], _ fit: MagneticFit) {
        let fields = points.compactMap { fit.model.corrected($0.field).normalized }
        if fit.isAligned {
            let ups = points.compactMap { $0.up?.normalized }
            vertical = Self.axis(near: Self.mean(ups))
            inclination = -min(max(fit.model.elevation, -asin(Self.steepest)), asin(Self.steepest))
            tilt = Self.spread(ups)
        } else {
            tilt = Self.elevations(fields)
            (vertical, inclination) = Self.guess(fields, tilt: tilt)
        }
    }

    /// Estimate from the fields alone: a nearly horizontal board keeps the field on one side, at its inclination on
    /// average.
    static func guess(_ fields: [Vector3], tilt: Double) -> (vertical: Vector3, inclination: Double) {
        let mean = mean(fields)
        guard tilt < nearlyHorizontal, mean.norm > clear else {
            return (Vector3(0, 1, 0), MagnetometerLimits.assumedInclination)
        }
        let down = axis(near: mean)
        let sine = median(fields.map { $0.dot(down) })
        return (-down, asin(min(steepest, max(-steepest, sine))))
    }

    private static func mean(_ directions: [Vector3]) -> Vector3 {
        directions.reduce(.zero, +) / Double(max(1, directions.count))
    }

    /// Axis of the board closest to the mean direction; +y without a clear mean, the mean itself if it is far from any
    /// axis.
    private static func axis(near mean: Vector3) -> Vector3 {
        guard mean.norm > 0.25, let direction = mean.normalized else { return Vector3(0, 1, 0) }
        let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].flatMap { [$0, -$0] }
        guard let axis = axes.max(by: { $0.dot(direction) < $1.dot(direction) }) else { return direction }
        return axis.dot(direction) > cos(Double.pi / 6) || mean.norm < 0.85 ? axis : direction
    }

    /// 90 % quantile of the angle from the mean direction. Unit: radians.
    private static func spread(_ directions: [Vector3]) -> Double {
        guard let mean = mean(directions).normalized else { return .pi }
        let cosines = directions.map { $0.dot(mean) }.sorted()
        guard !cosines.isEmpty else { return 0 }
        return acos(min(1, max(-1, cosines[cosines.count / 10])))
    }

    /// Half the range, between the 5 % and 95 % quantiles, of the angles above the best-fit plane. Unit: radians.
    static func elevations(_ directions: [Vector3]) -> Double {
        let mean = mean(directions)
        var moment = Matrix<3, 3>()
        for direction in directions {
            let d = direction - mean
            moment = moment + Matrix(d.x * d, d.y * d, d.z * d)
        }
        guard let vectors = SymmetricEigen(moment)?.vectors, !directions.isEmpty else { return 0 }
        let axis = Vector3(vectors[0, 0], vectors[1, 0], vectors[2, 0])
        let angles = directions.map { asin(min(1, max(-1, $0.dot(axis)))) }.sorted()
        return (angles[angles.count * 19 / 20] - angles[angles.count / 20]) / 2
    }

    /// Largest tilt of a nearly horizontal board; beyond it the mean field carries no information. Unit: radians.
    private static let nearlyHorizontal = 35 * Double.pi / 180
    /// Least norm of the mean direction; it is lower for a horizontal board near the equator.
    private static let clear = 0.4
    /// Sine of the steepest inclination, 82°: closer to the poles the field gives no heading.
    private static let steepest = 0.99
}

/// Scale of rates in an unknown unit, from the rotation of the force.
enum RateScale {
    /// Factor to rad/s; nil without rotation.
    ///
    /// Gravity rotates in the board's axes by −ω×f: the factor is the least-squares fit to the changes of the force.
    static func scale(rates: [MagneticStore.Sample], forces: [MagneticStore.Sample]) -> Double? {
        var (index, product, square) = (0, 0.0, 0.0)
        for (before, after) in zip(forces, forces.dropFirst()) {
            let seconds = after.time - before.time
            let time = before.time + seconds / 2
            while index + 1 < rates.count, rates[index + 1].time <= time { index += 1 }
            guard index < rates.count, seconds < MagnetometerLimits.trackGap,
                (rates[index].time - time).magnitude < MagnetometerLimits.trackGap
            else { continue }
            let turned = -seconds * rates[index].value.cross(0.5 * (before.value + after.value))
            product += turned.dot(after.value - before.value)
            square += turned.squaredNorm
        }
        guard square > 0, product > 0, product.isFinite else { return nil }
        let scale = product / square
        // Usual units: rad/s and degrees per second.
        for usual in [1, Double.pi / 180] where (scale / usual - 1).magnitude < 0.15 { return usual }
        return scale
    }
}
