import Fleet
import Linux
import Configuration

extension Command {
    private static let json = Flag("json", help: "Print one JSON object per line")
    private static let count = Option.integer(
        "count", short: "n", value: "COUNT", in: 1...Int.max, help: "Stop after COUNT lines")
    private static let timeout = Option.duration(
        "timeout", in: 0.1...Deadline.maximumSeconds,
        help: "Stop after TIME, such as 90s; exit status 4 without a wearer or with fewer than COUNT lines")
    private static let interval = Option.duration(
        "interval", in: 0...3600, help: "At most one line per wearer in TIME (default: 1s)")
    private static let topic = Option.text(
        "topic", value: "TOPIC", help: "First part of the topics, as the setting mqtt.topic (default: waymark)")

    /// Maximum memory of this program. If a message does not fit into it, the library drops the connection. Unit:
    /// bytes.
    private static let maximumMemory = 256 << 20

    static let fleetWatch = Command(
        "fleet watch", "Show the wearers that publish at a broker, live until Ctrl-C.",
        options: [json, count, timeout, interval, topic] + BrokerOptions.all, usesDaemon: false,
        notes: """
            A terminal shows a list and a map on its whole screen until q; otherwise a line is printed for each wearer
            of which something has come. The broker has to permit reading TOPIC/+/+.
            """, run: run)

    private static func run(_ options: ParsedOptions) throws -> ExitCode {
        let broker = try BrokerOptions(options)
        let root = options[topic] ?? "waymark"
        guard FleetTopics.isRoot(root) else {
            throw Misuse("--topic must be names of letters, digits, - and _, with / between")
        }
        ignoreSIGPIPE()
        Log.threshold = .error
        // A broker may send messages of 256 MB, which the library keeps in memory as a whole.
        ProcessResources.limitData(bytes: maximumMemory)
        let deadline = Deadline(seconds: options[timeout])
        let observer = try FleetObserver(root: root, broker.access, brokers: broker.brokers)
        defer { observer.close() }
        try connect(observer, attempts: broker.brokers.count, deadline)
        if Terminal.isInteractive, !options[json] {
            try FleetWatch.run(observer, deadline)
            return .done
        }
        let plan = FleetLines(
            asJSON: options[json], count: options[count] ?? .max, interval: options[interval] ?? 1, deadline: deadline)
        let printed = try plan.print(observer)
        if let wanted = options[count], printed < wanted {
            throw CommandError.timedOut("only \(printed) of \(wanted) lines came in time")
        }
        guard printed > 0 else {
            throw CommandError.timedOut(
                "nothing has come on \(root)/+/+: does a wearer publish, and may this client read it?")
        }
        return .done
    }

    /// Waits for the first connection. If none can be made, the command fails instead of trying again, because a wrong
    /// address or a missing permission is the most likely cause.
    ///
    /// - Parameter attempts: number of brokers, each of which is tried once.
    private static func connect(_ observer: FleetObserver, attempts: Int, _ deadline: Deadline) throws {
        var problems: [String] = []
        while !deadline.hasPassed {
            observer.run(milliseconds: 100)
            switch observer.link {
            case .connected: return
            case .connecting: continue
            case .away(_, let problem):
                if problems.last != problem { problems.append(problem) }
                guard observer.failures >= attempts else { continue }
                throw CommandError(code: .unreachable, description: problems.joined(separator: "\n"))
            }
        }
        throw CommandError.timedOut(problems.last ?? "the broker has not answered in time")
    }
}
