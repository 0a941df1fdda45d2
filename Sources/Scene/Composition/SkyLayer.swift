import Geodesy
import Measurements

/// Sun of a scene, recomputed every few seconds.
struct SkyLayer {
    private var known: Sun?
    private var lastUpdate: BootTime?

    /// Interval in which the sun moves by a twenty-fifth of a degree. Unit: seconds.
    private static let interval = 10.0

    /// Sun at a moment; nil while position or UTC are unknown.
    mutating func sun(at moment: SceneMoment) -> Sun? {
        guard let position = moment.viewpoint?.position, let utc = moment.utcSeconds else { return nil }
        let now = moment.pose.time
        if let lastUpdate, known != nil, (0..<Self.interval).contains(now.seconds(since: lastUpdate)) { return known }
        lastUpdate = now
        known = SolarPosition(utcSeconds: utc, at: position).map { [known] sun in
            Sun(
                elevation: sun.elevation, azimuth: sun.azimuth,
                daylight: Daylight.of(elevation: sun.elevation, before: known?.daylight))
        }
        return known
    }
}
