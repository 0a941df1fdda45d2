import Configuration
import Fleet
import Glibc
import Linux

extension ServiceProgram {
    private static let check = Flag("check-config", help: "Check the settings and exit")

    /// `waymark-mqtt`: publishes the wearer's data at an MQTT broker.
    static let mqtt = ServiceProgram(
        "waymark-mqtt", "Publish poses, state and events of waymarkd at an MQTT broker.",
        options: [Option.config, check],
        notes: """
            Settings: section 'mqtt' of waymark.toml(5); mqtt.publish = true is the wearer's consent.
            Exit codes: 0 done, 1 failed, 2 usage, 78 settings.
            """
    ) { options in
        var configuration = try Configuration.load(file: options[.config])
        DaemonSocket.apply(options, to: &configuration.service)
        if options[check] {
            let settings = try FleetSettings(configuration.mqtt, isCheck: true)
            report(configuration)
            print(settings.summary)
            if !configuration.mqtt.publish { print("Not yet: \(FleetSettings.noConsent).") }
            if environment("CREDENTIALS_DIRECTORY") == nil {
                print("Credentials were not checked: the service manager hands them over to the service alone.")
            }
            return
        }
        Log.threshold = configuration.service.logLevel.priority
        try publish(configuration)
    }

    private static func publish(_ configuration: Configuration) throws {
        ignoreSIGPIPE()
        // The queue contains positions, so its files are readable by their owner only.
        umask(0o077)
        let bridge = try FleetBridge(configuration, version: Program.version)
        try supervise(bridge.statusLine) { try bridge.run(every: $0, heartbeat: $1) }
    }
}

extension FleetSettings.Problem: ServiceProgram.Problem {
    var isOfSettings: Bool { true }
}

extension OutboundQueue.Problem: ServiceProgram.Problem {
    var isOfSettings: Bool { false }
}
