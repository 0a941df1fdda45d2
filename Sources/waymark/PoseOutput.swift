import Display
import Linux
import WaymarkClient

/// A form in which poses are shown one after the other.
protocol PoseOutput {
    /// Whether corrections of the scene frame are shown too.
    var wantsFrames: Bool { get }
    mutating func show(_ update: Waymark.PoseUpdate) throws
    /// Gives the terminal back.
    mutating func end()
}

/// One JSON object a line, as the daemon sends it.
struct JSONOutput: PoseOutput {
    let wantsFrames = false

    func show(_ update: Waymark.PoseUpdate) throws {
        guard case .pose(let pose) = update else { return }
        try Terminal.print(JSONText.line(pose))
    }

    func end() {}
}

/// One line of words for each pose.
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
        try screen.draw(view.lines)
    }

    mutating func show(_ update: Waymark.PoseUpdate) throws {
        switch update {
        case .frame(let frame):
            view.frame = frame
        case .pose(let pose):
            view.show(pose)
            try lookAhead()
            try screen.draw(view.lines)
        }
    }

    private mutating func lookAhead() throws {
        let now = BootClock.nanoseconds
        guard now >= nextLook else { return }
        nextLook = now + Self.lookInterval
        do throws(WaymarkError) {
            view.ahead = try client.ahead(limit: LiveView.aheadLimit)
        } catch .scene(.notLocalized) {
            view.ahead = []
        }
    }

    mutating func end() { screen.end() }
}
