import Glibc
import Linux

/// Reads the temperatures of the devices that run from time to time, on the thread that watches over them and by a context
/// of its own: a bus that answers late holds up no sample.
struct Thermometer {
    /// What libiio calls `in_temp_raw` and its like.
    static let channels = ["temp", "temp0"]
    /// A chip warms up over minutes. Unit: s.
    private static let interval = 10.0
    /// Beyond this it is no chip's. Unit: degrees Celsius.
    private static let plausible = -100.0...200.0

    private var context: IIOContext?
    /// Of the devices in the context.
    private var plans: [DevicePlan] = []
    private var next: Int64 = 0

    /// Brings the reports up to date where it is time; one whose driver does not tell it now, as many do not while their
    /// buffer runs, has none.
    ///
    /// - Returns: when to come again. Unit: s.
    mutating func read(_ workers: [DeviceWorker], settings: IIOSettings, stop: StopFlag) -> Double {
        let told = workers.filter { $0.plan.hasThermometer && !$0.hasEnded }
        guard !told.isEmpty else {
            context = nil
            return .infinity
        }
        let now = BootClock.nanoseconds
        guard now >= next || told.map(\.plan) != plans else { return Double(next - now) * 1e-9 }
        next = now + Int64(Self.interval * 1e9)
        if told.map(\.plan) != plans { context = nil }
        plans = told.map(\.plan)
        do {
            let context =
                try context
                ?? IIOContext(uri: settings.contextURI, timeoutMilliseconds: settings.silenceMilliseconds, stop: stop)
            self.context = context
            for worker in told {
                let value = try context.device(of: worker.plan).flatMap { device throws(IIOError) in
                    try Self.celsius(device)
                }
                worker.board.update { $0.temperature = value }
            }
        } catch {
            // As after a replug: the next time everything is looked for anew.
            context = nil
            for worker in told { worker.board.update { $0.temperature = nil } }
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
