import Estimation
import Geometry
import Glibc
import Model

/// Starts the estimator with states that an earlier run has learned.
extension Odometry {
    /// Prepares a warm start. Its recent and plausible parts replace the initial state.
    ///
    /// A warm start has an effect only before the first inertial step. It counts as a measurement, so a replay with the
    /// same warm start yields the same poses. Parts that measurements contradict are dropped.
    public mutating func prepare(_ start: WarmStart) {
        guard running == nil else { return }
        prepared = start
    }

    /// How the warm start was used; nil without a warm start, or before the first inertial step.
    public var warmStartReport: WarmStartReport? { warmReport }

    /// Returns a warm start for the next run; nil while too little has been learned.
    public func learned() -> WarmStart? {
        guard let running else { return nil }
        let filter = running.timeline.filter
        guard filter.state.time.seconds(since: running.began) >= Self.learningSeconds, var known = filter.learned()
        else {
            return nil
        }
        known.place = learnedPlace(filter)
        return known
    }

    /// Shortest running time before a warm start can be exported. Unit: seconds.
    private static let learningSeconds = 20.0

    private func learnedPlace(_ filter: ErrorStateKalmanFilter) -> WarmStart.Place? {
        let p = ErrorState.position
        guard filter.gnss.hasPosition, let position = localizer.plane?.position(ofENU: filter.state.position),
            let age = filter.gnss.age(at: filter.state.time)
        else {
            guard var place = running?.trial?.taken.place, filter.site?.isAssumed == true else { return nil }
            let here = filter.state.time.seconds(since: running?.began ?? filter.state.time)
            place.ageSeconds += max(0, warmReport?.ageSeconds ?? 0) + here
            return place
        }
        let standardDeviation = max(filter.standardDeviation(p), filter.standardDeviation(p + 1))
        return WarmStart.Place(
            position: position, horizontalStandardDeviation: standardDeviation, ageSeconds: max(0, age))
    }

    /// Applies the prepared warm start to a new filter.
    mutating func warm(_ filter: inout ErrorStateKalmanFilter) -> WarmStartTrial? {
        guard var start = prepared else { return nil }
        prepared = nil
        var report = WarmStartReport(ageSeconds: start.ageSeconds)
        defer { warmReport = report }
        guard start.isFresh else {
            if start.ageSeconds > 0 { report.tooOld = start.parts } else { report.implausible = start.parts }
            return nil
        }
        report.implausible = start.implausible
        start.remove(report.implausible)
        let taken = filter.adopt(start)
        if let place = taken.place { filter.site = assumedSite(place, start) }
        report.used = taken.parts
        report.tooOld = start.parts.subtracting(taken.parts)
        return WarmStartTrial(taken, at: filter.state.time)
    }

    private func assumedSite(_ place: WarmStart.Place, _ start: WarmStart) -> Site {
        let year = start.moment.flatMap { DecimalYear.of(utcSeconds: $0.utcSeconds) }
        var site = localizer.site(at: place.position, decimalYear: year)
        site.isAssumed = true
        return site
    }

    /// Drops the parts of the warm start that the estimate has contradicted.
    mutating func tryWarmStart() {
        guard let state = running?.timeline.filter.state, let trial = running?.trial else { return }
        var parts = trial.contradicted(by: state)
        if running?.timeline.filter.heading.compassConfirmation == nil { parts.insert(.compass) }
        parts.formIntersection(warmReport?.used ?? [])
        let taken = trial.taken
        guard !parts.isEmpty else { return }
        let initial = settings.initial
        let hardIron = settings.magneticCalibration.hardIronStandardDeviation
        giveUp(parts) { filter in
            if parts.contains(.gyroBias), let bias = taken.gyroBias {
                filter.forget(bias, at: ErrorState.gyroBias, cold: initial.gyroBiasStandardDeviation)
            }
            if parts.contains(.accelerometerBias), let bias = taken.accelerometerBias {
                filter.forget(bias, at: ErrorState.accelerometerBias, cold: initial.accelerometerBiasStandardDeviation)
            }
            if parts.contains(.hardIron), let iron = taken.hardIron {
                let norm = taken.fieldNorm ?? initial.fieldForHardIron
                filter.forget(iron, at: ErrorState.hardIron, cold: hardIron * norm)
            }
        }
    }

    /// Checks the warm start against a magnetic sample before this sample is used. The hard iron must explain the
    /// strength of the field, and the first field must agree with the stored position.
    mutating func tryWarmStart(against sample: MagneticSample) {
        if warmReport?.used.contains(.hardIron) == true,
            running?.trial?.contradicts(sample.field, at: sample.time) == true
        {
            let norm = running?.trial?.taken.fieldNorm
            giveUp([.hardIron, .compass]) { $0.dropHardIron(fieldNorm: norm) }
        }
        guard running?.tracking.lastMagnetic == nil, let site = running?.timeline.filter.site, site.isAssumed,
            let field = site.field, let state = running?.timeline.filter.state
        else { return }
        if !Self.lies(state.rotationENUFromBody * (sample.field - state.hardIron), near: field) {
            // If the field disagrees with the position, the direction of the field may be wrong too.
            giveUp([.place, .compass]) { $0.site = nil }
        }
    }

