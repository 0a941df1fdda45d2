import Linux
import Configuration
import Sound
import WaymarkClient
import Messages

/// `waymark-voice`: parses the command line, speaks announcements and returns the exit code.
package struct VoiceProgram {
    /// Name by which the common executable selects this program.
    package static let name = "waymark-voice"

    private static let language = Option<AcceptedLanguages>(
        "language", value: "LIST",
        help:
            "Languages of the wearer, the first of them that there is: de, or de-AT,de;q=0.9,en;q=0.5 (default: that of "
            + "$LC_ALL, $LC_MESSAGES or $LANG)",
        expectation: "a list of languages, such as de or de-AT,de;q=0.9", read: AcceptedLanguages.init)
    private static let module = Option.text(
        "module", value: "NAME", help: "Output module of speech-dispatcher, such as espeak-ng")
    private static let voice = Option.text("voice", value: "NAME", help: "Voice of the output module")
    private static let rate = Option.integer(
        "rate", value: "N", in: -100...100, help: "Speed of the voice, -100 to 100")
    private static let pitch = Option.integer(
        "pitch", value: "N", in: -100...100, help: "Pitch of the voice, -100 to 100")
    private static let volume = Option.integer(
        "volume", value: "N", in: -100...100, help: "Volume of the voice, -100 to 100")
    private static let silent = Flag("silent", help: "Begin silent, until SIGUSR2")
    private static let printing = Flag("print", help: "Write announcements to standard output instead")

    private static let syntax = Syntax(
        name: name, summary: "Speak the announcements of waymarkd, through speech-dispatcher.",
        options: [language, module, voice, rate, pitch, volume, silent, printing], common: [DaemonSocket.option],
        notes: """
            Languages: \(Language.allCases.map(\.rawValue).joined(separator: ", ")).
            SIGUSR1 repeats the last announcement, SIGUSR2 makes it silent and lets it speak again.
            Exit codes: 0 done, 1 failed, 2 usage.
            """,
        version: Program.version)

    private let arguments: [String]

    /// - Parameter arguments: arguments after the program's name.
    package init(_ arguments: [String]) { self.arguments = arguments }

    /// Speaks until a signal ends it.
    /// - Returns: the exit code.
    package func run() -> Int32 {
        ServiceProgram.run(Self.name) {
            let options = try Self.syntax.parse(arguments)
            if let answer = options.answer { return print(answer, terminator: "") }
            ignoreSIGPIPE()
            let voice = try Voice(
                socket: options[DaemonSocket.option] ?? Waymark.Client.defaultPath,
                language: options[Self.language]?.language(otherwise: .english) ?? .ofSession,
                output: Self.output(options), isSilent: options[Self.silent])
            do {
                try voice.run()
            } catch is Terminal.Closed {
                // The text output has been closed by its reader.
            }
        }
    }

    private static func output(_ options: ParsedOptions) -> Voice.Output {
        if options[printing] { return .lines { try Terminal.print([$0]) } }
        var settings = VoiceSettings()
        (settings.module, settings.voice) = (options[module], options[voice])
        (settings.rate, settings.pitch, settings.volume) = (options[rate], options[pitch], options[volume])
        return .speech(settings)
    }
}
