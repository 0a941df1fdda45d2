import Glibc
import Linux
import WaymarkInterface
import Wording

/// `waymark-voice`: announcements of the daemon, spoken by speech-dispatcher or written as lines.
///
/// SIGUSR1 repeats the last one, SIGUSR2 makes it silent and, again, lets it speak; SIGINT and SIGTERM end it.
package final class Voice {
    /// Where announcements go.
    package enum Output {
        case speech(VoiceSettings)
        /// Takes each as a line; an error of it ends the program.
        case lines((String) throws -> Void)
    }

    private let reactor: Reactor
    private let language: Language
    private let output: Output
    private let signals: SignalWatch
    private var source: AnnouncementSource?
    private var speech: SpeechDispatcher?
    private var queue = UtteranceQueue()
    private var last: Utterance?
    private var isSilent: Bool
    /// Why nothing is spoken, as it was logged last.
    private var problem: String?
    /// Error that has ended it.
    private var failure: (any Error)?

    /// Unit: ns.
    private static let second: Int64 = 1_000_000_000

    /// Begins to call the daemon and speech-dispatcher.
    ///
    /// - Parameters:
    ///   - socket: path of the daemon's socket.
    ///   - isSilent: whether it begins silent.
    /// - Throws: `SystemError` if the event loop cannot start.
    package init(socket: String, language: Language, output: Output, isSilent: Bool) throws(SystemError) {
        (self.language, self.output, self.isSilent) = (language, output, isSilent)
        let reactor = try Reactor()
        self.reactor = reactor
        // Before libspeechd starts threads, which inherit what is blocked.
        var handle: (Int32) -> Void = { _ in }
        signals = try SignalWatch(reactor, [SIGINT, SIGTERM, SIGUSR1, SIGUSR2]) { handle($0) }
        handle = { [weak self] in self?.take(signal: $0) }
        source = AnnouncementSource(reactor, socket: socket, language: language) { [weak self] in self?.take($0) }
    }

    /// Speaks until SIGINT or SIGTERM.
    ///
    /// - Throws: what ended the output of lines.
    package func run() throws {
        reactor.every(Self.second) { [unowned self] in flush() }
        flush()
        reactor.run()
        source?.close()
        if let failure { throw failure }
    }

    private func take(_ event: SceneInterface.Event) {
        guard let utterance = Utterance(event) else { return }
        last = utterance
        guard !isSilent else { return }
        queue.add(utterance)
        flush()
    }

    private func take(signal: Int32) {
        switch signal {
        case SIGUSR1: repeatLast()
        case SIGUSR2: toggleSilence()
        default: reactor.stop()
        }
    }

    /// Says the last announcement again, even while it is silent.
    private func repeatLast() {
        guard let last else { return Log.info("nothing was announced yet") }
        queue.add(last.repeated(at: BootClock.nanoseconds))
        flush()
    }

    private func toggleSilence() {
        isSilent.toggle()
        Log.notice(isSilent ? "silent" : "speaking")
        if isSilent {
            queue.removeAll()
            speech?.cancel()
        }
    }

    /// Speaks what waits; what cannot be spoken waits for the next second, until it is obsolete.
    private func flush() {
        switch output {
        case .lines(let write): writeLines(write)
        case .speech(let settings):
            do throws(SpeechDispatcher.Problem) {
                try speak(settings)
            } catch {
                speech = nil
                report(error.description)
            }
        }
    }

    private func writeLines(_ write: (String) throws -> Void) {
        do {
            while let next = queue.next(at: BootClock.nanoseconds) { try write(next.utterance.line) }
        } catch {
            failure = error
            reactor.stop()
        }
    }

    private func speak(_ settings: VoiceSettings) throws(SpeechDispatcher.Problem) {
        let speech = try connected(settings)
        while let next = queue.next(at: BootClock.nanoseconds) {
            do throws(SpeechDispatcher.Problem) {
                try speech.say(next.utterance, cancels: next.cancels)
            } catch {
                queue.putBack(next.utterance)
                throw error
            }
        }
    }

    private func connected(_ settings: VoiceSettings) throws(SpeechDispatcher.Problem) -> SpeechDispatcher {
        if let speech { return speech }
        let made = try SpeechDispatcher(language, settings)
        if problem != nil { Log.notice("speech-dispatcher answers") }
        problem = nil
        if !made.hasVoice(for: language) {
            Log.warning(
                "speech-dispatcher has no voice for the language '\(language.rawValue)', and reads it as another: install "
                    + "the package espeak-ng and speech-dispatcher-espeak-ng, or choose a module by --module")
        }
        speech = made
        return made
    }

    private func report(_ text: String) {
        if problem != text { Log.warning("nothing is spoken: \(text); trying again every second") }
        problem = text
    }
}

extension Utterance {
    /// The text in one line, without control characters.
    fileprivate var line: String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { line.append(scalar.properties.generalCategory == .control ? " " : scalar) }
        return String(line)
    }
}
