import Glibc
import Linux

/// Reads the devices' temperatures periodically. It runs on the supervising thread and has its own context, so that a
/// slow bus delays no sample.
struct Thermometer {
    /// Channel names of `in_temp_raw` and `in_temp0_raw` in libiio.
    static let channels = ["temp", "temp0"]
    /// Interval of the readings; a chip warms up over minutes. Unit: s.
    private static let interval = 10.0
    /// Plausible temperatures of a chip. Unit: degrees Celsius.
    private static let plausible = -100.0...200.0

    private var context: IIOContext?
    /// Plans of the devices in the context.
    private var plans: [DevicePlan] = []
    private var next: Int64 = 0

    /// Updates the temperatures in the reports when they are due. A temperature is nil if the driver cannot read it
    /// now, as many drivers cannot while their buffer is active.
    ///
    /// - Returns: time until the next reading. Unit: s.
    mutating func read(_ workers: [DeviceWorker], settings: IIOSettings, stop: StopFlag) -> Double {
        let equipped = workers.filter { $0.plan.hasThermometer && !$0.hasEnded }
        guard !equipped.isEmpty else {
            context = nil
            return .infinity
        }
        let now = BootClock.nanoseconds
        guard now >= next || equipped.map(\.plan) != plans else { return Double(next - now) * 1e-9 }
        next = now + Int64(Self.interval * 1e9)
        if equipped.map(\.plan) != plans { context = nil }
        plans = equipped.map(\.plan)
        do {
            let context =
                try context
                ?? IIOContext(uri: settings.contextURI, timeoutMilliseconds: settings.silenceMilliseconds, stop: stop)
            self.context = context
            for worker in equipped {
                let value = try context.device(of: worker.plan).flatMap { device throws(IIOError) in
                    try Self.celsius(device)
                }
                worker.status.update { $0.temperature = value }
            }
        } catch {
            // A new context is needed, for example after replugging. The next reading opens one.
            context = nil
            for worker in equipped { worker.status.update { $0.temperature = nil } }
        }
        return Self.interval
    }

    private static func celsius(_ device: IIODevice) throws(IIOError) -> Double? {
        for channel in channels.compactMap(device.channel) {
            do throws(IIOError) {
                let milli: Double?
                if channel.hasAttribute("input") {
                    milli = decimal(try channel.read("input"))
                } else {
                    let (offset, scale) = (try channel.number("offset", or: 0), try channel.number("scale", or: 1))
                    milli = decimal(try channel.read("raw")).map { ($0 + offset) * scale }
                }
                return milli.map { $0 / 1000 }.flatMap { plausible.contains($0) ? $0 : nil }
            } catch .call(_, EBUSY) {
                return nil
            } catch .unusable {
                return nil
            }
        }
        return nil
    }
}
