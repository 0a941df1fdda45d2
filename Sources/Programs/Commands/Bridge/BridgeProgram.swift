import Bridges
import Configuration
import Linux

extension ServiceProgram {
    private static let rate = Option.number(
        "rate", value: "HZ", in: 0.1...50, help: "Rate of gpsd's reports and of NMEA 0183 (default: 5)")
    private static let remote = Flag("allow-remote", help: "Permit addresses that other computers can reach")

    static let bridge = ServiceProgram(
        "waymark-bridge", "Serve poses of waymarkd in the protocols of other programs.",
        options: OutputKind.all.compactMap(\.option?.option) + [rate, remote, Option.config] as [any OptionDeclaration],
        notes: """
            Options override the section 'bridge' of the settings: waymark.toml(5).
            ADDRESS is numeric with a port: 127.0.0.1:2948 or [::1]:2948.
            Exit codes: 0 done, 1 failed, 2 usage, 78 settings.
            """
    ) { options in
        let settings = try settings(options)
        Log.threshold = settings.service.logLevel.priority
        ignoreSIGPIPE()
        let bridge = try Bridge(settings, version: Program.version)
        supervise(bridge.statusLine) { bridge.run(every: $0, heartbeat: $1) }
    }

    private static func settings(_ options: ParsedOptions) throws(ConfigurationError) -> Configuration {
        var configuration = try Configuration.load(file: options[.config])
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
}

extension Bridge.Problem: ServiceProgram.Problem {}
