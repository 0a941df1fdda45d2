import Configuration
import WaymarkClient

/// Options of the commands that look for places.
enum PlaceOptions {
    static let json = Flag("json", help: "Print one JSON object")
    static let limit = Option.integer(
        "limit", value: "COUNT", in: 1...100, help: "Show at most COUNT places (default: 10)")
    static let position = Option(
        "position", value: "LAT,LON", help: "Search position in degrees (default: position of the wearer)",
        expectation: "a latitude and a longitude in degrees, such as 46.95,7.44", read: point)

    /// Parses `LAT,LON` in degrees.
    @Sendable static func point(_ text: String) -> Waymark.Location? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        return Waymark.Location(latitude: latitude, longitude: longitude)
    }

    /// A word for each kind, separated by commas; `all` for all of them.
    static func kinds(_ help: String) -> Option<[String]> {
        Option("kinds", value: "KIND,...", help: help, expectation: "one to three kinds, separated by commas, or all") {
            if $0 == "all" { return [] }
            let kinds = $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return (1...3).contains(kinds.count) && !kinds.contains("") ? kinds : nil
        }
    }

    static func show(_ places: [Waymark.Place], asJSON: Bool) throws {
        try asJSON ? Terminal.print(JSONText.line(["places": places])) : Terminal.print(PlaceText.table(places))
    }
}

/// `waymark places search`: places by name, kind and address.
enum PlacesSearchCommand: Command {
    static let word = "places search"

    static let syntax: Syntax = syntax(
        "Find places by name, kind or address, best match first.", operands: [Operand("TEXT")],
        options: [PlaceOptions.json, PlaceOptions.limit, PlaceOptions.position],
        notes: """
            A place must have all words of TEXT in its name, kind, category or address. Words may be begun only, and
            those of four letters or more may have one typo. Accents and case are ignored. A place whose id is TEXT
            comes first.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let places = try Waymark.Client().searchPlaces(
            options.operands[0], limit: options[PlaceOptions.limit], near: options[PlaceOptions.position])
        try PlaceOptions.show(places, asJSON: options[PlaceOptions.json])
        return .done
    }
}

/// `waymark places near`: nearby places.
enum PlacesNearCommand: Command {
    static let word = "places near"

    private static let radius = Option.number(
        "radius", value: "METRES", in: 1...100_000, help: "Search radius (default: 500)")
    private static let kinds = PlaceOptions.kinds("Show only these kinds, at most three")
    private static let favorites = Flag("favorites", help: "Show only favourites")

    static let syntax: Syntax = syntax(
        "List the nearest places.",
        options: [
            PlaceOptions.json, PlaceOptions.limit, radius, kinds, favorites, PlaceOptions.position,
        ])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let places = try Waymark.Client().placesNear(
            radius: options[radius], limit: options[PlaceOptions.limit], kinds: options[kinds] ?? [],
            favoritesOnly: options[favorites], near: options[PlaceOptions.position])
        try PlaceOptions.show(places, asJSON: options[PlaceOptions.json])
        return .done
    }
}

/// `waymark places show`: all details of one place.
enum PlacesShowCommand: Command {
    static let word = "places show"

    static let syntax: Syntax = syntax(
        "Show the details of a place.", operands: [Operand("ID")], options: [PlaceOptions.json],
        notes: "'waymark places search' shows ids.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let place = try Waymark.Client().place(id: options.operands[0])
        try options[PlaceOptions.json]
            ? Terminal.print(JSONText.line(["place": place])) : Terminal.print(PlaceText.lines(place))
        return .done
    }
}
