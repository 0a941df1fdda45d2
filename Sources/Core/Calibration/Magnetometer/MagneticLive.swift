import Geometry

import Glibc

/// Live figures of a running session. Several times a second, they come from a fit to a few hundred samples.
struct MagneticLive {
    private(set) var ellipsoid: FieldEllipsoid?
    /// Residual of the strength, as a fraction of the field strength.
    private(set) var residual = 0.0
    private(set) var headingError: Double?
    private(set) var tiltError: Double?
    /// Covered directions that the user sees. They include all directions that any fit with a known centre has shown as
    /// covered, so that the coverage only grows.
    private(set) var coverage = SphereCoverage()
    /// Directions that the newest fit shows as covered. The session decides from them whether the coverage suffices.
    private(set) var fittedCoverage = SphereCoverage()
    /// Direction of the newest field; nil until the centre is known.
    private(set) var direction: Vector3?
    private(set) var missing: Vector3?
    private(set) var isDisturbed = false
    private(set) var turnsFast = false

    private var lastSolved = -Double.infinity
    private var lastDirection: (time: Double, direction: Vector3)?
    private var meanResidual = 0.0

    /// Region of a measured field's direction as seen from the centre estimated so far.
    func region(of field: Vector3) -> Int { SphereCoverage.region(of: ellipsoid?.corrected(field) ?? field) }

    /// Processes the newest field of the store.
    mutating func update(_ store: MagneticStore) {
        guard let sample = store.fields.last else { return }
        if sample.time - lastSolved >= MagnetometerLimits.liveInterval {
            lastSolved = sample.time
            solve(store)
        }
        guard let ellipsoid else { return }
        let field = ellipsoid.corrected(sample.value)
        guard let direction = field.normalized else { return }
        if isCentreKnown {
            self.direction = direction
            coverage.insert(direction)
        }
        fittedCoverage.insert(direction)
        watch(sample.time, direction, field.norm - 1)
    }

    /// Detects fast turns and disturbances. A disturbance is a significant mean of the residual over half a second.
    private mutating func watch(_ time: Double, _ direction: Vector3, _ standardDeviation: Double) {
        guard let last = lastDirection else {
            lastDirection = (time, direction)
            return
        }
        let seconds = time - last.time
        let share = min(1, 2 * seconds / MagnetometerLimits.disturbanceWindow)
        if seconds >= 0.1 {
            turnsFast = acos(min(1, max(-1, direction.dot(last.direction)))) > MagnetometerLimits.fastTurn * seconds
            meanResidual += share * (standardDeviation - meanResidual)
            lastDirection = (time, direction)
        }
        let isKnown = headingError ?? .pi < MagnetometerLimits.maximumHeadingError
        isDisturbed =
            isKnown
            && meanResidual.magnitude
                > max(MagnetometerLimits.disturbance * residual / 2, MagnetometerLimits.minimumDisturbance)
    }

    private mutating func solve(_ store: MagneticStore) {
        let some = FieldEllipsoid.evenly(store.fields, MagnetometerLimits.liveSamples).map(\.value)
        guard some.count >= 20 else { return }
        (headingError, tiltError) = (nil, nil)
        var best = FieldEllipsoid(sphere: some)
        if let quadric = FieldEllipsoid(algebraic: some) {
            residual = quadric.medianDistance(some) * 1.4826 / quadric.radius
            predict(quadric, some, share: Double(some.count) / Double(store.fields.count))
            if headingError ?? .pi < Self.clear { best = quadric }
        }
        ellipsoid = best
        cover(some)
    }

    /// Whether the ellipsoid represents the field rather than the noise. Seen from a wrong centre, the directions of an
    /// arc are spread over the whole sphere.
    private var isCentreKnown: Bool { headingError ?? .pi < MagnetometerLimits.maximumHeadingError }

    /// Adds the directions of all fields so far. Most of them arrived before the centre was known.
    private mutating func cover(_ fields: [Vector3]) {
        fittedCoverage = SphereCoverage()
        guard let ellipsoid else { return }
        for field in fields { fittedCoverage.insert(ellipsoid.corrected(field)) }
        guard isCentreKnown else { return }
        for region in 0..<SphereCoverage.regions where fittedCoverage.contains(region: region) {
            coverage.insert(region: region)
        }
        missing = coverage.mostMissing
    }

    /// Predicts the errors of the algebraic fit, from the normal matrix of its geometric residuals.
    private mutating func predict(_ ellipsoid: FieldEllipsoid, _ fields: [Vector3], share: Double) {
        guard let unit = SymmetricEigen(ellipsoid.shape).map({ 1 / $0.values[1] }) else { return }
        let shape = unit * ellipsoid.shape
        var normal = Matrix<9, 9>()
        var directions: [Vector3] = []
        for field in fields {
            let difference = (field - ellipsoid.centre) / unit
            guard let direction = (shape * difference).normalized else { continue }
            directions.append(direction)
            let row = MagneticParameters.symmetric.derivative(byField: direction, at: difference, shape)
            for i in 0..<9 { for j in 0...i { normal[i, j] += row[i] * row[j] } }
        }
        guard let inverse = Cholesky(normal)?.solve(.diagonalOnes as Matrix<9, 9>) else { return }
        let variance = max(residual, Self.minimumResidual) * max(residual, Self.minimumResidual) * share
        let covariance = MagneticParameters.symmetric.covariance { variance * inverse[$0, $1] }
        let (vertical, inclination) = BoardPose.guess(directions, tilt: BoardPose.elevations(directions))
        let prediction = HeadingPrediction(
            correction: shape, covariance: covariance, vertical: vertical, inclination: inclination)
        (headingError, tiltError) = (prediction.heading, prediction.tilt)
    }

    /// Heading error above which noise dominates the ellipsoid, so that the sphere is used instead. Unit: radians.
    private static let clear = 10 * Double.pi / 180
    /// Lower bound of the residual, as a fraction of the field strength.
    private static let minimumResidual = 0.002
}

extension SphereCoverage {
    /// Centre of the region farthest from all covered regions; nil if all regions are covered.
    var mostMissing: Vector3? {
        let covered = Self.centres.indices.filter(contains(region:)).map { Self.centres[$0] }
        var best: (Vector3, Double)?
        for region in Self.centres.indices where !contains(region: region) {
            let nearest = covered.reduce(-1) { max($0, Self.centres[region].dot($1)) }
            if nearest < best?.1 ?? .infinity { best = (Self.centres[region], nearest) }
        }
        return best?.0
    }
}
