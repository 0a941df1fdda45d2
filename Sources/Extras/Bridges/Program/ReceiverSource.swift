import Configuration
import Glibc
import JSON
import Linux
import Synchronization

/// Reads gpsd's reports of the receiver, SKY and the geoid's height, on its own thread. Access to them never waits.
///
/// Without gpsd the receiver is unknown, and the fused pose is passed on without the receiver's reports.
package final class ReceiverSource {
    private let state = Shared()
    private let worker: WorkerThread

    private final class Shared: Sendable { let view = Mutex(ReceiverView()) }

    /// Maximum length of a report; the report of a hundred satellites takes 20 kB. Unit: bytes.
    private static let maximumLineLength = 65536
    private static let limits = JSONLimits(depth: 4, values: 4096, text: maximumLineLength)
    /// Time limit for connecting, and pause between connections. Unit: seconds.
    private static let timeout = 5.0
    private static let pause = 5.0
    /// Time without any report after which the connection counts as broken. Unit: ns.
    private static let silence: Int64 = 60_000_000_000

    /// Starts reading.
    package init(_ gnss: Configuration.GNSS) {
        let state = state
        state.view.withLock { $0.isSeparationAwaited = true }
        worker = WorkerThread(name: "receiver") { stop in
            while !stop.isSet {
                Self.read(gnss, state, stop)
                state.view.withLock { $0.forgetReceiver() }
                stop.wait(seconds: Self.pause)
            }
        }
    }

    deinit { worker.requestStop() }

    /// Current reports.
    package var view: ReceiverView { state.view.withLock { $0 } }

    /// Reads over one connection until it ends.
    private static func read(_ gnss: Configuration.GNSS, _ state: Shared, _ stop: StopFlag) {
        do {
            let connection = try LineConnection(
                host: gnss.host, port: gnss.port, timeoutSeconds: timeout, capacity: maximumLineLength, stop: stop)
            try connection.send("?WATCH={\"enable\":true,\"json\":true}\n")
            state.view.withLock { $0.isSeparationAwaited = $0.geoidSeparation == nil }
            while !stop.isSet {
                let until = Reactor.now + silence
                let outcome = try Waiting.wait(
                    connection.descriptor, events: POLLIN, until: until, cancel: stop.descriptor)
                guard outcome == .ready else { return }
                _ = try connection.receive()
                while let view = connection.withNextLine({ take($0, gnss, state.view.withLock { $0 }) }) {
                    state.view.withLock { $0 = view }
                }
            }
        } catch {
            Log.debug("no satellites from gpsd: \(error)")
        }
    }

    /// Returns the known reports, updated with one more line.
    private static func take(
        _ line: UnsafePointer<CChar>, _ gnss: Configuration.GNSS, _ known: ReceiverView
    ) -> ReceiverView {
        let bytes = Array(UnsafeRawBufferPointer(start: line, count: strlen(line)))
        guard let report = try? JSONReader.read(bytes, limits: limits), report.kind == .object,
            gnss.device.isEmpty || report["device"]?.string == gnss.device
        else { return known }
        var view = known
        switch report["class"]?.string {
        case "SKY": view.take(sky: report)
        case "TPV": view.take(position: report)
        default: break
        }
        return view
    }
}

extension ReceiverView {
    /// Forgets everything except the geoid separation, because without it heights above sea level would step.
    fileprivate mutating func forgetReceiver() {
        let kept = geoidSeparation
        self = ReceiverView()
        geoidSeparation = kept
    }

    /// Takes a SKY report. It has only dilutions of precision if the receiver reports no satellites.
    fileprivate mutating func take(sky report: JSONNode) {
        if let dilution = report["hdop"]?.number, (0...99).contains(dilution) { horizontalDilution = dilution }
        guard let list = report["satellites"], list.kind == .array else { return }
        var json = JSONWriter()
        report.write(into: &json)
        sky = json.bytes
        satellites = list.elements.reduce(0) { $0 + ($1["used"]?.bool == true ? 1 : 0) }
    }

    fileprivate mutating func take(position report: JSONNode) {
        // The report of a three-dimensional fix has all heights that the receiver reports, so the wait for a separation
        // ends.
        if report["mode"]?.number == 3 { isSeparationAwaited = false }
        guard let separation = report["geoidSep"]?.number ?? Self.separation(report) else { return }
        // The geoid lies within 107 m below and 86 m above the ellipsoid.
        if (-120...120).contains(separation) { geoidSeparation = separation }
    }

    private static func separation(_ report: JSONNode) -> Double? {
        guard let ellipsoidal = report["altHAE"]?.number, let seaLevel = report["altMSL"]?.number else { return nil }
        return ellipsoidal - seaLevel
    }
}
