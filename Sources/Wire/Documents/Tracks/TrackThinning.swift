import Model

/// Thins points out to a rate: of those around each multiple of its period, counted from the first point, the nearest.
///
/// So a receiver of one fix a second, whose epochs waver by milliseconds, keeps each of its fixes at 1 Hz.
struct TrackThinning {
    /// Points a second; nil for all.
    private let rate: Double?
    private var start: BootTime?
    private var candidate: (point: TrackSample, slot: Double, distance: Double)?

    init(rate: Double?) { self.rate = rate }

    /// Takes a point, and returns the one that is kept of those before it, if that is certain now.
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
            // The clock went back, as when the computer was started again: the grid begins again.
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
