/// Measures how old the measurements are when they are heard, not including the device's latency.
struct LatencyMeter {
    private var count = 0
    private var sum = 0.0
    private var largest = 0.0

    /// - Parameter age: age of a pose when it was used. Unit: nanoseconds.
    mutating func add(_ age: Int64) {
        let milliseconds = Double(age) * 1e-6
        count += 1
        sum += milliseconds
        largest = max(largest, milliseconds)
    }

    /// Describes the latency; nil before the first pose.
    ///
    /// - Parameters:
    ///   - period: period of the mixer. Unit: seconds.
    ///   - latency: latency of the device. Unit: seconds.
    func text(period: Double, latency: Double) -> String? {
        guard count > 0 else { return nil }
        func words(_ milliseconds: Double) -> String { "\((milliseconds * 10).rounded() / 10) ms" }
        return "\(count) poses, \(words(sum / Double(count))) old on average and \(words(largest)) at most when used; "
            + "period of the mixer \(words(period * 1000)), the device's own latency \(words(latency * 1000))"
    }
}
