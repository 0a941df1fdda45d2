import CIIO
import Glibc

/// Sets how often a device samples; drivers round, and some take only what they list.
package enum DeviceRate {
    /// Asks each kind's rate, the highest first where they share one attribute.
    ///
    /// - Returns: as the driver has it then; nil when it does not say.
    static func set(_ device: IIODevice, kinds: [SensorKind], requested: (SensorKind) -> Double) -> Double? {
        var granted: Double?
        for kind in kinds.sorted(by: { requested($0) < requested($1) }) {
            guard let channel = device.channel(kind.channelNames[0]) else { continue }
            let rate = set(device, channel, requested(kind))
            granted = [granted, rate].compactMap { $0 }.max()
        }
        return granted
    }

    /// What to write for a wish: the smallest listed rate that is not below it, else the largest; the wish itself
    /// where nothing is listed.
    package static func choice(for wish: Double, listed text: String?) -> Double {
        guard let text else { return wish }
        // A list is blank-separated; a range is "[first step last]", within which the driver rounds by itself.
        if text.contains("[") { return wish }
        let rates = text.split(whereSeparator: \.isWhitespace).prefix(256).compactMap { decimal(String($0)) }
            .filter { $0 > 0 }.sorted()
        return rates.first { $0 >= wish * (1 - 1e-6) } ?? rates.last ?? wish
    }

    private static let attribute = "sampling_frequency"

    private static func set(_ device: IIODevice, _ channel: IIOChannel, _ wish: Double) -> Double? {
        let listed =
            try?
            (channel.hasAttribute("\(attribute)_available")
            ? channel.read("\(attribute)_available") : device.read("\(attribute)_available"))
        let text = "\(choice(for: wish, listed: listed))"
        if channel.hasAttribute(attribute) {
            // A refusal leaves the driver's own rate, which the read shows.
            write(text) { text throws(IIOError) in try channel.write(attribute, text) }
            return plausible(try? channel.read(attribute))
        }
        guard device.hasAttribute(attribute) else { return nil }
        write(text) { text throws(IIOError) in try device.write(attribute, text) }
        return plausible(try? device.read(attribute))
    }

    /// A server may still hold a buffer that was closed just now, and many drivers change no rate while one runs.
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

    /// Half a second in all: a server finds out that a reader is gone when the batch is full that it waits for.
    private static let busyAttempts = 125
    /// Unit: µs.
    private static let busyPause: UInt32 = 4000

    /// From a sample a quarter of an hour to more than any bus carries; nil for what else a driver or a server says.
    private static func plausible(_ text: String?) -> Double? {
        text.flatMap(decimal).flatMap { (0.001...1e6).contains($0) ? $0 : nil }
    }
}
