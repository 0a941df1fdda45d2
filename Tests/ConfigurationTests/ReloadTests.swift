import Configuration
import Testing

@Suite("Reloading")
struct ReloadTests {
    @Test("what needs a restart keeps its running value and is named, the rest takes effect")
    func reload() {
        let running = Configuration()
        var new = running
        new.service.logLevel = .debug
        new.service.maxClients = 7
        new.gnss.port = 3000
        new.service.socketMode = 0o600
        let (result, waiting) = running.reloaded(with: new)
        #expect(waiting.map(\.path) == ["service.socket_mode", "gnss.port"])
        #expect(result.gnss.port == running.gnss.port)
        #expect(result.service.socketMode == running.service.socketMode)
        #expect(result.service.logLevel == .debug)
        #expect(result.service.maxClients == 7)
        #expect(running.changes(to: result).map(\.path) == ["service.max_clients", "service.log_level"])
    }

    @Test("an unchanged file changes nothing")
    func unchanged() {
        #expect(Configuration().reloaded(with: Configuration()).waiting.isEmpty)
        #expect(Configuration().changes(to: Configuration()).isEmpty)
    }
}
