import Bridges
import Testing

@Suite("Requests of gpsd's clients")
struct GPSDRequestTests {
    private func read(_ text: String) throws(GPSDRequest.Refusal) -> GPSDRequest? {
        try GPSDRequest.read(Array(text.utf8))
    }

    @Test("Commands are read with white space around them, and nothing is no command")
    func commands() throws {
        #expect(try read("?VERSION") == .version)
        #expect(try read(" \r\n?DEVICES\t") == .devices)
        #expect(try read("?DEVICE={\"path\":\"/dev/ttyUSB0\",\"bps\":4800}") == .device)
        #expect(try read("?POLL") == .poll)
        #expect(try read("?WATCH") == .watch(nil))
        #expect(try read("") == nil && read(" \n") == nil)
    }

    @Test("A watch has the formats that it names, JSON if it names none")
    func watches() throws {
        func watch(_ text: String) throws -> GPSDRequest.Watch? {
            guard case .watch(let watch) = try read("?WATCH=" + text) else { return nil }
            return watch
        }
        let json = try #require(try watch("{\"enable\":true,\"json\":true}"))
        #expect(json.isEnabled && json.json && !json.nmea)
        // As QGIS asks.
        let nmea = try #require(try watch("{\"enable\":true,\"nmea\":true,\"raw\":true}"))
        #expect(nmea.isEnabled && !nmea.json && nmea.nmea)
        let plain = try #require(try watch("{\"enable\":true}"))
        #expect(plain.json)
        let off = try #require(try watch("{\"enable\":false}"))
        #expect(!off.isEnabled)
        #expect(try watch("{\"device\":\"waymark\"}")?.json == true)
    }

    @Test(
        "Everything else is refused with a sentence",
        arguments: [
            "hello", "?", "?LAUNCH", "?WATCH=", "?WATCH={", "?WATCH=[1]", "?WATCH=1",
            "?WATCH={\"device\":\"/dev/ttyS0\"}",
            "?WATCH={\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}", "?version", "GET / HTTP/1.1", "?\u{1B}[2J",
        ])
    func refusals(_ text: String) {
        #expect(throws: GPSDRequest.Refusal.self) { try GPSDRequest.read(Array(text.utf8)) }
    }

    @Test("A refusal repeats no control characters and no long text")
    func quoting() {
        do throws(GPSDRequest.Refusal) {
            _ = try read("?\u{1B}[2J" + String(repeating: "x", count: 5000))
            Issue.record("not refused")
        } catch {
            #expect(error.message.utf8.allSatisfy { (32..<127).contains($0) })
            #expect(error.message.utf8.count < 100)
        }
    }

    @Test("Random bytes are read or refused, and nothing else happens")
    func fuzz() {
        var state: UInt64 = 7
        for _ in 0..<20_000 {
            var bytes = Array("?WATCH={\"enable\":true,\"json\":true,\"device\":\"waymark\"}".utf8)
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
            }
            if let request = try? GPSDRequest.read(bytes), case .watch(let watch?) = request {
                #expect(!watch.isEnabled || watch.json || watch.nmea)
            }
        }
    }
}
