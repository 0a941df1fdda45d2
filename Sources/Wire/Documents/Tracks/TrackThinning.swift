import Model

/// Thins out points to a rate: keeps the point nearest to each multiple of the period since the first point.
///
/// For a receiver with one fix a second, whose epochs jitter by milliseconds, every fix is thus kept at 1 Hz.
struct TrackThinning {
    /// Points per second; nil for all points.
    private let rate: Double?
    private var start: BootTime?
    private var candidate: (point: TrackSample, slot: Double, distance: Double)?

    init(rate: Double?) { self.rate = rate }

    /// Takes a point; returns the earlier point that is kept, as soon as that is certain.
    mutating func take(_ point: TrackSample) -> TrackSample? {
        guard let rate else { return point }
        let elapsed = point.time.seconds(since: start ?? point.time) * rate
        let slot = elapsed.rounded()
        let distance = (elapsed - slot).magnitude
        guard let held = candidate else {
            start = start ?? point.time
            candidate = (point, slot, distance)
            return nil
        }
        if slot < held.slot {
            // The clock was set back, as after a restart of the computer, so the grid starts anew.
            start = point.time
            candidate = (point, 0, 0)
            return held.point
        }
        if slot == held.slot {
            if distance < held.distance { candidate = (point, slot, distance) }
            return nil
        }
        candidate = (point, slot, distance)
        return held.point
    }

    /// The point that is still held.
    mutating func finish() -> TrackSample? {
        defer { candidate = nil }
        return candidate?.point
    }
}
