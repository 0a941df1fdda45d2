import Sound
import Configuration
import Linux

extension ServiceProgram {
    private static let target = Option<TargetChoice>(
        "target", value: "WHAT",
        help:
            "What sounds: turn, destination, 'place ID' or 'anchor ID' (default: the next turn, past the last one the "
            + "destination)",
        expectation: "turn, destination, 'place ID' or 'anchor ID', such as --target 'anchor bench'"
    ) { TargetChoice($0) }
    private static let volume = Option.number(
        "volume", value: "PERCENT", in: 0...100, help: "Volume (default: 100)")
    private static let device = Option.text("device", value: "NAME", help: "Audio device (default: the system's)")
    private static let list = Flag("list-devices", help: "Show the names of audio devices and exit")
    private static let wave = Option.text(
        "wav", value: "FILE", help: "Write what would be heard to FILE, for --seconds, instead of sounding")
    private static let seconds = Option.number(
        "seconds", value: "N", in: 0.1...3600, help: "End after this time (default of --wav: 10)")
    private static let defaultSeconds = 10.0

    /// `waymark-beacon`: plays a sound that seems to come from a place.
    static let beacon = ServiceProgram(
        "waymark-beacon", "Let the next turn, the destination or a place sound from where it is, in headphones.",
        options: [target, volume, device, list, wave, seconds],
        notes: """
            SIGUSR1 pauses the beacon and lets it go on.
            Exit codes: 0 done, 1 failed, 2 usage.
            """
    ) { options in
        // Without an audio device ALSA prints ten lines. They are diverted to the log, because this program reports the
        // same error in one line.
        LibraryOutput.divertOnThisThread()
        if options[list] { return try SoundOutput.devices().forEach { print($0) } }
        ignoreSIGPIPE()
        let client = try BeaconClient(settings(options))
        try supervise(client.statusLine) { try client.run(every: $0, heartbeat: $1) }
    }

    private static func settings(_ options: ParsedOptions) -> BeaconSettings {
        var service = Configuration().service
        DaemonSocket.apply(options, to: &service)
        if let ring = environment("WAYMARK_POSE_RING") { service.poseRingSocket = ring }
        let file = options[wave]
        return BeaconSettings(
            socket: service.socket, ringSocket: service.poseRingPath, choice: options[target] ?? .route,
            volume: (options[volume] ?? 100) / 100, device: options[device], waveFile: file,
            seconds: options[seconds] ?? (file == nil ? nil : defaultSeconds))
    }
}

extension SoundOutput.Problem: ServiceProgram.Problem {
    var isOfSettings: Bool { false }
}

extension BeaconClient.Problem: ServiceProgram.Problem {
    var isOfSettings: Bool { false }
}
