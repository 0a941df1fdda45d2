import Configuration
import WaymarkClient
import WaymarkInterface

/// `waymark terrain list`: the stored tiles.
enum TerrainListCommand: Command {
    static let word = "terrain list"

    private static let json = Flag("json", help: "Print one JSON object")

    static let syntax: Syntax = syntax("List the stored tiles of terrain, and count the buildings.", options: [json])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let stored = try Waymark.Client().terrain()
        try options[json] ? Terminal.print(JSONText.line(stored)) : Terminal.print(TerrainText.table(stored))
        return .done
    }
}

/// `waymark terrain show`: the heights at a position.
enum TerrainShowCommand: Command {
    static let word = "terrain show"

    private static let json = Flag("json", help: "Print one JSON object")

    static let syntax: Syntax = syntax(
        "Show the heights of the ground and of the roof at a position.", operands: [Operand("LAT,LON")],
        options: [json],
        notes: """
            The height of the ground is that of the elevation model, nearly above mean sea level; that of the roof is
            above the ground.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let position = try TerrainPosition.location(options.operands[0], Self.usageError)
        let there = try Waymark.Client().heights(at: position)
        guard there.height != nil || there.roof != nil else {
            throw CommandError.failed(
                "no height is stored there: import an elevation model with 'waymark terrain import'")
        }
        try Terminal.print(options[json] ? JSONText.line(there) : TerrainText.heights(there))
        return .done
    }
}

/// `waymark terrain remove`: deletes one tile with its buildings, or all.
enum TerrainRemoveCommand: Command {
    static let word = "terrain remove"

    private static let all = "all"

    static let syntax: Syntax = syntax(
        "Remove the stored tile and buildings at a position, or all.", operands: [Operand("LAT,LON|all")],
        notes: "A tile is 0.1 degrees high and wide. 'waymark terrain list' shows their south-western corners.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let operand = options.operands[0]
        let position = operand == all ? nil : try TerrainPosition.location(operand, Self.usageError)
        let removal = try Waymark.Client(timeout: .seconds(120)).removeTerrain(at: position)
        guard removal.tiles + removal.buildings > 0 || position == nil else {
            throw CommandError.failed("no tile is stored there: 'waymark terrain list' shows them")
        }
        try Terminal.print(TerrainText.removed(removal))
        return .done
    }
}

/// Parses operands that are positions.
enum TerrainPosition {
    static func location(_ text: String, _ usageError: (String) -> UsageError) throws(UsageError) -> Waymark.Location {
        guard let location = PlaceOptions.point(text) else {
            throw usageError(
                "'\(text)' is no position: a latitude and a longitude in degrees, such as 46.95,7.44")
        }
        return location
    }
}
