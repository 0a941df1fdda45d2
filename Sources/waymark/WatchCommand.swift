import Display
import Linux
import Options
import WaymarkClient

/// `waymark watch`: the pose as it goes.
enum WatchCommand: Command {
    static let word = "watch"

    private static let json = Flag("json", help: "Print one JSON object per line")
    private static let count = Option.integer(
        "count", short: "n", value: "COUNT", in: 1...Int.max, help: "Stop after COUNT poses")
    private static let timeout = Option.duration(
        "timeout", in: 0.1...Deadline.longest,
        help: "Stop after TIME, such as 90s; exit status 4 without a pose or with fewer than COUNT")
    private static let rate = Option.number(
        "rate", value: "HZ", in: 1...1000, help: "At most HZ poses per second (default: 10)")

    static let syntax: Syntax = syntax(
        "Show the pose live until Ctrl-C.", options: [json, count, timeout, rate, PoseCommand.predict],
        notes: "On a terminal the view is redrawn in place; otherwise one line is printed per pose.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let deadline = Deadline(seconds: options[timeout])
        var output = try output(asJSON: options[json])
        defer { output.end() }
        var shown = 0
        let poses = try PoseStream(
            rate: options[rate] ?? 10, withFrames: output.wantsFrames,
            predictAhead: options[PoseCommand.predict].map { $0 / 1000 })
        while shown < options[count] ?? .max, let update = try poses.next(until: deadline) {
            try output.show(update)
            if case .pose = update { shown += 1 }
        }
        // Time is up: that is what was asked for, unless more was asked for than came.
        if let wanted = options[count], shown < wanted {
            throw CommandError.timedOut("only \(shown) of \(wanted) poses arrived in time")
        }
        guard shown > 0 else { throw CommandError.timedOut("no pose received; see 'waymark status'") }
        return .done
    }

    private static func output(asJSON: Bool) throws -> any PoseOutput {
        if asJSON { return JSONOutput() }
        return Terminal.isInteractive ? try LiveOutput() : PlainOutput()
    }
}

/// A form in which poses are shown one after the other.
protocol PoseOutput {
    /// Whether corrections of the scene frame are shown too.
    var wantsFrames: Bool { get }
    mutating func show(_ update: Waymark.PoseUpdate) throws
    /// Gives the terminal back.
    mutating func end()
}

/// Output of one JSON object per line, as the daemon sends it.
struct JSONOutput: PoseOutput {
    let wantsFrames = false

    func show(_ update: Waymark.PoseUpdate) throws {
        guard case .pose(let pose) = update else { return }
        try Terminal.print(JSONText.line(pose))
    }

    func end() {}
}

/// Output of one line of text per pose.
struct PlainOutput: PoseOutput {
    let wantsFrames = false

    func show(_ update: Waymark.PoseUpdate) throws {
        guard case .pose(let pose) = update else { return }
        try Terminal.print(PoseText.line(pose) + "\n")
    }

    func end() {}
}

/// The live view, redrawn in place.
struct LiveOutput: PoseOutput {
    let wantsFrames = true
    private var view = LiveView()
    private var screen = LiveScreen()
    /// A connection of its own: on the other one a call would wait behind the stream.
    private let client: Waymark.Client
    private var nextLook: Int64 = 0

    /// What lies ahead changes with walking pace.
    private static let lookInterval: Int64 = 1_000_000_000

    init() throws {
        client = try Waymark.Client()
        try screen.draw(view.lines(columns: LiveScreen.size.columns - 1))
    }

    mutating func show(_ update: Waymark.PoseUpdate) throws {
        switch update {
        case .frame(let frame):
            view.frame = frame
        case .pose(let pose):
            view.show(pose)
            try lookAhead()
            try screen.draw(view.lines(columns: LiveScreen.size.columns - 1))
        }
    }

    private mutating func lookAhead() throws {
        let now = BootClock.nanoseconds
        guard now >= nextLook else { return }
        nextLook = now + Self.lookInterval
        do throws(WaymarkError) {
            view.ahead = try client.ahead(limit: LiveView.aheadLimit)
        } catch {
            guard case .scene(.notLocalized) = error else { throw error }
            view.ahead = []
        }
    }

    mutating func end() { screen.end() }
}
