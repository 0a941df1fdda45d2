import Configuration
import Foundation
import Testing

@Suite("Layers of the configuration")
struct LayerTests {
    @Test("drop-ins override the file in the order of their names, and only what they name")
    func order() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("w.toml", "[gnss]\nport = 1000\nhost = \"a\"\n[pose]\ndefault_rate_hz = 30\n")
        try directory.write("w.toml.d/20-late.toml", "[gnss]\nport = 3000\n")
        try directory.write("w.toml.d/10-early.toml", "[gnss]\nport = 2000\nhost = \"b\"\n")
        try directory.write("w.toml.d/.hidden.toml", "[gnss]\nport = 4000\n")
        try directory.write("w.toml.d/90-not.conf", "[gnss]\nport = 5000\n")
        let configuration = try Configuration.load(file: file)
        #expect(configuration.gnss.port == 3000)
        #expect(configuration.gnss.host == "b")
        #expect(configuration.pose.defaultRateHz == 30)
        #expect(configuration.pose.maxRateHz == Configuration().pose.maxRateHz)
        #expect(configuration.files == [file, "\(file).d/10-early.toml", "\(file).d/20-late.toml"])
    }

    @Test("the compiled defaults read real sensors")
    func realSensors() {
        #expect(Configuration().source.kind == .sensors)
    }

    @Test(
        "without any file of the system the compiled defaults hold",
        .enabled(
            if: !FileManager.default.fileExists(atPath: Configuration.systemFile), "this system has such a file"))
    func defaults() throws {
        #expect(try Configuration.load() == Configuration())
    }

    @Test("other defaults show through where no file says anything")
    func demonstration() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("w.toml", "[simulation]\nseed = 7\n")
        let configuration = try Configuration.load(
            file: file, defaults: .demonstration(socketFolder: "/run/user/1/demo", state: "/tmp/demo"))
        #expect(configuration.source.kind == .simulation)
        #expect(configuration.service.socket == "/run/user/1/demo/waymark.sock")
        #expect(
            configuration.state.directory == "/tmp/demo" && configuration.recording.directory == "/tmp/demo/recordings")
        #expect(configuration.simulation.seed == 7)
    }

    @Test("a file that was asked for and is missing is an error")
    func missing() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try Configuration.load(file: "/nonexistent/w.toml")
        }
        #expect(error.description == "/nonexistent/w.toml: cannot be read: No such file or directory")
    }

    @Test("the problems of all files are reported together")
    func problems() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("w.toml", "[gnss]\nport = 0\n")
        try directory.write("w.toml.d/1.toml", "[gnss\n")
        try directory.write("w.toml.d/2.toml", "[gnss]\nprot = 1\n")
        let error = try #require(throws: ConfigurationError.self) { try Configuration.load(file: file) }
        #expect(error.problems.map(\.file) == [file, "\(file).d/1.toml", "\(file).d/2.toml"])
        #expect(error.description.split(separator: "\n").count == 3)
    }

    @Test("rates that contradict each other across files are blamed on the line that set the default rate")
    func contradiction() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("w.toml", "[pose]\ndefault_rate_hz = 100\n")
        try directory.write("w.toml.d/1.toml", "[pose]\nmax_rate_hz = 50\n")
        let error = try #require(throws: ConfigurationError.self) { try Configuration.load(file: file) }
        #expect(error.problems.map(\.line) == [2])
        #expect(error.problems.first?.file == file)
    }

    @Test("a directory, a pipe and a file beyond 1 MiB are refused without reading them")
    func unfit() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path + "/pipe.toml"
        #expect(mkfifo(pipe, 0o600) == 0)
        let large = try directory.write("large.toml", String(repeating: "#", count: 1 << 20) + "\n")
        let fits = try directory.write("fits.toml", String(repeating: "#", count: (1 << 20) - 1) + "\n")
        for (file, text) in [
            (directory.path, "is not a regular file"), (pipe, "is not a regular file"), (large, "is larger than 1 MiB"),
        ] {
            let error = try #require(throws: ConfigurationError.self) { try Configuration.load(file: file) }
            #expect(error.problems.map(\.description) == ["\(file): \(text)"])
        }
        #expect(try Configuration.load(file: fits).gnss == Configuration().gnss)
    }
}
