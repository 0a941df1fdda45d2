import CSpeech
import Linux
import Messages

/// Settings of the voice. For a nil value, speech-dispatcher's configured value is used.
package struct VoiceSettings: Sendable {
    /// Name of the output module, such as `espeak-ng`.
    package var module: String?
    /// Name of one of its voices.
    package var voice: String?
    /// Speed, -100 to 100.
    package var rate: Int?
    /// Pitch, -100 to 100.
    package var pitch: Int?
    /// Volume, -100 to 100.
    package var volume: Int?

    /// Makes settings that leave all values to speech-dispatcher's configuration.
    package init() {}
}

/// One connection to speech-dispatcher, through libspeechd. Its functions block until an answer arrives.
final class SpeechDispatcher {
    /// Reason why the connection failed or ended, with the remedy.
    struct Problem: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private let connection: OpaquePointer

    /// Connects. If speech-dispatcher is not running, and its address permits that, the library starts it.
    init(_ language: Language, _ settings: VoiceSettings) throws(Problem) {
        let (made, problem) = withProblemText { problem, size in
            withCStrings([language.rawValue, settings.module, settings.voice]) { texts in
                Self.withPointers([settings.rate, settings.pitch, settings.volume]) { numbers in
                    var options = cspeech_options()
                    (options.language, options.module, options.voice) = (texts[0], texts[1], texts[2])
                    (options.rate, options.pitch, options.volume) = (numbers[0], numbers[1], numbers[2])
                    return cspeech_open(&options, problem, size)
                }
            }
        }
        guard let made else { throw Problem(description: Self.advice(problem)) }
        connection = made
    }

    deinit { cspeech_close(connection) }

    /// Whether the output module has a voice for a language, or does not report its voices.
    func hasVoice(for language: Language) -> Bool { cspeech_has_voice(connection, language.rawValue) }

    /// Speaks a text. If `cancels` is true, first stops the current speech of this connection.
    func say(_ utterance: Utterance, cancels: Bool) throws(Problem) {
        let isCancelled = !cancels || cspeech_cancel(connection)
        guard isCancelled, cspeech_say(connection, utterance.priority.ssip, utterance.text) else {
            throw Problem(description: "speech-dispatcher has ended the connection, or does not answer")
        }
    }

    func cancel() { _ = cspeech_cancel(connection) }

    private static func advice(_ problem: String) -> String {
        if problem.contains("libspeechd.so") {
            return "\(problem): install the package libspeechd2 and speech-dispatcher"
        }
        if problem.hasPrefix("it ") {
            return "speech-dispatcher: \(problem); `spd-say -O` lists its modules, `spd-say -L` voices"
        }
        return
            "speech-dispatcher cannot be reached (\(problem)): install the package speech-dispatcher, and try `spd-say hello`"
    }

    private static func withPointers<Value>(
        _ numbers: [Int?], _ body: ([UnsafePointer<CInt>?]) -> Value
    ) -> Value {
        numbers.map { CInt(clamping: $0 ?? 0) }.withUnsafeBufferPointer { values in
            body(numbers.indices.map { index in numbers[index] == nil ? nil : values.baseAddress.map { $0 + index } })
        }
    }
}

extension Utterance.Priority {
    fileprivate var ssip: cspeech_priority {
        switch self {
        case .now: CSPEECH_IMPORTANT
        case .ahead: CSPEECH_MESSAGE
        case .other: CSPEECH_TEXT
        }
    }
}
