import Bridges
import Configuration
import Linux

/// `waymark-bridge`: parses the command line, runs the outputs and returns the exit code.
package struct BridgeProgram {
    /// Name by which the common executable selects this program.
    package static let name = "waymark-bridge"

    private static let config = Option.text(
        "config", value: "FILE", help: "Configuration file (default: /etc/waymark/waymark.toml)")
    private static let rate = Option.number(
        "rate", value: "HZ", in: 0.1...50, help: "Rate of gpsd's reports and of NMEA 0183 (default: 5)")
    private static let remote = Flag("allow-remote", help: "Permit addresses that other computers can reach")

    private static let syntax = Syntax(
        name: name, summary: "Serve poses of waymarkd in the protocols of other programs.",
        options: OutputKind.all.compactMap(\.option?.option) + [rate, remote, config] as [any OptionDeclaration],
        common: [DaemonSocket.option],
        notes: """
            Options override the section 'bridge' of the settings: waymark.toml(5).
            ADDRESS is numeric with a port: 127.0.0.1:2948 or [::1]:2948.
            Exit codes: 0 done, 1 failed, 2 usage, 78 settings.
            """,
        version: Program.version)

    private let arguments: [String]

    /// - Parameter arguments: arguments after the program's name.
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

    private static func settings(_ options: ParsedOptions) throws(ConfigurationError) -> Configuration {
        var configuration = try Configuration.load(file: options[config])
        DaemonSocket.apply(options, to: &configuration.service)
        if let ring = environment("WAYMARK_POSE_RING") { configuration.service.poseRingSocket = ring }
        for (option, setting) in OutputKind.all.compactMap(\.option) {
            if let value = options[option] { configuration.bridge[keyPath: setting] = value }
        }
        let section = configuration.bridge
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
