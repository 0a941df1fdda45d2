import CIIO
import Glibc

/// Sampling rates of a device. Drivers round the requested rate; some accept only the rates that they list.
package enum DeviceRate {
    /// Requests the rate of each kind in ascending order, so that the highest applies if they share one attribute.
    ///
    /// - Returns: highest rate that the driver then reports, in Hz; nil if it reports none.
    static func set(_ device: IIODevice, kinds: [SensorKind], requested: (SensorKind) -> Double) -> Double? {
        var granted: Double?
        for kind in kinds.sorted(by: { requested($0) < requested($1) }) {
            guard let channel = device.channel(kind.channelNames[0]) else { continue }
            let rate = set(device, channel, requested(kind))
            granted = [granted, rate].compactMap { $0 }.max()
        }
        return granted
    }

    /// Rate to write for a requested one: the smallest listed rate that is not below it, else the largest; the
    /// requested rate itself if nothing is listed. Unit: Hz.
    package static func choice(for requested: Double, listed text: String?) -> Double {
        guard let text else { return requested }
        // A list is separated by blanks; a range is "[first step last]", within which the driver rounds.
        if text.contains("[") { return requested }
        let rates = text.split(whereSeparator: \.isWhitespace).prefix(256).compactMap { decimal(String($0)) }
            .filter { $0 > 0 }.sorted()
        return rates.first { $0 >= requested * (1 - 1e-6) } ?? rates.last ?? requested
    }

    private static let attribute = "sampling_frequency"

    private static func set(_ device: IIODevice, _ channel: IIOChannel, _ requested: Double) -> Double? {
        let listed =
            try?
            (channel.hasAttribute("\(attribute)_available")
            ? channel.read("\(attribute)_available") : device.read("\(attribute)_available"))
        let text = "\(choice(for: requested, listed: listed))"
        if channel.hasAttribute(attribute) {
            // If the write fails, the driver's own rate remains, which the read returns.
            write(text) { text throws(IIOError) in try channel.write(attribute, text) }
            return plausible(try? channel.read(attribute))
        }
        guard device.hasAttribute(attribute) else { return nil }
        write(text) { text throws(IIOError) in try device.write(attribute, text) }
        return plausible(try? device.read(attribute))
    }

    /// Retries while the device is busy: a server may still hold a buffer that was just closed, and many drivers do not
    /// change the rate while one is running.
    private static func write(_ text: String, _ write: (String) throws(IIOError) -> Void) {
        for _ in 0..<busyAttempts {
            do throws(IIOError) {
                return try write(text)
            } catch {
                guard error.isBusy else { return }
                usleep(busyPause)
            }
        }
    }

    /// Number of attempts, half a second in all: a server notices a closed connection only when the batch that it waits
    /// for is full.
    private static let busyAttempts = 125
    /// Pause between two attempts. Unit: µs.
    private static let busyPause: UInt32 = 4000

    /// Rate from one sample per quarter of an hour to more than any bus transfers, in Hz; nil for any other value that
    /// a driver or a server reports.
    private static func plausible(_ text: String?) -> Double? {
        text.flatMap(decimal).flatMap { (0.001...1e6).contains($0) ? $0 : nil }
    }
}
