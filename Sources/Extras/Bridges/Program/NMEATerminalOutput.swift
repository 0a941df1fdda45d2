import Linux

/// NMEA 0183 on a pseudo-terminal, for programs that read a serial port.
package final class NMEATerminalOutput: BridgeOutput {
    private let reactor: Reactor
    private let terminal: PseudoTerminal
    private let poses: PoseSource
    private let receiver: () -> ReceiverView
    private var sentences: LiveSentences
    private var timer: TimerIdentifier?
    private var isRead = false

    package var description: String { "NMEA 0183 on the terminal \(terminal.path)" }

    /// - Parameter rate: groups of sentences per second.
    package init(
        _ reactor: Reactor, _ terminal: PseudoTerminal, rate: Double, sentences: LiveSentences = LiveSentences(),
        poses: PoseSource, receiver: @escaping () -> ReceiverView
    ) {
        self.reactor = reactor
        self.terminal = terminal
        self.sentences = sentences
        self.poses = poses
        self.receiver = receiver
        timer = reactor.every(Int64(1e9 / rate)) { [unowned self] in send() }
    }

    package func close() {
        if let timer { reactor.cancel(timer) }
        timer = nil
        hold(false)
        terminal.close()
    }

    private func send() {
        hold(terminal.hasReader)
        guard isRead else { return }
        terminal.send(sentences.write(poses.newest, receiver: receiver()))
    }

    /// Acquires poses only while a program has the terminal open.
    private func hold(_ wanted: Bool) {
        guard wanted != isRead else { return }
        isRead = wanted
        if wanted { poses.acquire() } else { poses.release() }
    }
}
