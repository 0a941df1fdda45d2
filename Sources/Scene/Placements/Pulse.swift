import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Periodic change of a mark that draws attention, synchronous on all displays.
///
/// With the phase φ in [0, 1), which is 0 at the epoch, the wave is the smooth `w = sin²(πφ)`: from 0 to 1 at half a
/// period and back. Opacity is `1 + w·(opacity − 1)`, scale is `1 + w·(scale − 1)`.
public struct Pulse: Hashable, Sendable {
    /// Time at which the phase is 0.
    public var epoch: BootTime
    /// Period. Unit: seconds.
    public var period: Double
    /// Opacity at half a period; it is 1 at the epoch.
    public var opacity: Double
    /// Scale at half a period; it is 1 at the epoch.
    public var scale: Double

    /// Pulse with the given properties; period in seconds.
    public init(epoch: BootTime, period: Double, opacity: Double, scale: Double) {
        self.epoch = epoch
        self.period = period
        self.opacity = opacity
        self.scale = scale
    }

    /// Pulse by the settings.
    public init(epoch: BootTime, settings: SceneSettings.Placements) {
        self.init(
            epoch: epoch, period: settings.pulseSeconds, opacity: settings.pulseOpacity, scale: settings.pulseScale)
    }

    /// Phase in [0, 1), also before the epoch; 0 without a period.
    public func phase(at time: BootTime) -> Double {
        // In integer nanoseconds, which are as accurate after a year as after a second.
        guard let length = BootTime(seconds: period)?.nanoseconds, length > 0 else { return 0 }
        let (elapsed, overflow) = time.nanoseconds.subtractingReportingOverflow(epoch.nanoseconds)
        guard !overflow else { return 0 }
        let rest = elapsed % length
        return Double(rest < 0 ? rest + length : rest) / Double(length)
    }

    /// Opacity at a time.
    public func opacity(at time: BootTime) -> Double { 1 + wave(at: time) * (opacity - 1) }

    /// Scale at a time.
    public func scale(at time: BootTime) -> Double { 1 + wave(at: time) * (scale - 1) }

    private func wave(at time: BootTime) -> Double {
        let sine = sin(.pi * phase(at: time))
        return sine * sine
    }
}
