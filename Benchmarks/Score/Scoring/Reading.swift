import Geometry

/// Figure by which a track is scored.
package enum Reading: String, CaseIterable, Hashable, Sendable {
    /// Root mean square of the horizontal error outside of outages. Unit: metres.
    case horizontal = "horizontal_m"
    /// Share of that time in which the position is within the published 68 % radius.
    case withinRadius = "within_radius"
    /// Root mean square of the error of the height outside of outages. Unit: metres.
    case height = "height_m"
    /// Share of that time in which the height is within its published accuracy.
    case heightWithin = "height_within"
    /// Root mean square of the yaw error. Unit: degrees.
    case yaw = "yaw_deg"
    /// Share of the time in which the yaw is within its published accuracy.
    case yawWithin = "yaw_within"
    /// Mean horizontal error at the end of outages. Unit: metres.
    case outageEnd = "outage_end_m"
    /// Largest horizontal error at the end of outages, in published radii.
    case outageEndRadii = "outage_end_radii"
    /// Mean growth of the position error over an outage, in per cent of the distance travelled in it.
    case reckoned = "reckoned_percent"
    /// Longest time with a yaw off by more than three published standard deviations and 3 degrees. Unit: seconds.
    case yawWrong = "yaw_wrong_s"
    /// Longest time with a position off by more than three published radii and 3 m. Unit: seconds.
    case farWrong = "far_wrong_s"
    /// Longest time with a speed of 3 m/s above any that there was. Unit: seconds.
    case runsAway = "runs_away_s"
    /// Longest time with a vertical off by more than 3 degrees. Unit: seconds.
    case tilted = "tilted_s"
    /// Longest time with a radius over 10 m and over twelve times the error: the opposite lie. Unit: seconds.
    case wide = "wide_s"

    /// Whether the reading is a longest time, of which the worst walk counts beside the mean.
    package var isSpell: Bool { rawValue.hasSuffix("_s") }

    /// Whether the reading is a share of time, whose right value is that of the accuracies, 0.68.
    package var isShare: Bool { rawValue.contains("within") }
}

/// Readings of one track; a reading that the track does not have is absent.
package typealias Readings = [Reading: Double]

extension Track {
    /// Time at the beginning that is not scored: heading and position are still being found. Unit: seconds.
    package static let skippedSeconds = 45.0
    /// Time after an outage that still belongs to it. Unit: seconds.
    private static let returnSeconds = 3.0
    /// Least distance of an outage of which a share is meaningful. Unit: metres.
    private static let minimumDistance = 10.0
    private static let minimumYawError = 3.0
    private static let minimumError = 3.0
    private static let excessSpeed = 3.0
    private static let maximumTilt = 3.0
    private static let wideRadius = 10.0
    private static let wideFactor = 12.0

    /// All readings of the track.
    package var readings: Readings {
        var found: Readings = [:]
        let late = points.filter { $0.seconds >= Self.skippedSeconds }
        let aided = late.filter { point in
            !outages.contains { $0.lowerBound <= point.seconds && point.seconds <= $0.upperBound + Self.returnSeconds }
        }
        let errors = aided.compactMap { $0.error?.norm }
        found[.horizontal] = Self.rootMeanSquare(errors)
        found[.withinRadius] = Self.share(aided, { $0.error?.norm }, within: { $0.radius })
        found[.height] = Self.rootMeanSquare(aided.compactMap(\.heightError))
        found[.heightWithin] = Self.share(aided, { $0.heightError }, within: { $0.heightAccuracy })
        found[.yaw] = Self.rootMeanSquare(late.compactMap { $0.yawAccuracy == nil ? nil : $0.yawError })
        found[.yawWithin] = Self.share(late, { $0.yawError }, within: { $0.yawAccuracy })
        readOutages(&found)
        readSpells(late, &found)
        return found
    }

    private func readOutages(_ found: inout Readings) {
        var (ends, radii, shares) = ([Double](), [Double](), [Double]())
        for outage in outages {
            guard let first = points.last(where: { $0.seconds <= outage.lowerBound }),
                let last = points.last(where: { $0.seconds <= outage.upperBound }), first.seconds < last.seconds,
                let end = last.error
            else { continue }
            ends.append(end.norm)
            if let radius = last.radius, radius > 0 { radii.append(end.norm / radius) }
            let distance = last.distance - first.distance
            if let begin = first.error, distance >= Self.minimumDistance {
                shares.append(100 * (end - begin).norm / distance)
            }
        }
        found[.outageEnd] = Spread(ends)?.mean
        found[.outageEndRadii] = radii.max()
        found[.reckoned] = Spread(shares)?.mean
    }

    private func readSpells(_ late: [TrackPoint], _ found: inout Readings) {
        found[.yawWrong] = longestSpell(late) { point in
            guard let error = point.yawError, let accuracy = point.yawAccuracy else { return false }
            return error.magnitude > max(3 * accuracy, Self.minimumYawError)
        }
        found[.farWrong] = longestSpell(late) { point in
            guard let error = point.error?.norm, let radius = point.radius else { return false }
            return error > max(3 * radius, Self.minimumError)
        }
        found[.runsAway] = longestSpell(late) { $0.speed.map { $0 > fastest + Self.excessSpeed } ?? false }
        found[.tilted] = longestSpell(late) { $0.tilt.map { $0 > Self.maximumTilt } ?? false }
        found[.wide] = longestSpell(late) { point in
            guard let error = point.error?.norm, let radius = point.radius else { return false }
            return radius > max(Self.wideFactor * error, Self.wideRadius)
        }
    }

    private static func rootMeanSquare(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        return (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    }

    /// Share of the points with both figures whose error is within the accuracy.
    private static func share(
        _ points: [TrackPoint], _ error: (TrackPoint) -> Double?, within accuracy: (TrackPoint) -> Double?
    ) -> Double? {
        var (inside, count) = (0, 0)
        for point in points {
            guard let error = error(point), let accuracy = accuracy(point) else { continue }
            count += 1
            if error.magnitude <= accuracy { inside += 1 }
        }
        return count == 0 ? nil : Double(inside) / Double(count)
    }
}

/// Longest time for which successive points are all wrong, from the first of them to the last. Unit: seconds.
package func longestSpell(_ points: [TrackPoint], _ isWrong: (TrackPoint) -> Bool) -> Double {
    var longest = 0.0
    var since: Double?
    for point in points {
        guard isWrong(point) else {
            since = nil
            continue
        }
        let start = since ?? point.seconds
        since = start
        longest = max(longest, point.seconds - start)
    }
    return longest
}
