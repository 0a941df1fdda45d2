import Model

#if canImport(Glibc)
    import Glibc
#endif

/// The breathing of a mark that is to be noticed, in step on every display.
///
/// With the phase φ in [0, 1), which is 0 at the epoch, the wave is `w = sin²(πφ)`: from 0 to 1 at half a period and back,
/// without a corner. Opacity is `1 + w·(opacity − 1)`, scale is `1 + w·(scale − 1)`.
public struct Pulse: Hashable, Sendable {
    public var epoch: BootTime
    /// Unit: seconds.
    public var period: Double
    /// To which it goes; it begins at 1.
    public var opacity: Double
    /// To which it goes; it begins at 1.
    public var scale: Double

    public init(epoch: BootTime, period: Double, opacity: Double, scale: Double) {
        self.epoch = epoch
        self.period = period
        self.opacity = opacity
        self.scale = scale
    }

    public init(epoch: BootTime, settings: SceneSettings.Placements) {
        self.init(
            epoch: epoch, period: settings.pulseSeconds, opacity: settings.pulseOpacity, scale: settings.pulseScale)
    }

    /// In [0, 1), before the epoch too; 0 without a period.
    public func phase(at time: BootTime) -> Double {
        // In whole nanoseconds, which are as exact after a year as after a second.
        guard let length = BootTime(seconds: period)?.nanoseconds, length > 0 else { return 0 }
        let (elapsed, overflow) = time.nanoseconds.subtractingReportingOverflow(epoch.nanoseconds)
        guard !overflow else { return 0 }
        let rest = elapsed % length
        return Double(rest < 0 ? rest + length : rest) / Double(length)
    }

    public func opacity(at time: BootTime) -> Double { 1 + wave(at: time) * (opacity - 1) }

    public func scale(at time: BootTime) -> Double { 1 + wave(at: time) * (scale - 1) }

    private func wave(at time: BootTime) -> Double {
        let sine = sin(.pi * phase(at: time))
        return sine * sine
    }
}
