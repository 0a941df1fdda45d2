import Linux
import Configuration
import Sound
import WaymarkClient
import Messages

extension ServiceProgram {
    private static let language = Option<AcceptedLanguages>(
        "language", value: "LIST",
        help:
            "Languages of the wearer, the first of them that there is: de, or de-AT,de;q=0.9,en;q=0.5 (default: that of "
            + "$LC_ALL, $LC_MESSAGES or $LANG)",
        expectation: "a list of languages, such as de or de-AT,de;q=0.9", read: AcceptedLanguages.init)
    private static let module = Option.text(
        "module", value: "NAME", help: "Output module of speech-dispatcher, such as espeak-ng")
    private static let speaker = Option.text("voice", value: "NAME", help: "Voice of the output module")
    private static let rate = Option.integer(
        "rate", value: "N", in: -100...100, help: "Speed of the voice, -100 to 100")
    private static let pitch = Option.integer(
        "pitch", value: "N", in: -100...100, help: "Pitch of the voice, -100 to 100")
    private static let volume = Option.integer(
        "volume", value: "N", in: -100...100, help: "Volume of the voice, -100 to 100")
    private static let silent = Flag("silent", help: "Begin silent, until SIGUSR2")
    private static let printing = Flag("print", help: "Write announcements to standard output instead")

    /// `waymark-voice`: speaks announcements.
    static let voice = ServiceProgram(
        "waymark-voice", "Speak the announcements of waymarkd, through speech-dispatcher.",
        options: [language, module, speaker, rate, pitch, volume, silent, printing],
        notes: """
            Languages: \(Language.allCases.map(\.rawValue).joined(separator: ", ")).
            SIGUSR1 repeats the last announcement, SIGUSR2 makes it silent and lets it speak again.
            Exit codes: 0 done, 1 failed, 2 usage.
            """
    ) { options in
        ignoreSIGPIPE()
        let voice = try Voice(
            socket: options[DaemonSocket.option] ?? Waymark.Client.defaultPath,
            language: options[language]?.language(otherwise: .english) ?? .ofSession,
            output: output(options), isSilent: options[silent])
        do {
            try voice.run()
        } catch is Terminal.Closed {
            // The text output has been closed by its reader.
        }
    }

    private static func output(_ options: ParsedOptions) -> Voice.Output {
        if options[printing] { return .lines { try Terminal.print([$0]) } }
        var settings = VoiceSettings()
        (settings.module, settings.voice) = (options[module], options[speaker])
        (settings.rate, settings.pitch, settings.volume) = (options[rate], options[pitch], options[volume])
        return .speech(settings)
    }
}
