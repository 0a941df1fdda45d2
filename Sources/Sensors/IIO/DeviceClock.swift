import Linux

extension StampClock {
    /// Offset to add to a timestamp of this clock to get boot time, by this computer's clocks at this moment. Unit: ns.
    var offsetToBoottime: Int64 {
        switch self {
        case .boottime, .host: 0
        case .monotonic: BootClock.monotonicOffsetNanoseconds
        case .realtime: -BootClock.realtimeOffsetNanoseconds
        }
    }
}
