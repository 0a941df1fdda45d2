import Geometry
import Glibc
import Model

/// Converts fixes to the local frame. The first fix sets the origin.
package struct FixLocalizer: Sendable, Codable {
    /// Tangent plane at the origin; nil before the first fix.
    package private(set) var plane: LocalTangentPlane? { didSet { chart = nil } }
    /// Chart around the point that was last passed to `position(ofENU:)`.
    private var chart: TangentPlaneChart?
    private let model: FieldModel
    private let settings: IntakeSettings
    /// Whether a height is known; until then the height of the plane's origin is 0.
    package private(set) var hasHeight = false
    package private(set) var geoid = ReceiverGeoid()
    private var site: Site?
    /// Position for which the site was computed. Frame: ENU. Unit: metres.
    private var sitePoint = Vector3.zero
    private var siteHasClock = false
    /// UTC of the newest fix whose UTC was plausible; nil before the first such fix. Unit: seconds.
    private var utc: (seconds: Double, epoch: BootTime)? {
        get { utcSeconds.flatMap { seconds in utcEpoch.map { (seconds, $0) } } }
        set { (utcSeconds, utcEpoch) = (newValue?.seconds, newValue?.epoch) }
    }
    private var utcSeconds: Double?
    private var utcEpoch: BootTime?

    /// Distance beyond which the site is recomputed. Within this distance the declination changes by less than 0.1°.
    /// Unit: metres.
    private static let siteRange = 5000.0
    /// Height difference beyond which the site is recomputed. Within this difference gravity changes by less than 1e-3
    /// m/s². Unit: metres.
    private static let siteHeightRange = 300.0

    package init(model: (any GeomagneticModel)?, settings: IntakeSettings = IntakeSettings()) {
        self.model = FieldModel(model: model)
        self.settings = settings
    }

    /// Moves the origin to a point of the local frame. Returns false and changes nothing if the point is not a position
    /// on earth.
    ///
    /// Frame: ENU. Unit: metres.
    package mutating func moveOrigin(to point: Vector3) -> Bool {
        guard let origin = plane?.position(ofENU: point) else { return false }
        plane = LocalTangentPlane(origin: origin)
        sitePoint -= point
        return true
    }

    /// Returns the position on earth of a point in the local frame; nil before the first fix. Frame: ENU. Unit: metres.
    package mutating func position(ofENU point: Vector3) -> GeodeticPosition? {
        if let found = chart?.position(ofENU: point) { return found }
        guard let plane else { return nil }
        chart = TangentPlaneChart(plane, around: point)
        return plane.position(ofENU: point)
    }

    /// Discards UTC, after the clock was set back.
    package mutating func forgetUTC() { utc = nil }

    /// Converts an offer; nil for a camera's odometry, and if the conversion needs a position that is not yet known.
    package mutating func localize(_ aid: AidMeasurement) -> LocalOffer? {
        func offer(_ kind: OfferKind, _ point: Vector3, _ standardDeviation: Double) -> LocalOffer {
            let minimum = kind == .range || kind == .height ? Self.minimumDistance : Self.minimumAngle
            return LocalOffer(
                time: aid.time, source: aid.source, kind: kind, point: point,
                standardDeviation: max(minimum, standardDeviation))
        }
        switch aid.content {
        case .odometry: return nil
        case .position(let position): return localize(position, of: aid)
        case .sighting(let sighting):
            guard let target = localize(sighting.target, at: aid.time) else { return nil }
            var seen = offer(target.kind, target.point, sighting.standardDeviation)
            seen.directionInBody = sighting.directionInBody / sighting.directionInBody.norm
            return seen
        case .range(let range):
            guard let point = plane?.pointENU(of: range.beacon) else { return nil }
            hasHeight = true
            var local = offer(.range, point, range.standardDeviation)
            local.range = range.range
            return local
        case .heading(let heading):
            let known = Vector3(sin(heading.azimuth), cos(heading.azimuth), 0)
            var seen = offer(.heading, known, heading.standardDeviation)
            seen.directionInBody = Vector3(0, 0, -1)
            return seen
        case .height(let height):
            guard let plane, hasHeight else { return nil }
            let z = height.height - plane.origin.ellipsoidalHeight
            return offer(.height, Vector3(0, 0, z), height.standardDeviation)
        }
    }

    private mutating func localize(_ offer: OfferedPosition, of aid: AidMeasurement) -> LocalOffer? {
        let horizontal = offer.horizontalAccuracy / PoseAccuracy.radius68
        let fix = localize(
            GNSSFix(
                epoch: aid.time, arrival: aid.arrival, utcSeconds: nil, position: offer.position,
                hasHeight: offer.hasHeight,
                velocityENU: GNSSFix.VelocityENU(east: nil, north: nil, up: nil),
                positionSigma: GNSSFix.PositionSigma(
                    east: horizontal, north: horizontal, up: offer.verticalAccuracy),
                velocitySigma: nil))
        guard let fix else { return nil }
        var local = LocalOffer(
            time: aid.time, source: aid.source, kind: .place, point: fix.position,
            standardDeviation: fix.positionStandardDeviation.x)
        local.hasHeight = fix.hasHeight
        local.heightStandardDeviation = fix.positionStandardDeviation.z
        local.site = fix.site
        return local
    }

    /// Lower limit of the standard deviation of an offered distance. Unit: metres.
    private static let minimumDistance = 0.02
    /// Lower limit of the standard deviation of an offered direction. Unit: radians.
    private static let minimumAngle = 2e-3

    private func localize(
        _ target: Sighting.Target, at time: BootTime
    ) -> (kind: OfferKind, point: Vector3)? {
        guard let plane else { return nil }
        switch target {
        case .point(let position, _): return (.landmark, plane.pointENU(of: position))
        case .sun(let given):
            guard let utc = given ?? utc.map({ $0.seconds + time.seconds(since: $0.epoch) }),
                let sun = SolarPosition(utcSeconds: utc, at: plane.origin)
            else { return nil }
            return (.direction, Vector3(sin(sun.azimuth), cos(sun.azimuth), 0))
        }
    }

    /// Converts a fix; nil if it is not finite or out of range.
    package mutating func localize(_ fix: GNSSFix) -> LocalFix? {
        guard fix.isInRange else { return nil }
        geoid.learn(fix.geoidSeparation)
        if let seconds = fix.utcSeconds, DecimalYear.of(utcSeconds: seconds) != nil { utc = (seconds, fix.epoch) }
        let plane = self.plane ?? LocalTangentPlane(origin: fix.position)
        let point = plane.pointENU(of: fix.position)
        guard point.isFinite else { return nil }
        if self.plane == nil { self.plane = plane }
        if fix.hasHeight { hasHeight = true }
        let place = updatedSite(fix, at: point)
        return LocalFix(
            time: fix.epoch, position: point, hasHeight: fix.hasHeight,
            positionStandardDeviation: positionStandardDeviation(fix),
            velocity: Self.velocity(fix), hasVerticalVelocity: fix.velocityENU.up != nil,
            velocityStandardDeviation: velocityStandardDeviation(fix),
            antennaInBody: fix.antennaInBody, site: place, reportsVelocityAccuracy: fix.velocitySigma != nil)
    }

    private static func velocity(_ fix: GNSSFix) -> Vector3? {
        guard let east = fix.velocityENU.east, let north = fix.velocityENU.north else { return nil }
        // Network locators report 0 for an unknown velocity.
        guard fix.velocitySigma != nil || east != 0 || north != 0 else { return nil }
        return Vector3(east, north, fix.velocityENU.up ?? 0)
    }

    private func positionStandardDeviation(_ fix: GNSSFix) -> Vector3 {
        let (sigma, minimum) = (fix.positionSigma, settings.minimumPositionStandardDeviation)
        return Vector3(
            max(minimum, sigma.east ?? settings.horizontalStandardDeviation),
            max(minimum, sigma.north ?? settings.horizontalStandardDeviation),
            max(minimum, sigma.up ?? settings.verticalStandardDeviation))
    }

    private func velocityStandardDeviation(_ fix: GNSSFix) -> Double {
        let reported = max(
            settings.minimumVelocityStandardDeviation, fix.velocitySigma ?? settings.velocityStandardDeviation)
        guard fix.velocityENU.up == nil, let velocity = Self.velocity(fix), velocity.norm < settings.courseSpeed else {
            return reported
        }
        return max(reported, settings.slowStandardDeviation)
    }

    private mutating func updatedSite(_ fix: GNSSFix, at point: Vector3) -> Site {
        let year = fix.utcSeconds.flatMap(DecimalYear.of(utcSeconds:))
        let moved = point - sitePoint
        if let site, moved.norm < Self.siteRange, moved.z.magnitude < Self.siteHeightRange, siteHasClock || year == nil
        {
            return site
        }
        let made = site(at: fix.position, decimalYear: year)
        site = made
        sitePoint = point
        siteHasClock = year != nil
        return made
    }

    /// Returns the properties of a location. The magnetic field is computed for a date; pass nil if the date is
    /// unknown.
    package func site(at position: GeodeticPosition, decimalYear: Double?) -> Site {
        let usual = settings.decimalYearWithoutClock
        // The declination must remain known even if the receiver's clock is wrong by decades.
        let field =
            model.model?.field(at: position, decimalYear: decimalYear ?? usual)
            ?? model.model?.field(at: position, decimalYear: usual)
        return Site(position: position, field: field)
    }
}

extension FixLocalizer: CheckedState {
    package mutating func settle() -> Bool { chart.map { $0.plane.origin == plane?.origin } ?? true }
}

/// Model of the magnetic field, which is not part of the saved state.
package struct FieldModel: Unsaved, Sendable {
    package var model: (any GeomagneticModel)?

    package init(model: (any GeomagneticModel)?) { self.model = model }
}
