import Glibc
import Linux
import Testing

@Suite("Log lines")
struct LogTests {
    private static func text(_ priority: Log.Priority, _ message: String, forJournal: Bool) -> String {
        String(decoding: Log.line(priority, message, forJournal: forJournal), as: UTF8.self)
    }

    @Test("a line for the journal begins with its priority, one for people with a word where it is a problem")
    func forms() {
        #expect(Self.text(.notice, "ready", forJournal: true) == "<5>ready\n")
        #expect(Self.text(.warning, "no ring", forJournal: true) == "<4>no ring\n")
        #expect(Self.text(.notice, "ready", forJournal: false) == "ready\n")
        #expect(Self.text(.warning, "no ring", forJournal: false) == "warning: no ring\n")
        #expect(Self.text(.error, "no socket", forJournal: false) == "error: no socket\n")
        #expect(Self.text(.debug, "a\nb\u{1B}[1m", forJournal: false) == "a b [1m\n")
    }

    @Test("a descriptor leads to the journal only where it is the very file that the service manager names")
    func journal() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var status = stat()
        fstat(ends[1], &status)
        let name = "\(status.st_dev):\(status.st_ino)"
        #expect(JournalStream.isConnected(ends[1], as: name))
        #expect(!JournalStream.isConnected(ends[1], as: nil))
        #expect(!JournalStream.isConnected(ends[1], as: "\(status.st_dev):\(status.st_ino + 1)"))
        for nonsense in ["", ":", "1", "\(name):1", "-\(name)", "x:y"] {
            #expect(!JournalStream.isConnected(ends[1], as: nonsense))
        }
        #expect(!JournalStream.isConnected(-1, as: name))
    }
}
