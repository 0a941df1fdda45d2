import Geometry
import Glibc
import Model

/// Converts an epoch from gpsd to a fix in boot time with standard deviations.
package struct FixConversion {
    /// Standard deviation per axis divided by gpsd's error, for errors along one axis and for circular errors.
    private let sigmaOfLinearError: Double
    private let sigmaOfCircularError: Double
    private let latencyNanoseconds: Int64
    private let antennaInBody: Vector3

    /// Longest plausible age of a fix on arrival. It is three times the latency of slow receivers, and less than the 2
    /// s up to which the estimator accepts fixes. If a fix appears older, the clocks are wrong.
    package static let maximumLatencyNanoseconds: Int64 = 1_500_000_000

    /// Derives the conversion factors.
    ///
    /// - Parameters:
    ///   - errorConfidence: probability that the true value lies within gpsd's errors, between 0 and 1.
    ///   - latencySeconds: typical time from a fix's epoch to its arrival, used if the clocks do not determine it.
    ///   - antennaInBody: lever arm from the inertial sensor to the antenna. Frame: body. Unit: metres.
    package init(errorConfidence: Double, latencySeconds: Double, antennaInBody: Vector3 = .zero) {
        sigmaOfLinearError = 1 / Self.normalQuantile(twoSided: errorConfidence)
        // The radius that contains a share c of a two-dimensional normal distribution is σ·√(−2 ln(1 − c)).
        sigmaOfCircularError = 1 / (-2 * log1p(-errorConfidence)).squareRoot()
        latencyNanoseconds = Int64(latencySeconds * 1e9)
        self.antennaInBody = antennaInBody
    }

    /// Converts an epoch to a fix.
    ///
    /// - Parameters:
    ///   - realtimeOffset: offset from boot time to UTC by the system clock. Unit: ns.
    ///   - latency: time from an epoch without a time to its arrival; nil for the configured one. Unit: ns.
    ///   - uncertainty: standard deviations that the timestamp of an epoch without a time adds.
    ///   - known: geoid that the receiver reported before.
    /// - Returns: the fix, and whether its time comes from the system clock; nil for an epoch without position.
    package func fix(
        _ epoch: EpochAssembler.Epoch, realtimeOffset: Int64, latency: Int64? = nil,
        uncertainty: ArrivalStamp.Uncertainty? = nil, geoid known: ReceiverGeoid = ReceiverGeoid()
    ) -> (fix: GNSSFix, isClockUsed: Bool)? {
        guard let place = epoch.fix.position else { return nil }
        var geoid = known
        geoid.learn(place.separation)
        guard let position = place.geodetic(geoid) else { return nil }
        let instant = epoch.time.flatMap {
            bootTime(ofUTC: $0, arrival: epoch.arrival, realtimeOffset: realtimeOffset)
        }
        var fix = GNSSFix(
            epoch: BootTime(nanoseconds: instant ?? epoch.arrival - (latency ?? latencyNanoseconds)),
            arrival: BootTime(nanoseconds: epoch.arrival), utcSeconds: epoch.time.map { Double($0) * 1e-9 },
            position: position, hasHeight: place.hasHeight,
            velocityENU: .init(east: epoch.fix.east, north: epoch.fix.north, up: epoch.fix.up),
            positionSigma: positionSigma(epoch), velocitySigma: epoch.fix.velocityError,
            antennaInBody: antennaInBody, geoidSeparation: place.separation)
        if let uncertainty { fix.widen(by: uncertainty) }
        return (fix, instant != nil)
    }

    /// Boot time (ns) of the epoch according to the system clock; nil if that clock is not set.
    ///
    /// The receiver's time is UTC, which the system clock relates to boot time. If the system clock is set, fixes
    /// appear some tenths of a second old on arrival. If they appear to be seconds old or in the future, the clock is
    /// not set, and the arrival time minus a typical latency is more accurate.
    private func bootTime(ofUTC time: Int64, arrival: Int64, realtimeOffset: Int64) -> Int64? {
        let (instant, overflow) = time.subtractingReportingOverflow(realtimeOffset)
        guard !overflow, (0...Self.maximumLatencyNanoseconds).contains(arrival &- instant) else { return nil }
        return instant
    }

    /// Accuracy that the receiver reports, or else the usual accuracy of the solution type, or else gpsd's estimate. A
    /// height that the receiver holds is very uncertain.
    private func positionSigma(_ epoch: EpochAssembler.Epoch) -> GNSSFix.PositionSigma {
        let fix = epoch.fix
        var sigma =
            ownSigma(epoch) ?? RTKAccuracy.usual(fix.solution, estimatedError: fix.horizontalError) ?? errorSigma(fix)
        if fix.isHeightHeld { sigma.up = max(sigma.up ?? 0, Self.heldHeightSigma) }
        return sigma
    }

    /// Standard deviation of the height of a two-dimensional fix. The receiver holds the height of its last
    /// three-dimensional fix, or a height that was typed in. Heights within a town differ by some ten metres. Unit:
    /// metres.
    package static let heldHeightSigma = 50.0

    /// Accuracy that the receiver reports: the standard deviations of GST, or else its errors, or else its spatial
    /// error; nil if it reports none of these.
    private func ownSigma(_ epoch: EpochAssembler.Epoch) -> GNSSFix.PositionSigma? {
        let fix = epoch.fix
        if let sigmas = epoch.sigmas {
            return .init(
                east: sigmas.east, north: sigmas.north,
                up: sigmas.up ?? fix.verticalError.map { $0 * sigmaOfLinearError })
        }
        let hasError = fix.horizontalError != nil || fix.eastError != nil
        if hasError, !epoch.isErrorEstimated { return errorSigma(fix) }
        // No component of a spatial error exceeds the error itself; each horizontal axis has half of the horizontal
        // variance.
        return fix.positionError.map { .init(east: $0 / 2.0.squareRoot(), north: $0 / 2.0.squareRoot(), up: $0) }
    }

    /// Accuracy from the receiver's errors. The circular error is preferred to the errors along the axes, because
    /// receivers with a binary protocol report it, and gpsd then derives the others from the satellite geometry.
    private func errorSigma(_ fix: GPSDReport.FixReport) -> GNSSFix.PositionSigma {
        let vertical = fix.verticalError.map { $0 * sigmaOfLinearError }
        if let circular = fix.horizontalError.map({ $0 * sigmaOfCircularError }) {
            return .init(east: circular, north: circular, up: vertical)
        }
        return .init(
            east: fix.eastError.map { $0 * sigmaOfLinearError }, north: fix.northError.map { $0 * sigmaOfLinearError },
            up: vertical)
    }

    /// Quantile z for which a standard normal variable lies within ±z with probability `confidence`, by bisection.
    private static func normalQuantile(twoSided confidence: Double) -> Double {
        precondition(confidence > 0 && confidence < 1)
        var low = 0.0
        var high = 10.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if erf(middle / 2.0.squareRoot()) < confidence { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}

extension GPSDReport.Position {
    var hasHeight: Bool { ellipsoidalHeight != nil || seaLevelHeight != nil }

    /// Height of mean sea level above the ellipsoid, as reported or as the difference of the two heights. Unit: metres.
    var separation: Double? {
        if let geoidSeparation { return geoidSeparation }
        guard let ellipsoidalHeight, let seaLevelHeight else { return nil }
        return ellipsoidalHeight - seaLevelHeight
    }

    /// The position with its ellipsoidal height, or else with a height computed from the geoid, or else with 0; nil if
    /// the position is invalid.
    func geodetic(_ geoid: ReceiverGeoid) -> GeodeticPosition? {
        let position = GeodeticPosition(
            latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees,
            ellipsoidalHeight: ellipsoidalHeight ?? seaLevelHeight ?? 0)
        guard var position else { return nil }
        if ellipsoidalHeight == nil, hasHeight { position.ellipsoidalHeight += geoid.separation(at: position) }
        return position
    }
}

extension GNSSFix {
    /// Standard deviation that the estimator assumes if the receiver reports none. The uncertainty of a fix without a
    /// time is added to it, because that fix would otherwise count as better than a fix with a time. Unit: metres.
    private static let usualPositionSigma = 5.0

    fileprivate mutating func widen(by uncertainty: ArrivalStamp.Uncertainty) {
        func sum(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
        positionSigma.east = sum(positionSigma.east ?? Self.usualPositionSigma, uncertainty.position)
        positionSigma.north = sum(positionSigma.north ?? Self.usualPositionSigma, uncertainty.position)
        // If there is no standard deviation, the estimator determines it from the consistency of velocities and motion.
        velocitySigma = velocitySigma.map { sum($0, uncertainty.velocity) }
    }
}
