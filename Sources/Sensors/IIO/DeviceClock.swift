import Linux

extension StampClock {
    /// Nanoseconds to add to a stamp of this clock to get boot time, as this computer's clocks have it now.
    var offsetToBoottime: Int64 {
        switch self {
        case .boottime, .host: 0
        case .monotonic: BootClock.monotonicOffsetNanoseconds
        case .realtime: -BootClock.realtimeOffsetNanoseconds
        }
    }
}
