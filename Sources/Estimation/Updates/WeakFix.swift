import Geometry
import Model

/// Positions as networks tell them: far off, rare, without a velocity. They say where the body is, and nothing of how it
/// moves or is held.
extension ErrorStateKalmanFilter {
    /// Whether a fix tells too little of the motion to correct more than the position.
    @inline(__always)
    func isWeak(_ fix: LocalFix) -> Bool {
        guard fix.velocity == nil else { return false }
        if max(fix.positionDeviation.x, fix.positionDeviation.y) > settings.gnss.weakDeviation { return true }
        return gnss.lastPosition.map { fix.time.seconds(since: $0) > settings.gnss.weakInterval } ?? false
    }

    /// Moves the position alone, and whatever is assumed of the place along with it.
    mutating func applyWeak(_ fix: LocalFix) {
        gnss.errorDeviation = fix.positionDeviation * settings.gnss.correlatedShare
        if !gnss.hasPosition { beginPosition(fix.position, antennaInBody: fix.antennaInBody) }
        loosenPlace(at: fix)
        let outcome = correct(by: fix.position, fix, mask: Self.placeMask)
        let verdict = gnss.notePosition(
            outcome, distance: nil, error: state.gnssError, at: fix.time, settings: settings.gnss)
        if verdict == .reset {
            beginPosition(fix.position, antennaInBody: fix.antennaInBody)
            correct(by: fix.position, fix, mask: Self.placeMask)
        }
        gnss.note(fix, settings: settings.gnss)
        if unaided.isActive { unaided.follow(state.position, at: state.time) }
    }

    private static let placeMask: GainMask = [.position, .gnssError]

    /// What was assumed of the place since the last fix is no knowledge.
    private mutating func loosenPlace(at fix: LocalFix) {
        let interval = gnss.lastPosition.map { fix.time.seconds(since: $0) } ?? 0
        let away = settings.unaided.weakSpeed * interval
        releaseAnchor()
        for i in ErrorState.position..<(ErrorState.position + 3) { covariance[i, i] += away * away }
    }
}
