import Model

/// Thins out points to a rate. For each multiple of the period since the first point, it keeps the nearest point.
///
/// At 1 Hz, this keeps every fix of a receiver that reports one per second with milliseconds of jitter.
struct TrackThinning {
    /// Points per second; nil for all points.
    private let rate: Double?
    private var start: BootTime?
    private var candidate: (point: TrackSample, slot: Double, distance: Double)?

    init(rate: Double?) { self.rate = rate }

    /// Takes the next point. Returns an earlier point as soon as it is certain that it is kept.
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
            // The clock was set back, for example by a restart of the computer, so the grid starts anew.
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

    /// Returns the last kept point, if it has not been returned yet.
    mutating func finish() -> TrackSample? {
        defer { candidate = nil }
        return candidate?.point
    }
}
