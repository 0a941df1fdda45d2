import Configuration
import Linux
import LiveService
import Options
import Systemd

/// `waymark serve`: the live page, until a signal ends it.
enum ServeCommand: Command {
    static let word = "serve"

    private static let http = Option.text(
        "http", value: "ADDRESS", help: "Serve at this address (default: serve.http of the settings, 127.0.0.1:8765)")
    private static let remote = Flag("allow-remote", help: "Permit an address that other computers can reach")
    private static let config = Option.text(
        "config", value: "FILE", help: "Configuration file (default: /etc/waymark/waymark.toml)")

    static let syntax: Syntax = syntax(
        "Serve a live page for browsers, and Foxglove's protocol, until Ctrl-C.", options: [http, remote, config],
        notes: "ADDRESS is numeric with a port: 127.0.0.1:8765 or [::1]:8765; port 0 chooses one.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        ignoreSIGPIPE()
        let server = try server(options)
        let status = "serves http://\(server.address)/ and ws://\(server.address)/ for Foxglove"
        Log.notice(status)
        let notifier = ServiceNotifier()
        notifier.protectMemory()
        notifier.ready(status: status)
        try server.run(every: notifier.watchdogInterval.map { $0 / 3 }) { notifier.watchdog() }
        notifier.stopping()
        return .done
    }

    private static func server(_ options: ParsedOptions) throws -> LiveServer {
        do {
            return try LiveServer(settings(options), version: Program.version)
        } catch let error as ConfigurationError {
            throw CommandError(code: .usage, description: "\(error)")
        } catch let error as LiveServer.Problem {
            throw CommandError(code: .usage, description: "\(error)")
        }
    }

    private static func settings(_ options: ParsedOptions) throws(ConfigurationError) -> Configuration {
        var configuration = try Configuration.load(file: options[config])
        Log.threshold = configuration.service.logLevel.priority
        if let socket = environment("WAYMARK_SOCKET") { configuration.service.socket = socket }
        configuration.serve.http = options[http] ?? configuration.serve.http
        configuration.serve.allowRemote = options[remote] || configuration.serve.allowRemote
        return configuration
    }
}
