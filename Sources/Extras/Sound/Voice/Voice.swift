import Glibc
import Linux
import WaymarkInterface
import Messages

/// `waymark-voice`: speaks the daemon's announcements through speech-dispatcher, or writes them as lines.
///
/// SIGUSR1 repeats the last announcement, and SIGUSR2 toggles silence. SIGINT and SIGTERM end the program.
package final class Voice {
    package enum Output {
        case speech(VoiceSettings)
        /// Called with each announcement as a line; an error ends the program.
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
    /// Time of the next attempt to call speech-dispatcher, CLOCK_BOOTTIME. Unit: ns.
    private var nextAttempt: Int64 = 0
    /// Pause after the next failure. It doubles with each failure. Each announcement resets it, because the
    /// announcement would become obsolete during a long pause. Unit: ns.
    private var pause = Voice.second
    /// Last logged reason why speech does not work.
    private var problem: String?
    /// Error that has ended the program.
    private var failure: (any Error)?

    private static let second: Int64 = 1_000_000_000

    /// Starts connecting to the daemon and speech-dispatcher.
    ///
    /// - Throws: `SystemError` if the event loop cannot start.
    package init(socket: String, language: Language, output: Output, isSilent: Bool) throws(SystemError) {
        (self.language, self.output, self.isSilent) = (language, output, isSilent)
        let reactor = try Reactor()
        self.reactor = reactor
        // The signals are blocked before libspeechd starts threads, because threads inherit the signal mask.
        var handle: (Int32) -> Void = { _ in }
        signals = try SignalWatch(reactor, [SIGINT, SIGTERM, SIGUSR1, SIGUSR2]) { handle($0) }
        handle = { [weak self] in self?.take(signal: $0) }
        source = AnnouncementSource(reactor, socket: socket, language: language) { [weak self] in self?.take($0) }
    }

    /// Speaks until SIGINT or SIGTERM.
    ///
    /// - Throws: the error that ended the output of lines.
    package func run() throws {
        reactor.every(Self.second) { [unowned self] in flush() }
        begin()
        reactor.run()
        source?.close()
        if let failure { throw failure }
    }

    /// Connects once at the start, so that a problem is reported before the first announcement.
    private func begin() {
        guard case .speech(let settings) = output else { return }
        attempt { () throws(SpeechDispatcher.Problem) in _ = try connected(settings) }
    }

    private func take(_ event: SceneInterface.Event) {
        guard let utterance = Utterance(event) else { return }
        last = utterance
        if !isSilent { add(utterance) }
    }

    private func add(_ utterance: Utterance) {
        queue.add(utterance)
        (nextAttempt, pause) = (0, Self.second)
        flush()
    }

    private func take(signal: Int32) {
        switch signal {
        case SIGUSR1: repeatLast()
        case SIGUSR2: toggleSilence()
        default: reactor.stop()
        }
    }

    /// Repeats the last announcement, even while silent.
    private func repeatLast() {
        guard let last else { return Log.info("nothing was announced yet") }
        add(last.repeated(at: BootClock.nanoseconds))
    }

    private func toggleSilence() {
        isSilent.toggle()
        Log.notice(isSilent ? "silent" : "speaking")
        if isSilent {
            queue.removeAll()
            speech?.cancel()
        }
    }

    /// Speaks waiting utterances. After a failure they wait for another attempt until they are obsolete.
    private func flush() {
        switch output {
        case .lines(let write): writeLines(write)
        case .speech(let settings):
            let now = BootClock.nanoseconds
            guard queue.waits(at: now), now >= nextAttempt else { return }
            attempt { () throws(SpeechDispatcher.Problem) in try speak(settings) }
        }
    }

    private func attempt(_ work: () throws(SpeechDispatcher.Problem) -> Void) {
        do throws(SpeechDispatcher.Problem) {
            try work()
        } catch {
            speech = nil
            nextAttempt = BootClock.nanoseconds + pause
            pause *= 2
            report(error.description)
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
        if problem != text { Log.warning("nothing is spoken: \(text); trying again with the next announcement") }
        problem = text
    }
}

extension Utterance {
    /// The text on one line, without control characters.
    fileprivate var line: String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { line.append(scalar.properties.generalCategory == .control ? " " : scalar) }
        return String(line)
    }
}
