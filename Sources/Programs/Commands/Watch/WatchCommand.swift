import Configuration
import WaymarkClient

extension Command {
    private static let json = Flag("json", help: "Print one JSON object per line")
    private static let count = Option.integer(
        "count", short: "n", value: "COUNT", in: 1...Int.max, help: "Stop after COUNT poses")
    private static let timeout = Option.duration(
        "timeout", in: 0.1...Deadline.maximumSeconds,
        help: "Stop after TIME, such as 90s; exit status 4 without a pose or with fewer than COUNT")
    private static let rate = Option.number(
        "rate", value: "HZ", in: 1...1000, help: "At most HZ poses per second (default: 10; lines of text: 1)")

    static let watch = Command(
        "watch", "Show the pose live until Ctrl-C.", options: [json, count, timeout, rate, predict],
        notes: "A terminal shows the view on its whole screen until q; otherwise one line is printed per pose."
    ) { options in
        let isLive = Terminal.isInteractive && !options[json]
        let request = LiveRequest(
            rate: options[rate] ?? (isLive || options[json] ? 10 : 1),
            predictAhead: options[predict].map { $0 / 1000 }, count: options[count] ?? .max,
            deadline: Deadline(seconds: options[timeout]))
        guard let shown = isLive ? try LiveWatch.run(request) : try lines(request, asJSON: options[json]) else {
            return .done
        }
        // The time is over, which is a success unless fewer poses than requested arrived.
        if let wanted = options[count], shown < wanted {
            throw CommandError.timedOut("only \(shown) of \(wanted) poses arrived in time")
        }
        guard shown > 0 else { throw CommandError.timedOut("no pose received; see 'waymark status'") }
        return .done
    }

    /// Time without a pose after which a line on standard error reports this. Unit: seconds.
    private static let silence = 3.0
    private static let absence =
        "waymark: no pose for 3 s: the daemon has none, or does not respond; see 'waymark status'"

    /// Prints a line for each pose; returns their number.
    private static func lines(_ request: LiveRequest, asJSON: Bool) throws -> Int {
        let poses = try request.connect { () throws(WaymarkError) in
            try PoseStream(rate: request.rate, withFrames: false, predictAhead: request.predictAhead)
        }
        var (shown, isSilent) = (0, false)
        while shown < request.count, !request.deadline.hasPassed {
            guard let update = try poses.next(until: request.deadline.orEarlier(Deadline(seconds: silence))) else {
                if !isSilent, !request.deadline.hasPassed { Terminal.complain(absence) }
                isSilent = true
                continue
            }
            isSilent = false
            guard case .pose(let pose) = update else { continue }
            try Terminal.print(asJSON ? JSONText.line(pose) : PoseText.line(pose) + "\n")
            shown += 1
        }
        return shown
    }
}
