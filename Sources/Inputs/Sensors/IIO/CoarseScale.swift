/// Scales that the kernel prints with too few digits. It prints nine decimals and truncates the rest, so that the
/// 6.66e-9 rad/s of an ADIS16505-2 become 0.000000006, which is a tenth too small (shown in Linux's
/// Documentation/iio/adis16475.rst).
enum CoarseScale {
    /// Largest scale, in units of 1e-9, that the truncation may change by 5 % or more.
    private static let maximumUnits = 20.0

    /// Warning about the first scale that is printed with too few digits; nil if every scale has enough.
    static func warning(_ decoders: [SensorDecoder]) -> String? {
        for decoder in decoders {
            for (name, axis) in zip(decoder.kind.channelNames, decoder.axes) {
                guard let error = largestError(of: axis.scale) else { continue }
                return "the kernel prints too few digits of the scale of \(name): values may be \(error) % too small"
            }
        }
        return nil
    }

    /// Relative error that a truncated scale may have, in percent; nil if it is below 5 %.
    private static func largestError(of scale: Double) -> Int? {
        let units = (scale * 1e9).rounded()
        guard units >= 1, units <= maximumUnits, abs(scale * 1e9 - units) < 1e-3 else { return nil }
        return Int((100 / units).rounded())
    }
}
