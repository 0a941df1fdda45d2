import Display
import Linux
import Options
import WaymarkClient

/// `waymark scene`: what is placed around the wearer, as a display sees it.
enum SceneCommand: Command {
    static let word = "scene"

    private static let json = Flag("json", help: "Print the scene as one JSON object; with --watch, every message")
    private static let watch = Flag("watch", help: "Update until Ctrl-C; on a terminal, redraw in place")
    private static let rate = Option.number(
        "rate", value: "HZ", in: 1...60, help: "With --watch, at most HZ updates per second (default: 4)")
    private static let view = Option.number(
        "view", value: "DEGREES", in: 1...179, help: "Horizontal field of view of the display (default: 60)")

    static let syntax: Syntax = syntax(
        "Show the scene: placements, their positions and what the display shows.",
        options: [json, watch, rate, view],
        notes: "'turn' is the angle to turn towards an off-screen placement, positive to the right.")

    private static let defaultRate = 4.0

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let camera = Camera(horizontalFieldOfView: options[view])
        // The table has the turn to each placement, also where no hint points.
        let radar = options[json] ? nil : RadarView()
        guard options[watch] else {
            if options[rate] != nil { throw usageError("--rate requires --watch") }
            return try show(try WaymarkClient().scene(camera: camera, radar: radar), asJSON: options[json])
        }
        let updates = try WaymarkClient().sceneUpdates(
            rate: options[rate] ?? defaultRate, camera: camera, radar: radar)
        return options[json] ? try printMessages(updates) : try follow(updates)
    }

    private static func show(_ scene: Scene, asJSON: Bool) throws -> ExitCode {
        if asJSON {
            try Terminal.print(JSONText.line(["scene": scene]))
            return .done
        }
        var state = SceneState()
        try state.apply(scene)
        try Terminal.print(SceneText.lines(state))
        return .done
    }

    private static func printMessages(_ updates: SceneUpdates) throws -> ExitCode {
        while let scene = try updates.next() { try Terminal.print(JSONText.line(["scene": scene])) }
        throw WaymarkError.disconnected
    }

    /// On a terminal the scene and the last events; elsewhere the scene once, and a line for each event.
    private static func follow(_ updates: SceneUpdates) throws -> ExitCode {
        var screen = Terminal.isInteractive ? LiveScreen() : nil
        defer { screen?.end() }
        var shown: [String] = []
        var isFirst = true
        while let scene = try updates.next() {
            if isFirst, screen == nil { try Terminal.print(SceneText.lines(updates.state)) }
            isFirst = false
            let news = scene.events.map(SceneText.event)
            guard screen != nil else {
                if !news.isEmpty { try Terminal.print(news) }
                continue
            }
            shown = Array((shown + news).suffix(eventsShown))
            try screen?.draw(shown + (shown.isEmpty ? [] : [""]) + SceneText.lines(updates.state))
        }
        throw WaymarkError.disconnected
    }

    private static let eventsShown = 4
}
