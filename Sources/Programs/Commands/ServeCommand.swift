import Configuration
import Linux
import Pages

extension Command {
    private static let http = Option.text(
        "http", value: "ADDRESS", help: "Serve at this address (default: serve.http of the settings, 127.0.0.1:8765)")
    private static let remote = Flag("allow-remote", help: "Permit an address that other computers can reach")
    private static let noToken = Flag("no-token", help: "Let every user of this computer read, without a token")
    private static let changes = Flag("allow-changes", help: "Let the page set the wearer's destination")
    private static let tiles = Option.text(
        "tiles", value: "FILE", help: "Show this map's tiles (MBTiles or PMTiles; default: serve.tiles)")

    static let serve = Command(
        "serve", "Serve a live page for browsers, and Foxglove's protocol, until Ctrl-C.",
        options: [http, remote, noToken, changes, tiles, Option.config],
        notes: "ADDRESS is numeric with a port: 127.0.0.1:8765 or [::1]:8765; port 0 chooses one."
    ) { options in
        ignoreSIGPIPE()
        let (server, settings) = try server(options)
        try announce(server.address, settings)
        let notifier = ServiceNotifier()
        notifier.protectMemory()
        // Every user can read the status, so it does not include the token.
        notifier.ready(status: "serves http://\(server.address.server)/")
        try server.run(every: notifier.watchdogInterval.map { $0 / 3 }) { notifier.watchdog() }
        notifier.stopping()
        return .done
    }

    /// Prints the address with its token; a service writes it to a file instead, because the journal keeps the output
    /// of a service.
    private static func announce(_ address: PageAddress, _ settings: Configuration) throws {
        // A unit may have several folders; the first one is used.
        guard let folder = environment("RUNTIME_DIRECTORY")?.split(separator: ":").first else {
            // Printed regardless of the log level, because the page cannot be opened without the address.
            return try Terminal.print(
                ["serves \(address), and Foxglove at the same address with ws:// in place of http://"])
        }
        let path = "\(folder)/address"
        do {
            try address.write(to: path, forReadersOf: settings.service.socket)
        } catch {
            throw CommandError(code: .failed, description: "\(path): \(error)")
        }
        Log.notice("serves http://\(address.server)/; the address for browsers is in \(path)")
    }

    private static func server(_ options: ParsedOptions) throws -> (LiveServer, Configuration) {
        do {
            let settings = try settings(options)
            return (try LiveServer(settings, version: Program.version), settings)
        } catch let error as ConfigurationError {
            throw CommandError(code: .usage, description: "\(error)")
        } catch let error as LiveServer.Problem {
            throw CommandError(code: .usage, description: "\(error)")
        }
    }

    private static func settings(_ options: ParsedOptions) throws(ConfigurationError) -> Configuration {
        var configuration = try Configuration.load(file: options[.config])
        Log.threshold = configuration.service.logLevel.priority
        DaemonSocket.apply(options, to: &configuration.service)
        configuration.serve.http = options[http] ?? configuration.serve.http
        configuration.serve.requireToken = configuration.serve.requireToken && !options[noToken]
        configuration.serve.allowChanges = options[changes] || configuration.serve.allowChanges
        if let file = options[tiles] { configuration.serve.tiles = file }
        configuration.serve.allowRemote = options[remote] || configuration.serve.allowRemote
        return configuration
    }
}
