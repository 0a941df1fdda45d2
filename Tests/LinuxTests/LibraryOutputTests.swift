import Foundation
import Linux
import Testing

@Suite struct LibraryOutputTests {
    @Test("what a library prints on a diverted thread does not reach standard error; other threads are not concerned")
    func diverts() {
        let before = LibraryOutput.count
        let diverted = WorkerThread(name: "chatter") { _ in
            LibraryOutput.divertOnThisThread()
            // perror stands for a library: it prints through stdio's stderr.
            for _ in 0..<5 { perror("must not be seen") }
        }
        #expect(diverted.stop(timeoutSeconds: 5))
        let after = LibraryOutput.count
        #expect(after >= before + 5)
        let other = WorkerThread(name: "no chatter") { _ in perror("a line that a test prints on purpose") }
        #expect(other.stop(timeoutSeconds: 5))
    }
}