    /// Whether a field roughly agrees with the model. The comparison is rough because a moving body is badly levelled
    /// and iron is everywhere.
    private static func lies(_ field: Vector3, near model: GeomagneticField) -> Bool {
        let inclination = atan2(-field.z, field.horizontalNorm)
        let norm = model.totalIntensity / 1000
        return (field.norm / norm - 1).magnitude < 0.25 && (inclination - model.inclination).magnitude < 0.35
    }

    /// Checks the stored position against the first fix. The fix must be within `maximumPlaceDistance`.
    mutating func tryWarmStart(against fix: GNSSFix) {
        guard warmReport?.used.contains(.place) == true, let place = running?.trial?.taken.place,
            running?.timeline.filter.site?.isAssumed == true,
            Geodesic(from: place.position, to: fix.position).distance > Self.maximumPlaceDistance
        else { return }
        warmReport?.contradict(.place)
    }

    /// Distance of a journey. Nearly everywhere, the declination changes by less than a degree over this distance.
    /// Unit: metres.
    private static let maximumPlaceDistance = 50_000.0

    private mutating func giveUp(_ parts: WarmStart.Parts, _ change: (inout ErrorStateKalmanFilter) -> Void) {
        warmReport?.contradict(parts)
        // The filter itself has already dropped the compass, and continues its search for the heading.
        guard parts != .compass else { return }
        running?.changeFilter { filter in
            change(&filter)
            if parts.contains(.compass) { filter.heading.dropConfirmation() }
        }
    }
}

/// Checks during the first minutes whether measurements contradict a warm start.
package struct WarmStartTrial: Sendable, Codable {
    /// Warm start that was used, with its initial standard deviations.
    var taken: WarmStart
    private var began: BootTime
    private var lastLook: BootTime
    /// Sum of the squared errors of the field strength after the hard iron is removed, minus the same sum without
    /// removing it. Unit: squared fractions of the field strength.
    private var excess = 0.0

    /// Duration of the check. Unit: seconds.
    private static let length = 300.0
    /// Interval between two checks. Unit: seconds.
    private static let interval = 0.5
    /// Squared Mahalanobis distance, in three dimensions, that one vector in a thousand exceeds by chance.
    private static let gate = 16.3
    /// Tolerance for noise and nearby iron, as a fraction of the field strength.
    private static let strengthMargin = 0.03
    /// Time during which field strengths are compared. Later, a disturbance could decide the comparison by chance.
    /// Unit: seconds.
    private static let strengthSeconds = 10.0

    init(_ taken: WarmStart, at time: BootTime) {
        self.taken = taken
        began = time
        lastLook = time
    }

    mutating func isDue(at time: BootTime) -> Bool {
        guard time.seconds(since: lastLook) >= Self.interval, time.seconds(since: began) <= Self.length else {
            return false
        }
        lastLook = time
        return true
    }

    /// Returns the parts of the warm start from which the estimate now differs by more than their uncertainty.
    func contradicted(by state: NavigationState) -> WarmStart.Parts {
        var parts = WarmStart.Parts()
        if Self.hasLeft(taken.gyroBias, state.gyroBias) { parts.insert(.gyroBias) }
        if Self.hasLeft(taken.accelerometerBias, state.accelerometerBias) { parts.insert(.accelerometerBias) }
        if Self.hasLeft(taken.hardIron, state.hardIron) { parts.insert([.hardIron, .compass]) }
        return parts
    }

    private static func hasLeft(_ estimate: WarmStart.Estimate<Vector3>?, _ value: Vector3) -> Bool {
        guard let estimate else { return false }
        let (moved, standardDeviation) = (value - estimate.value, estimate.standardDeviation)
        let parts = Vector3(moved.x / standardDeviation.x, moved.y / standardDeviation.y, moved.z / standardDeviation.z)
        return parts.squaredNorm > gate
    }

    /// Adds a magnetic sample. Returns whether the field strength fits better if the hard iron is not removed.
    mutating func contradicts(_ field: Vector3, at time: BootTime) -> Bool {
        guard let iron = taken.hardIron, let norm = taken.fieldNorm, time.seconds(since: began) <= Self.strengthSeconds
        else { return false }
        let (warm, cold) = ((field - iron.value).norm / norm - 1, field.norm / norm - 1)
        excess += warm * warm - cold * cold - Self.strengthMargin * Self.strengthMargin
        return excess > 0
    }
}
