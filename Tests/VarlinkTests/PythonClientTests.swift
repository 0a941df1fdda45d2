import Foundation
import Testing

@Suite struct PythonClientTests {
    private static let python = ProcessInfo.processInfo.environment["WAYMARK_PYTHON"] ?? "python3"

    private static func run(_ arguments: [String]) throws -> (status: Int32, output: Data) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    private static var hasVarlink: Bool {
        (try? run(["-c", "import varlink"]).status) == 0
    }

    private struct Seen: Decodable {
        struct Echo: Decodable {
            var text: String
            var number: Int?
        }

        var product: String
        var interfaces: [String]
        var methods: [String]
        var echo: Echo
        var absent: Echo
        var error: String
        var reason: String
        var missing: String
        var ticks: [Int]
    }

    @Test(
        "the varlink package of PyPI lists, introspects, calls and streams",
        .enabled(if: hasVarlink, "python3 cannot import varlink: pip install varlink"))
    func outsideClient() throws {
        let server = try TestServer()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Support/varlink_client.py")
        let (status, output) = try Self.run([script.path, server.path])
        #expect(status == 0)
        let seen = try JSONDecoder().decode(Seen.self, from: output)
        #expect(seen.product == "Test")
        #expect(seen.interfaces == ["org.example.test", "org.varlink.service"])
        #expect(seen.methods.contains("Watch") && seen.methods.count == 18)
        #expect(seen.echo.text == "grüezi")
        #expect(seen.echo.number == 7)
        #expect(seen.absent.number == nil)
        #expect(seen.error == "org.example.test.Refused")
        #expect(seen.reason == "size")
        #expect(seen.missing == "org.varlink.service.MethodNotImplemented")
        #expect(seen.ticks == [1, 2, 3])
    }
}
