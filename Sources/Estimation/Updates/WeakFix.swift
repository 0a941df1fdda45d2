import Geometry
import Measurements

/// Update by a weak fix, as by mobile networks: inaccurate, rare and without a velocity. It determines the position,
/// but neither motion nor attitude.
extension ErrorStateKalmanFilter {
    /// Whether a fix may correct the position only.
    @inline(__always)
    func isWeak(_ fix: LocalFix) -> Bool {
        guard fix.velocity == nil else { return false }
        if max(fix.positionDeviation.x, fix.positionDeviation.y) > settings.gnss.weakDeviation { return true }
        return gnss.lastPosition.map { fix.time.seconds(since: $0) > settings.gnss.weakInterval } ?? false
    }

    /// Corrects the position alone, and moves the anchor of the mode without satellites.
    mutating func applyWeak(_ fix: LocalFix) {
        gnss.errorDeviation = fix.positionDeviation * settings.gnss.correlatedShare
        if !gnss.hasPosition { beginPosition(fix.position, antennaInBody: fix.antennaInBody) }
        inflatePosition(at: fix)
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

    /// Inflates the position covariance: that the wearer stayed since the last fix was only assumed.
    private mutating func inflatePosition(at fix: LocalFix) {
        let interval = gnss.lastPosition.map { fix.time.seconds(since: $0) } ?? 0
        let away = settings.unaided.weakSpeed * interval
        releaseAnchor()
        for i in ErrorState.position..<(ErrorState.position + 3) { covariance[i, i] += away * away }
    }
}
