import Configuration
import WaymarkClient

/// `waymark places favorite`: marks a place as a favourite.
enum PlacesFavoriteCommand: Command {
    static let word = "places favorite"

    private static let remove = Flag("remove", help: "Remove it from the favourites")

    static let syntax: Syntax = syntax(
        "Mark a place as a favourite.", operands: [Operand("ID")], options: [remove],
        notes: "'waymark places search' shows ids.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        try Waymark.Client().setFavorite(options.operands[0], !options[remove])
        return .done
    }
}

/// `waymark places filter`: selects the places that the scene shows.
enum PlacesFilterCommand: Command {
    static let word = "places filter"

    private static let kinds = PlaceOptions.kinds("Kinds to show, at most three; 'all' shows every kind")
    private static let radius = Option.number(
        "radius", value: "METRES", in: 1...100_000, help: "Show places within METRES (200 to 1000)")
    private static let favorites = Option.choice("favorites", of: ["yes", "no"], help: "Show favourites only, or all")
    private static let save = Option.text("save", value: "NAME", help: "Also save the filter as NAME")
    private static let use = Option.text("use", value: "NAME", help: "Use the saved filter NAME")
    private static let remove = Option.text("remove", value: "NAME", help: "Delete the saved filter NAME")

    static let syntax: Syntax = syntax(
        "Show or change which places the scene contains.",
        options: [kinds, radius, favorites, save, use, remove, PlaceOptions.json],
        notes: "Options that are not given keep their values. The filter survives a restart of the daemon.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let changes =
            options[kinds] != nil || options[radius] != nil || options[favorites] != nil || options[save] != nil
        guard [changes, options[use] != nil, options[remove] != nil].count(where: { $0 }) <= 1 else {
            throw usageError("--use and --remove cannot be combined with other changes")
        }
        let client = try Waymark.Client()
        if let name = options[remove] {
            try client.removePlaceFilter(named: name)
            return .done
        }
        let filter: Waymark.PlaceFilter
        if let name = options[use] {
            filter = try client.usePlaceFilter(named: name)
        } else if changes {
            filter = try client.setPlaceFilter(
                kinds: options[kinds], radius: options[radius], favoritesOnly: options[favorites].map { $0 == "yes" },
                savingAs: options[save])
        } else {
            filter = try client.placeFilter()
        }
        try Terminal.print(
            options[PlaceOptions.json] ? JSONText.line(["filter": filter]) : PlaceText.line(filter) + "\n")
        return .done
    }
}

/// `waymark places filters`: lists saved filters.
enum PlacesFiltersCommand: Command {
    static let word = "places filters"

    static let syntax: Syntax = syntax("List the saved filters.", options: [PlaceOptions.json])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let filters = try Waymark.Client().placeFilters()
        try options[PlaceOptions.json]
            ? Terminal.print(JSONText.line(["filters": filters])) : Terminal.print(PlaceText.table(filters))
        return .done
    }
}
