import Commands
import Testing

@Suite("a diagnosis in words")
struct DiagnosisTextTests {
    private var facts: BoardFacts {
        var facts = BoardFacts(version: "1")
        facts.socket = SocketFacts(path: "/run/x\u{1B}[2J.sock", outcome: .refused)
        facts.clock = ClockFacts(now: 1_782_000_000, isSynchronised: true)
        return facts
    }

    @Test("each group has a title, each trouble what it means, what fixes it, and its name")
    func groups() {
        let lines = DiagnosisText.lines(Diagnosis(of: facts), canvas: nil)
        #expect(lines[0] == "Socket" && lines[1].hasPrefix("  FAILURE  /run/x"))
        #expect(lines[3].contains("fix: rm ") && lines[3].hasSuffix("[socket.stale]"))
        #expect(lines.contains("Clock") && lines.contains("  ok       clock: the system clock is set, synchronised"))
        #expect(lines.last == "1 failure, 0 warnings, 1 ok")
    }

    @Test("what is in a path moves no cursor, and colours are for terminals that have them")
    func colours() {
        #expect(!DiagnosisText.lines(Diagnosis(of: facts), canvas: nil).joined().contains("\u{1B}"))
        let coloured = DiagnosisText.lines(Diagnosis(of: facts), canvas: Canvas(colour: true)).joined()
        #expect(coloured.contains("\u{1B}[") && !coloured.contains("\u{1B}[2J"))
        #expect(!DiagnosisText.lines(Diagnosis(of: facts), canvas: Canvas(colour: false)).joined().contains("\u{1B}"))
    }

    @Test("a board with nothing wrong says so in one line at the end")
    func well() {
        var facts = facts
        facts.socket?.outcome = .answered
        #expect(DiagnosisText.lines(Diagnosis(of: facts), canvas: nil).last == "All is well.")
    }
}
