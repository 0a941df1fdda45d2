import Fleet
import Glibc
import Linux
import Configuration

extension Command {
    private static let wearers = Option.integer(
        "wearers", value: "N", in: 1...FleetSimulation.maximumWearerCount, help: "Number of wearers (default: 10)")
    private static let prefix = Option.text(
        "prefix", value: "NAME", help: "Identifiers are NAME-0, NAME-1 and so on (default: trial)")
    private static let rate = Option.number(
        "rate", value: "HZ", in: 0.01...10, help: "Poses per second of each (default: 1)")
    private static let events = Option.duration(
        "events", in: 0...3600, help: "Time between two events of each, 0 for none (default: 10s)")
    private static let duration = Option.duration(
        "duration", in: 1...3600, help: "Stop after TIME: 90s, 5min, 1h or a number of seconds (default: 60s)")
    private static let folder = Option.text(
        "directory", value: "DIR", help: "Keep the queues in DIR, so that another run goes on with them")
    private static let remote = Flag(
        "allow-remote", help: "Permit a broker on another computer, for which the trial is a load")
    private static let json = Flag("json", help: "Print the result as JSON")

    static let fleetSimulate = Command(
        "fleet simulate", "Publish simulated wearers at a broker, for trials.",
        options: [wearers, prefix, rate, events, duration, folder, remote, json] + BrokerOptions.all, usesDaemon: false,
        notes: """
            Each wearer has a connection and a queue of its own, as a board has. The broker has to permit all ids to one
            user. For more wearers, run several with different prefixes. At the end the queues have 30 s to empty.
            """
    ) { options in
        let broker = try BrokerOptions(options)
        if let remote = broker.brokers.first(where: { !$0.isLoopback }), !options[Self.remote] {
            throw Misuse(
                "\(remote) is on another computer: a trial is a load for it; permit that by --allow-remote")
        }
        ignoreSIGPIPE()
        umask(0o077)
        let temporary = try options[folder] == nil ? TemporaryFolder(in: "/tmp", prefix: "waymark-fleet-") : nil
        defer { temporary?.remove() }
        var plan = FleetSimulation.Plan(brokers: broker.brokers, folder: options[folder] ?? temporary?.path ?? "")
        plan.access = broker.access
        plan.wearers = options[wearers] ?? plan.wearers
        plan.prefix = options[prefix] ?? plan.prefix
        guard FleetTopics.isIdentifier("\(plan.prefix)-\(plan.wearers)") else {
            throw Misuse("--prefix must be letters, digits, - and _, at most 60")
        }
        plan.poseRate = options[rate] ?? plan.poseRate
        plan.eventInterval = options[events] ?? plan.eventInterval
        plan.duration = options[duration] ?? plan.duration
        return try run(plan, asJSON: options[json])
    }

    /// Number of descriptors per wearer: its files, its connection, and wake-ups of its threads.
    private static let descriptorsOfWearer = 12

    private static func run(_ plan: FleetSimulation.Plan, asJSON: Bool) throws -> ExitCode {
        let needed = plan.wearers * descriptorsOfWearer + 64
        let allowed = ProcessResources.allowDescriptors(needed)
        guard allowed >= needed else {
            throw CommandError.failed(
                "\(plan.wearers) wearers need \(needed) open files, and \(allowed) are permitted: see `ulimit -Hn`")
        }
        Log.threshold = .error
        let progress = ProgressLine()
        let result: FleetSimulation.Result
        do {
            let simulation = try FleetSimulation(plan, version: Program.version)
            result = simulation.run { progress.show(line($0)) }
        } catch let error as OutboundQueue.Problem {
            throw CommandError.failed("\(error)")
        }
        progress.end()
        try Terminal.print(asJSON ? json(result) : line(result) + "\n")
        return .done
    }

    private static func line(_ result: FleetSimulation.Result) -> String {
        let counts = result.counts
        return "\(result.poses) poses, \(result.events) events; acknowledged \(counts.published), waiting "
            + "\(counts.poses + counts.events), dropped \(counts.droppedPoses) poses, lost \(counts.lostEvents) events; "
            + "\(counts.connections) connections"
    }

    private static func json(_ result: FleetSimulation.Result) -> String {
        let counts = result.counts
        let members: [(String, String)] = [
            ("poses", "\(result.poses)"), ("events", "\(result.events)"), ("acknowledged", "\(counts.published)"),
            ("waiting", "\(counts.poses + counts.events)"), ("droppedPoses", "\(counts.droppedPoses)"),
            ("lostEvents", "\(counts.lostEvents)"), ("connections", "\(counts.connections)"),
            ("processorSeconds", "\(result.processorSeconds)"),
        ]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}\n"
    }
}
