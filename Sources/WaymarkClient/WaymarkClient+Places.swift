import Varlink

/// Places: finding, liking and filtering them, and bringing them in and out.
extension WaymarkClient {
    private static let interface = "org.waymark.Scene."

    // MARK: finding

    private struct PlacesReply: Decodable { let places: [Place] }

    private struct SearchParameters: Encodable {
        let text: String
        let limit: Int?
        let near: Place.Geo?
    }

    private struct NearParameters: Encodable {
        let radius: Double?
        let limit: Int?
        let kinds: [String]?
        let favoritesOnly: Bool?
        let near: Place.Geo?
    }

    /// Places by name, the best first; the last word may be only begun. A place whose id is the text comes first.
    ///
    /// - Parameters:
    ///   - limit: at most so many, 1 to 100; nil leaves it to the daemon (10).
    ///   - near: what is near counts more; nil is where the wearer is.
    public func searchPlaces(
        _ text: String, limit: Int? = nil, near: Place.Geo? = nil
    ) throws(WaymarkError) -> [Place] {
        let parameters = SearchParameters(text: text, limit: limit, near: near)
        return try call(Self.interface + "SearchPlaces", parameters, PlacesReply.self).places
    }

    private struct IDParameters: Encodable { let id: String }
    private struct PlaceReply: Decodable { let place: Place }

    /// The place of an id, or of a placement's id.
    public func place(id: String) throws(WaymarkError) -> Place {
        try call(Self.interface + "GetPlace", IDParameters(id: id), PlaceReply.self).place
    }

    /// The nearest places first.
    ///
    /// - Parameters:
    ///   - radius: within so many metres; nil leaves it to the daemon.
    ///   - limit: at most so many, 1 to 100; nil leaves it to the daemon (10).
    ///   - kinds: of these kinds, at most three; none is all.
    ///   - near: around here; nil is where the wearer is.
    public func placesNear(
        radius: Double? = nil, limit: Int? = nil, kinds: [String] = [], favoritesOnly: Bool = false,
        near: Place.Geo? = nil
    ) throws(WaymarkError) -> [Place] {
        let parameters = NearParameters(
            radius: radius, limit: limit, kinds: kinds.isEmpty ? nil : kinds,
            favoritesOnly: favoritesOnly ? true : nil, near: near)
        return try call(Self.interface + "NearPlaces", parameters, PlacesReply.self).places
    }

    // MARK: favourites and filters

    private struct Nothing: Decodable {}

    private struct FavoriteParameters: Encodable {
        let id: String
        let favorite: Bool
    }

    private struct FilterParameters: Encodable {
        let kinds: [String]?
        let radius: Double?
        let favoritesOnly: Bool?
        let name: String?
    }

    private struct NameParameters: Encodable { let name: String }
    private struct FilterReply: Decodable { let filter: PlaceFilter }
    private struct FiltersReply: Decodable { let filters: [PlaceFilter] }

    /// Marks a place as a favourite, or no longer.
    public func setFavorite(_ id: String, _ favorite: Bool) throws(WaymarkError) {
        _ = try call(
            Self.interface + "SetFavorite", FavoriteParameters(id: id, favorite: favorite), Nothing.self)
    }

    /// The filter in use.
    public func placeFilter() throws(WaymarkError) -> PlaceFilter {
        try call(Self.interface + "GetFilter", NoParameters(), FilterReply.self).filter
    }

    /// Changes the filter in use; what is nil stays as it is.
    ///
    /// - Parameter name: saves it under this name too.
    @discardableResult
    public func setPlaceFilter(
        kinds: [String]? = nil, radius: Double? = nil, favoritesOnly: Bool? = nil, savingAs name: String? = nil
    ) throws(WaymarkError) -> PlaceFilter {
        let parameters = FilterParameters(kinds: kinds, radius: radius, favoritesOnly: favoritesOnly, name: name)
        return try call(Self.interface + "SetFilter", parameters, FilterReply.self).filter
    }

    /// Takes a saved filter into use.
    @discardableResult
    public func usePlaceFilter(named name: String) throws(WaymarkError) -> PlaceFilter {
        try call(Self.interface + "UseFilter", NameParameters(name: name), FilterReply.self).filter
    }

    public func removePlaceFilter(named name: String) throws(WaymarkError) {
        _ = try call(Self.interface + "RemoveFilter", NameParameters(name: name), Nothing.self)
    }

    /// The saved filters by name.
    public func placeFilters() throws(WaymarkError) -> [PlaceFilter] {
        try call(Self.interface + "ListFilters", NoParameters(), FiltersReply.self).filters
    }

    // MARK: in and out

    private struct ImportParameters: Encodable {
        let descriptor = 0
        let source: String
        let replace: Bool?
    }

    private struct ExportParameters: Encodable {
        let descriptor = 0
        let format: String?
    }

    private struct ExportReply: Decodable { let count: Int }

    /// Has the daemon take in the places of a GeoJSON document from a file opened here.
    ///
    /// - Parameters:
    ///   - source: where the document comes from, by name.
    ///   - replace: places that an earlier import of the same source brought and this one does not go.
    ///   - progress: told how far it has come.
    /// - Returns: what came of it, once it would survive a loss of power.
    public func importPlaces(
        descriptor: Int32, source: String, replace: Bool = false, progress: (PlaceImport) -> Void = { _ in }
    ) throws(WaymarkError) -> PlaceImport {
        let parameters = ImportParameters(source: source, replace: replace ? true : nil)
        let replies = try stream(Self.interface + "ImportPlaces", parameters, descriptors: [descriptor])
        var last: PlaceImport?
        while let reply = try replies.message(PlaceImport.self) {
            progress(reply)
            last = reply
        }
        guard let last else { throw .unexpected("an import without an end") }
        return last
    }

    /// Has the daemon write all places into a file opened here; returns how many.
    ///
    /// - Parameter format: `geojson`, `geojsonseq` or `ndjson`.
    public func exportPlaces(descriptor: Int32, format: String? = nil) throws(WaymarkError) -> Int {
        let parameters = ExportParameters(format: format)
        return try call(
            Self.interface + "ExportPlaces", parameters, ExportReply.self, descriptors: [descriptor]
        ).count
    }
}
