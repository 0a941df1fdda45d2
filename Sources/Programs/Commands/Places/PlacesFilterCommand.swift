import Configuration
import WaymarkClient

extension Command {
    private static let kinds = PlaceOptions.kinds("Kinds to show, at most three; 'all' shows every kind")
    private static let radius = Option.number(
        "radius", value: "METRES", in: 1...100_000, help: "Show places within METRES (200 to 1000)")
    private static let favorites = Option.choice("favorites", of: ["yes", "no"], help: "Show favourites only, or all")
    private static let save = Option.text("save", value: "NAME", help: "Also save the filter as NAME")
    private static let use = Option.text("use", value: "NAME", help: "Use the saved filter NAME")
    private static let remove = Option.text("remove", value: "NAME", help: "Delete the saved filter NAME")

    /// Selects the places that the scene shows.
    static let placesFilter = Command(
        "places filter", "Show or change which places the scene contains.",
        options: [kinds, radius, favorites, save, use, remove, Flag.json],
        notes: "Options that are not given keep their values. The filter survives a restart of the daemon."
    ) { options in
        let changes =
            options[kinds] != nil || options[radius] != nil || options[favorites] != nil || options[save] != nil
        guard [changes, options[use] != nil, options[remove] != nil].count(where: { $0 }) <= 1 else {
            throw Misuse("--use and --remove cannot be combined with other changes")
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
        return try options.show(["filter": filter], as: [PlaceText.line(filter)])
    }

    static let placesFilters = Command("places filters", "List the saved filters.", options: [Flag.json]) { options in
        let filters = try Waymark.Client().placeFilters()
        return try options.show(["filters": filters], as: PlaceText.table(filters))
    }
}
