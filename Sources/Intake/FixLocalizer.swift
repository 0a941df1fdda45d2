import Estimation
import Geodesy
import Geometry
import Model
import State

/// Conversion of fixes to the local frame, whose origin the first fix sets.
package struct FixLocalizer: Sendable, Codable {
    /// Tangent plane at the origin; nil before the first fix.
    package private(set) var plane: LocalTangentPlane? { didSet { chart = nil } }
    /// Chart around the last point of `position(ofENU:)`.
    private var chart: TangentPlaneChart?
    private let model: FieldModel
    private let settings: IntakeSettings
    /// Reference surface of the plane's heights; nil before the first height.
    package private(set) var heightKind: GNSSFix.HeightKind?
    /// Height of mean sea level above the ellipsoid, as last reported by a receiver. Unit: metres.
    package private(set) var geoidSeparation: Double?
    private var site: Site?
    /// Position for which the site was computed. Frame: ENU. Unit: metres.
    private var sitePoint = Vector3.zero
    private var siteHasClock = false

    /// Distance beyond which the site is computed again: the declination changes by less than 0.1° over it.
    /// Unit: metres.
    private static let siteRange = 5000.0
    /// Height difference beyond which the site is computed again: gravity changes by less than 1e-3 m/s² over it.
    /// Unit: metres.
    private static let siteHeightRange = 300.0

    /// Makes a localizer without an origin.
    package init(model: (any GeomagneticModel)?, settings: IntakeSettings = IntakeSettings()) {
        self.model = FieldModel(model: model)
        self.settings = settings
    }

    /// Moves the origin to a point of the local frame; false, without any change, for a point that is nowhere on earth.
    ///
    /// Frame: ENU. Unit: metres.
    package mutating func moveOrigin(to point: Vector3) -> Bool {
        guard let origin = plane?.position(ofENU: point) else { return false }
        plane = LocalTangentPlane(origin: origin)
        sitePoint -= point
        return true
    }

    /// Position on earth of a point of the local frame; nil before the first fix. Frame: ENU. Unit: metres.
    package mutating func position(ofENU point: Vector3) -> GeodeticPosition? {
        if let found = chart?.position(ofENU: point) { return found }
        guard let plane else { return nil }
        chart = TangentPlaneChart(plane, around: point)
        return plane.position(ofENU: point)
    }

    /// Converts a fix; nil for one that is not finite or out of range.
    package mutating func localize(_ measured: GNSSFix) -> LocalFix? {
        guard measured.isInRange else { return nil }
        learnSeparation(measured)
        let fix = aboveEllipsoid(measured)
        let plane = self.plane ?? LocalTangentPlane(origin: fix.position)
        let point = plane.pointENU(of: fix.position)
        guard point.isFinite else { return nil }
        if self.plane == nil { self.plane = plane }
        if heightKind == nil, fix.heightKind != .unknown { heightKind = fix.heightKind }
        let place = updatedSite(fix, at: point)
        return LocalFix(
            time: fix.epoch, position: point, hasHeight: fix.heightKind != .unknown && fix.heightKind == heightKind,
            positionStandardDeviation: positionStandardDeviation(fix),
            velocity: Self.velocity(fix), hasVerticalVelocity: fix.velocityENU.up != nil,
            velocityStandardDeviation: velocityStandardDeviation(fix),
            antennaInBody: fix.antennaInBody, site: place, reportsVelocityAccuracy: fix.velocitySigma != nil)
    }

    /// Learns the geoid separation. Heights above mean sea level are converted to ellipsoidal ones: the plane is
    /// raised, and coordinates relative to its origin stay.
    private mutating func learnSeparation(_ fix: GNSSFix) {
        guard let separation = fix.geoidSeparation, separation.magnitude <= MeasurementRange.geoidSeparation else {
            return
        }
        geoidSeparation = separation
        guard heightKind == .meanSeaLevel, let origin = plane?.origin else { return }
        var raised = origin
        raised.ellipsoidalHeight += separation
        plane = LocalTangentPlane(origin: raised)
        heightKind = .ellipsoidal
    }

    /// Converts a height above mean sea level to an ellipsoidal one, if the separation is known.
    private func aboveEllipsoid(_ fix: GNSSFix) -> GNSSFix {
        guard fix.heightKind == .meanSeaLevel, let geoidSeparation else { return fix }
        var raised = fix
        raised.position.ellipsoidalHeight += geoidSeparation
        raised.heightKind = .ellipsoidal
        return raised
    }

    private static func velocity(_ fix: GNSSFix) -> Vector3? {
        guard let east = fix.velocityENU.east, let north = fix.velocityENU.north else { return nil }
        // Network locators report 0 for an unknown velocity.
        guard fix.velocitySigma != nil || east != 0 || north != 0 else { return nil }
        return Vector3(east, north, fix.velocityENU.up ?? 0)
    }

    private func positionStandardDeviation(_ fix: GNSSFix) -> Vector3 {
        let (sigma, least) = (fix.positionSigma, settings.leastPositionStandardDeviation)
        return Vector3(
            max(least, sigma.east ?? settings.horizontalStandardDeviation),
            max(least, sigma.north ?? settings.horizontalStandardDeviation),
            max(least, sigma.up ?? settings.verticalStandardDeviation))
    }

    private func velocityStandardDeviation(_ fix: GNSSFix) -> Double {
        let reported = max(
            settings.leastVelocityStandardDeviation, fix.velocitySigma ?? settings.velocityStandardDeviation)
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
        let usual = settings.decimalYearWithoutClock
        // A receiver whose clock is decades off must not remove the declination.
        let field =
            model.model?.field(at: fix.position, decimalYear: year ?? usual)
            ?? model.model?.field(at: fix.position, decimalYear: usual)
        let made = Site(position: fix.position, field: field)
        site = made
        sitePoint = point
        siteHasClock = year != nil
        return made
    }
}

extension FixLocalizer: CheckedState {
    package mutating func settle() -> Bool { chart.map { $0.plane.origin == plane?.origin } ?? true }
}

/// Model of the magnetic field, which is no part of the state.
package struct FieldModel: Unsaved, Sendable {
    package var model: (any GeomagneticModel)?

    package init(model: (any GeomagneticModel)?) { self.model = model }
}
