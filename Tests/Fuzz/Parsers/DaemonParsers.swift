import Fleet
import JSON
import Linux
import Model
import Sensors
import Service
import TestTools
import Varlink
import WaymarkInterface

/// Readers of what comes over sockets.
let daemonParsers = [
    Parser(name: "fleet") { bytes in
        // A topic on each line, and its message behind the first space.
        var roster = FleetRoster(root: "waymark")
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(64) {
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
            _ = roster.take(
                topic: String(decoding: parts[0], as: UTF8.self), payload: parts.count > 1 ? Array(parts[1]) : [],
                isRetained: false, now: UTCTime(nanoseconds: 0))
        }
        var json = JSONWriter(capacity: 1024)
        for wearer in roster.wearers.values { wearer.write(into: &json) }
    },
    Parser(name: "gpsd") { bytes in
        let parser = GPSDParser()
        let conversion = FixConversion(errorConfidence: 0.95, latencySeconds: 0.1)
        var assembler = EpochAssembler()
        var arrival: Int64 = 1_000_000_000
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(64) {
            let text = line.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            let report = text.withUnsafeBufferPointer { parser.parse($0.baseAddress!) }
            arrival += 50_000_000
            var epochs = assembler.expire(now: arrival)
            if let sigmas = report.sigmas { epochs += assembler.take(sigmas) }
            if let fix = report.fix { epochs += assembler.take(fix, arrival: arrival) }
            for epoch in epochs { _ = conversion.fix(epoch, realtimeOffset: 0) }
        }
    },
    Parser(name: "interface") { bytes in _ = try? InterfaceText(text: String(decoding: bytes, as: UTF8.self)) },
    Parser(name: "varlink") { bytes in
        var frames = FrameBuffer(messageLimit: 64 * 1024)
        bytes.withUnsafeBytes { frames.append($0, descriptors: []) }
        while case .message(let message, _) = frames.next() {
            if let call = try? CallMessage(message) { decode(call) }
            if let reply = try? JSONReader.read(message) { decode(reply: reply) }
        }
    },
]

private func decode(_ call: CallMessage) {
    let method = String(call.method.split(separator: ".").last ?? "")
    _ = try? PoseInterface.Call(method: method, parameters: call.parameters)
    _ = try? StatusInterface.Call(method: method, parameters: call.parameters)
    _ = try? SceneInterface.Call(method: method, parameters: call.parameters)
    _ = try? RecordingInterface.Call(method: method, parameters: call.parameters)
    _ = try? CalibrationInterface.Call(method: method, parameters: call.parameters)
    _ = try? PlanInterface.Call(method: method, parameters: call.parameters)
    _ = try? TerrainInterface.Call(method: method, parameters: call.parameters)
    if case .offerSamples(let offer)? = try? AidInterface.Call(method: method, parameters: call.parameters) {
        take(offer)
    }
}

/// A source that takes the samples of a program.
private func take(_ offer: AidInterface.OfferSamples) {
    let queue = MeasurementQueue(capacity: 16, wake: EventDescriptor())
    let request = AidInterface.Open(source: "phone", kinds: [.samples])
    // The clock of the inputs that are kept.
    let now = BootTime(nanoseconds: 1_000_000_000_000)
    guard let name = SourceName("phone"),
        var source = try? AidSourceRecord(request, name: name, client: 1, user: 1, at: now)
    else { return }
    let sensors = OfferedSource(name: name, settings: IIOSettings(), queue: queue)
    try? source.take(offer, into: sensors, at: now)
    while let measurement = queue.pop() { precondition(measurement.isInRange, "what is passed on is in range") }
}

/// Clients read what the daemon says with the same types.
private func decode(reply: JSONNode) {
    var json = JSONWriter(capacity: 1024)
    (try? PoseInterface.Subscribe.Reply(reply))?.write(into: &json)
    (try? SceneInterface.Subscribe.Reply(reply))?.write(into: &json)
    (try? StatusInterface.GetStatus.Reply(reply))?.write(into: &json)
}
