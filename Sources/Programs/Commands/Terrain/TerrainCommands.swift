import Configuration
import WaymarkClient

extension Command {
    static let terrainList = Command(
        "terrain list", "List the stored tiles of terrain, and count the buildings.", options: [Flag.json]
    ) { options in
        let stored = try Waymark.Client().terrain()
        return try options.show(stored, as: TerrainText.table(stored))
    }

    static let terrainShow = Command(
        "terrain show", "Show the heights of the ground and of the roof at a position.",
        operands: [Operand("LAT,LON")], options: [Flag.json],
        notes: """
            The height of the ground is that of the elevation model, nearly above mean sea level; that of the roof is
            above the ground.
            """
    ) { options in
        let there = try Waymark.Client().heights(at: location(options.operands[0]))
        guard there.height != nil || there.roof != nil else {
            throw CommandError.failed(
                "no height is stored there: import an elevation model with 'waymark terrain import'")
        }
        return try options.show(there, as: [TerrainText.heights(there)])
    }

    static let terrainRemove = Command(
        "terrain remove", "Remove the stored tile and buildings at a position, or all.",
        operands: [Operand("LAT,LON|all")],
        notes: "A tile is 0.1 degrees high and wide. 'waymark terrain list' shows their south-western corners."
    ) { options in
        let operand = options.operands[0]
        let position = operand == "all" ? nil : try location(operand)
        let removal = try Waymark.Client(timeout: .seconds(120)).removeTerrain(at: position)
        guard removal.tiles + removal.buildings > 0 || position == nil else {
            throw CommandError.failed("no tile is stored there: 'waymark terrain list' shows them")
        }
        try Terminal.print([TerrainText.removed(removal)])
        return .done
    }

    private static func location(_ text: String) throws(Misuse) -> Waymark.Location {
        guard let location = PlaceOptions.point(text) else {
            throw Misuse("'\(text)' is no position: a latitude and a longitude in degrees, such as 46.95,7.44")
        }
        return location
    }
}
