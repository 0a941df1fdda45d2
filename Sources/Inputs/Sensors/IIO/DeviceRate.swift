import Glibc

/// Requests sampling rates of a device. Drivers round the requested rate; some accept only the rates that they list.
struct DeviceRate {
    /// Rate that the driver reports after the request, the highest of all kinds; nil if it reports none. Unit: Hz.
    var granted: Double?
    /// Whether the driver reports a rate for each kind.
    var isComplete = true
    /// Driver's refusal, with attribute, value and error; nil if the driver uses a requested rate.
    var problem: String?

    /// Requests the rate of each kind. Ascending order ensures that the highest rate applies if kinds share one
    /// attribute.
    ///
    /// - Parameter rate: rate for a kind. Unit: Hz.
    static func request(_ device: IIODevice, kinds: [SensorKind], rate: (SensorKind) -> Double) -> DeviceRate {
        var result = DeviceRate()
        var shared: DeviceRate?
        for kind in kinds.sorted(by: { rate($0) < rate($1) }) {
            guard let channel = device.channel(kind.channelNames[0]),
                let own = request(device, channel, rate(kind))
            else {
                result.isComplete = false
                continue
            }
            result.isComplete = result.isComplete && own.granted != nil
            if channel.hasAttribute(attribute) {
                result.granted = [result.granted, own.granted].compactMap { $0 }.max()
                result.problem = result.problem ?? own.problem
            } else {
                // If kinds share an attribute, only the result of the last request counts.
                shared = own
            }
        }
        guard let shared else { return result }
        result.granted = [result.granted, shared.granted].compactMap { $0 }.max()
        result.problem = result.problem ?? shared.problem
        return result
    }

    static let attribute = "sampling_frequency"

    /// - Returns: nil if neither channel nor device has the attribute.
    private static func request(_ device: IIODevice, _ channel: IIOChannel, _ requested: Double) -> DeviceRate? {
        let list = "\(attribute)_available"
        let listed = try? channel.hasAttribute(list) ? channel.read(list) : device.read(list)
        let offered = OfferedRates(listed)
        if channel.hasAttribute(attribute) {
            return write(offered, requested) { text throws(IIOError) in
                try channel.write(attribute, text)
            } read: {
                try? channel.read(attribute)
            }
        }
        guard device.hasAttribute(attribute) else { return nil }
        return write(offered, requested) { text throws(IIOError) in
            try device.write(attribute, text)
        } read: {
            try? device.read(attribute)
        }
    }

    /// Writes the rate in one format after another until the driver accepts one. If the driver refuses all formats, it
    /// keeps its current rate. This is no problem if the current rate is the chosen one.
    static func write(
        _ offered: OfferedRates, _ requested: Double, write: (String) throws(IIOError) -> Void, read: () -> String?
    ) -> DeviceRate {
        var refusal: (text: String, error: IIOError)?
        for text in offered.spellings(for: requested) {
            let error = writePatiently(text, write)
            // The first refusal is reported, because it is for the preferred format.
            if let error { refusal = refusal ?? (text, error) } else { refusal = nil }
            guard case .call(_, EINVAL) = error else { break }
        }
        let granted = plausible(read())
        guard let refusal else { return DeviceRate(granted: granted) }
        let choice = offered.choice(for: requested)
        if let granted, abs(granted - choice) <= choice * sameRate { return DeviceRate(granted: granted) }
        return DeviceRate(
            granted: granted, problem: "the driver refuses the rate \(refusal.text): \(refusal.error.cause)")
    }

    /// Relative difference up to which a rate that the driver reports counts as equal to a rate in its list.
    private static let sameRate = 0.01

    /// Writes the rate, and retries while the device is busy. A server may still hold a buffer that was just closed,
    /// and many drivers do not change the rate while a buffer is active.
    private static func writePatiently(_ text: String, _ write: (String) throws(IIOError) -> Void) -> IIOError? {
        var last: IIOError?
        for _ in 0..<busyAttempts {
            do throws(IIOError) {
                try write(text)
                return nil
            } catch {
                guard error.isBusy else { return error }
                last = error
                usleep(busyPause)
            }
        }
        return last
    }

    /// Number of attempts, which take half a second in all. A server notices that a connection was closed only when the
    /// batch that it waits for is full.
    private static let busyAttempts = 125
    /// Pause between two attempts. Unit: µs.
    private static let busyPause: UInt32 = 4000

    /// Parses a rate in Hz; nil unless it lies between one sample per quarter of an hour and more than any bus
    /// transfers.
    static func plausible(_ text: String?) -> Double? {
        text.flatMap(decimal).flatMap { (0.001...1e6).contains($0) ? $0 : nil }
    }
}
