import Configuration
import WaymarkClient
import Messages

extension Command {
    private static let json = Flag("json", help: "Print the scene as one JSON object; with --watch, every message")
    private static let isWatch = Flag("watch", help: "Update until Ctrl-C; on a terminal, redraw in place")
    private static let rate = Option.number(
        "rate", value: "HZ", in: 1...60, help: "With --watch, at most HZ updates per second (default: 4)")
    private static let view = Option.number(
        "view", value: "DEGREES", in: 1...179, help: "Horizontal field of view of the display (default: 60)")

    static let scene = Command(
        "scene", "Show the scene: placements, their positions and what the display shows.",
        options: [json, isWatch, rate, view],
        notes: "'turn' is the angle to turn towards an off-screen placement, positive to the right."
    ) { options in
        let camera = Waymark.Camera(horizontalFieldOfView: options[view])
        // The table shows the turn to each placement. If a placement has no hint, its turn is taken from the radar.
        let radar = options[json] ? nil : Waymark.RadarView()
        // The scene's texts are requested in the language of the command's own texts.
        let language = options[json] ? nil : Language.english.rawValue
        guard options[isWatch] else {
            if options[rate] != nil { throw Misuse("--rate requires --watch") }
            let scene = try Waymark.Client().scene(camera: camera, radar: radar, acceptLanguage: language)
            return try show(scene, asJSON: options[json])
        }
        let updates = try Waymark.Client().scenes(
            rate: options[rate] ?? defaultRate, camera: camera, radar: radar, acceptLanguage: language)
        return options[json] ? try printMessages(updates) : try follow(updates)
    }

    private static let defaultRate = 4.0

    private static func show(_ scene: Waymark.Scene, asJSON: Bool) throws -> ExitCode {
        if asJSON {
            try Terminal.print(JSONText.line(["scene": scene]))
            return .done
        }
        var state = Waymark.SceneState()
        try apply(scene, to: &state)
        try Terminal.print(SceneText.lines(state))
        return .done
    }

    private static func printMessages(_ updates: Waymark.Updates<Waymark.Scene>) throws -> ExitCode {
        var state = Waymark.SceneState()
        while let scene = try updates.next() {
            try apply(scene, to: &state)
            try Terminal.print(JSONText.line(["scene": scene]))
        }
        throw WaymarkError.disconnected
    }

    private static func apply(_ scene: Waymark.Scene, to state: inout Waymark.SceneState) throws(WaymarkError) {
        do throws(Waymark.SceneState.Break) {
            try state.apply(scene)
        } catch {
            throw .unexpected("a scene update that does not follow the previous one")
        }
    }

    /// On a terminal, shows the scene and the last events; otherwise prints the scene once, and a line for each event.
    private static func follow(_ updates: Waymark.Updates<Waymark.Scene>) throws -> ExitCode {
        var screen = Terminal.isInteractive ? LiveScreen() : nil
        defer { screen?.end() }
        var shown: [String] = []
        var state = Waymark.SceneState()
        var isFirst = true
        while let scene = try updates.next() {
            try apply(scene, to: &state)
            if isFirst, screen == nil { try Terminal.print(SceneText.lines(state)) }
            isFirst = false
            let news = scene.events.map(SceneText.event)
            guard screen != nil else {
                if !news.isEmpty { try Terminal.print(news) }
                continue
            }
            shown = Array((shown + news).suffix(eventsShown))
            let events = shown + (shown.isEmpty ? [] : [""])
            let size = LiveScreen.size
            try screen?.draw(
                events + SceneText.lines(state, columns: size.columns - 1, rows: size.rows - 1 - events.count))
        }
        throw WaymarkError.disconnected
    }

    private static let eventsShown = 4

    // MARK: - Ahead

    private static let limit = Option.integer(
        "limit", value: "COUNT", in: 1...100, help: "Show at most COUNT things (default: 10)")
    private static let radius = Option.number(
        "radius", value: "METRES", in: 1...100_000, help: "Search radius (default: 500)")

    static let ahead = Command(
        "ahead", "Show what lies ahead, nearest first.", options: [Flag.json, limit, radius]
    ) { options in
        let items = try Waymark.Client().ahead(limit: options[limit], radius: options[radius])
        return try options.show(["items": items], as: AheadText.table(items))
    }

    // MARK: - Explain

    private static let seconds = Option.duration(
        "seconds", in: 1...600, help: "Look back TIME: 90s, 5min or a number of seconds (default: 60)")
    private static let id = Option.text(
        "id", value: "ID", help: "Also report how far placement or place ID moved")

    static let explain = Command(
        "explain", "Explain why content moved: list the scene frame's corrections.", options: [Flag.json, seconds, id],
        notes: "Times are UTC, or seconds since boot before the first fix."
    ) { options in
        let client = try Waymark.Client()
        let corrections = try client.explain(seconds: options[seconds], id: options[id])
        // The corrections are useful even if the status cannot be read.
        let status = options[.json] ? nil : try? client.status()
        let refused = (status?.refusedAids ?? []).map(AidText.line)
        return try options.show(
            ["corrections": corrections], as: ExplainText.lines(corrections, plan: status?.plan) + refused)
    }
}
