import Bridges
import Configuration
import Linux

/// `waymark-bridge`: from the command line to running outputs, and to the exit code.
package struct BridgeProgram {
    /// What the program is called, by which the one executable knows that it is meant.
    package static let name = "waymark-bridge"

    private static let config = Option.text(
        "config", value: "FILE", help: "Configuration file (default: /etc/waymark/waymark.toml)")
    private static let gpsd = address("gpsd", "Serve gpsd's clients (cgps, gpspipe, QGIS) with the fused position")
    private static let nmeaTCP = address("nmea-tcp", "Serve NMEA 0183 over TCP")
    private static let nmeaSocket = Option.text(
        "nmea-socket", value: "PATH", help: "Serve NMEA 0183 on a Unix socket")
    private static let nmeaTerminal = Option.text(
        "nmea-terminal", value: "PATH", help: "Link PATH to a pseudo terminal that carries NMEA 0183")
    private static let openTrack = address("opentrack", "Send OpenTrack's UDP datagrams to this address")
    private static let mavlink = address("mavlink", "Send MAVLink 2 by UDP to this address (udp:127.0.0.1:14550)")
    private static let metrics = address("metrics", "Serve the daemon's health for Prometheus, at /metrics over HTTP")
    private static let rate = Option.number(
        "rate", value: "HZ", in: 0.1...50, help: "Rate of gpsd's reports and of NMEA 0183 (default: 5)")
    private static let remote = Flag("allow-remote", help: "Permit addresses that other computers can reach")

    private static let syntax = Syntax(
        name: name, summary: "Serve poses of waymarkd in the protocols of other programs.",
        options: [gpsd, nmeaTCP, nmeaSocket, nmeaTerminal, openTrack, mavlink, metrics, rate, remote, config],
        common: [DaemonSocket.option],
        notes: """
            Options override the section 'bridge' of the settings: waymark.toml(5).
            ADDRESS is numeric with a port: 127.0.0.1:2948 or [::1]:2948.
            Exit codes: 0 done, 1 failed, 2 usage, 78 settings.
            """,
        version: Program.version)

    private let arguments: [String]

    /// - Parameter arguments: those after the program's name.
    package init(_ arguments: [String]) { self.arguments = arguments }

    /// Serves until a signal ends it.
    /// - Returns: the exit code.
    package func run() -> Int32 {
        ServiceProgram.run(Self.name) {
            let options = try Self.syntax.parse(arguments)
            if let answer = options.answer { return print(answer, terminator: "") }
            let settings = try Self.settings(options)
            Log.threshold = settings.service.logLevel.priority
            try Self.serve(settings)
        }
    }

    private static func address(_ name: String, _ help: String) -> Option<String> {
        .text(name, value: "ADDRESS", help: help)
    }

    private static func settings(_ options: ParsedOptions) throws(ConfigurationError) -> Configuration {
        var configuration = try Configuration.load(file: options[config])
        DaemonSocket.apply(options, to: &configuration.service)
        if let ring = environment("WAYMARK_POSE_RING") { configuration.service.poseRingSocket = ring }
        let section = configuration.bridge
        configuration.bridge.gpsd = options[gpsd] ?? section.gpsd
        configuration.bridge.nmeaTCP = options[nmeaTCP] ?? section.nmeaTCP
        configuration.bridge.nmeaSocket = options[nmeaSocket] ?? section.nmeaSocket
        configuration.bridge.nmeaTerminal = options[nmeaTerminal] ?? section.nmeaTerminal
        configuration.bridge.openTrack = options[openTrack] ?? section.openTrack
        configuration.bridge.mavlink = options[mavlink] ?? section.mavlink
        configuration.bridge.metrics = options[metrics] ?? section.metrics
        configuration.bridge.rateHz = options[rate] ?? section.rateHz
        configuration.bridge.allowRemote = options[remote] || section.allowRemote
        return configuration
    }

    private static func serve(_ settings: Configuration) throws {
        ignoreSIGPIPE()
        let bridge = try Bridge(settings, version: Program.version)
        ServiceProgram.supervise(bridge.statusLine) { bridge.run(every: $0, heartbeat: $1) }
    }
}

extension Bridge.Problem: ServiceProgram.Problem {}
