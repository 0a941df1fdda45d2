import Configuration
import Fleet
import Glibc
import Linux

/// `waymark-mqtt`: parses the command line, publishes a wearer at a broker and returns the exit code.
package struct MQTTProgram {
    /// Name by which the common executable selects this program.
    package static let name = "waymark-mqtt"

    private static let config = Option.text(
        "config", value: "FILE", help: "Configuration file (default: /etc/waymark/waymark.toml)")
    private static let check = Flag("check-config", help: "Check the settings and exit")

    private static let syntax = Syntax(
        name: name, summary: "Publish poses, state and events of waymarkd at an MQTT broker.",
        options: [config, check], common: [DaemonSocket.option],
        notes: """
            Settings: section 'mqtt' of waymark.toml(5); mqtt.publish = true is the wearer's consent.
            Exit codes: 0 done, 1 failed, 2 usage, 78 settings.
            """,
        version: Program.version)

    private let arguments: [String]

    /// - Parameter arguments: arguments after the program's name.
    package init(_ arguments: [String]) { self.arguments = arguments }

    /// Publishes until a signal ends it.
    /// - Returns: the exit code.
    package func run() -> Int32 {
        ServiceProgram.run(Self.name) {
            let options = try Self.syntax.parse(arguments)
            if let answer = options.answer { return print(answer, terminator: "") }
            let configuration = try Self.configuration(options)
            if options[Self.check] {
                let settings = try FleetSettings(configuration.mqtt, isCheck: true)
                ServiceProgram.report(configuration)
                print(settings.summary)
                if !configuration.mqtt.publish { print("Not yet: \(FleetSettings.noConsent).") }
                if environment("CREDENTIALS_DIRECTORY") == nil {
                    print("Credentials were not checked: the service manager hands them over to the service alone.")
                }
                return
            }
            Log.threshold = configuration.service.logLevel.priority
            try Self.publish(configuration)
        }
    }

    private static func configuration(_ options: ParsedOptions) throws(ConfigurationError) -> Configuration {
        var configuration = try Configuration.load(file: options[config])
        DaemonSocket.apply(options, to: &configuration.service)
        return configuration
    }

    private static func publish(_ configuration: Configuration) throws {
        ignoreSIGPIPE()
        // The queue contains positions: readable by its owner only.
        umask(0o077)
        let bridge = try FleetBridge(configuration, version: Program.version)
        try ServiceProgram.supervise(bridge.statusLine) { try bridge.run(every: $0, heartbeat: $1) }
    }
}

extension FleetSettings.Problem: ServiceProgram.Problem {
    var isOfSettings: Bool { true }
}

extension OutboundQueue.Problem: ServiceProgram.Problem {
    var isOfSettings: Bool { false }
}
