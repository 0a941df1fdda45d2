import Configuration
import WaymarkClient

enum PlaceOptions {
    /// Option for a location in degrees.
    static func position(_ help: String) -> Option<Waymark.Location> {
        Option(
            "position", value: "LAT,LON", help: help,
            expectation: "a latitude and a longitude in degrees, such as 46.95,7.44", read: point)
    }

    /// Parses `LAT,LON` in degrees.
    @Sendable static func point(_ text: String) -> Waymark.Location? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        return Waymark.Location(latitude: latitude, longitude: longitude)
    }

    /// Option for kinds of places, separated by commas; `all` gives an empty list, which means all kinds.
    static func kinds(_ help: String) -> Option<[String]> {
        Option("kinds", value: "KIND,...", help: help, expectation: "one to three kinds, separated by commas, or all") {
            if $0 == "all" { return [] }
            let kinds = $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return (1...3).contains(kinds.count) && !kinds.contains("") ? kinds : nil
        }
    }
}

extension Command {
    private static let limit = Option.integer(
        "limit", value: "COUNT", in: 1...100, help: "Show at most COUNT places (default: 10)")
    private static let position = PlaceOptions.position("Search position in degrees (default: position of the wearer)")

    static let placesSearch = Command(
        "places search", "Find places by name, kind or address, best match first.", operands: [Operand("TEXT")],
        options: [Flag.json, limit, position],
        notes: """
            A place must have all words of TEXT in its name, kind, category or address. Words may be begun only, and
            those of four letters or more may have one typo. Accents and case are ignored. A place whose id is TEXT
            comes first.
            """
    ) { options in
        let places = try Waymark.Client().searchPlaces(
            options.operands[0], limit: options[limit], near: options[position])
        return try options.show(["places": places], as: PlaceText.table(places))
    }

    private static let radius = Option.number(
        "radius", value: "METRES", in: 1...100_000, help: "Search radius (default: 500)")
    private static let kinds = PlaceOptions.kinds("Show only these kinds, at most three")
    private static let favorites = Flag("favorites", help: "Show only favourites")

    static let placesNear = Command(
        "places near", "List the nearest places.", options: [Flag.json, limit, radius, kinds, favorites, position]
    ) { options in
        let places = try Waymark.Client().placesNear(
            radius: options[radius], limit: options[limit], kinds: options[kinds] ?? [],
            favoritesOnly: options[favorites], near: options[position])
        return try options.show(["places": places], as: PlaceText.table(places))
    }

    static let placesShow = Command(
        "places show", "Show the details of a place.", operands: [Operand("ID")], options: [Flag.json],
        notes: "'waymark places search' shows ids."
    ) { options in
        let place = try Waymark.Client().place(id: options.operands[0])
        return try options.show(["place": place], as: PlaceText.lines(place))
    }

    private static let remove = Flag("remove", help: "Remove it from the favourites")

    static let placesFavorite = Command(
        "places favorite", "Mark a place as a favourite.", operands: [Operand("ID")], options: [remove],
        notes: "'waymark places search' shows ids."
    ) { options in
        try Waymark.Client().setFavorite(options.operands[0], !options[remove])
        return .done
    }
}
