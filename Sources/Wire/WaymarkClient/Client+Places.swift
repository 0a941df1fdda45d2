import WaymarkInterface

/// Places: search, favourites, filters, import and export.
extension Waymark.Client {
    // MARK: search

    /// Finds places by name, the best match first. The last word may be a prefix. A place whose id equals the text
    /// comes first.
    ///
    /// - Parameters:
    ///   - limit: maximum number of places, 1 to 100; nil for the daemon's default (10).
    ///   - near: location near which places are preferred; nil for the wearer's position.
    public func searchPlaces(
        _ text: String, limit: Int? = nil, near: Waymark.Location? = nil
    ) throws(WaymarkError) -> [Waymark.Place] {
        try call(SceneInterface.SearchPlaces(text: text, limit: limit, near: near)).places
    }

    /// Place with an id, which may also be the id of a placement.
    public func place(id: String) throws(WaymarkError) -> Waymark.Place {
        try call(SceneInterface.GetPlace(id: id)).place
    }

    /// Finds places around a location, the nearest first.
    ///
    /// - Parameters:
    ///   - radius: radius of the search; nil for the daemon's default. Unit: metres.
    ///   - limit: maximum number of places, 1 to 100; nil for the daemon's default (10).
    ///   - kinds: kinds of places, at most three; empty for all kinds.
    ///   - near: centre of the search; nil for the wearer's position.
    public func placesNear(
        radius: Double? = nil, limit: Int? = nil, kinds: [String] = [], favoritesOnly: Bool = false,
        near: Waymark.Location? = nil
    ) throws(WaymarkError) -> [Waymark.Place] {
        try call(
            SceneInterface.NearPlaces(
                radius: radius, limit: limit, kinds: kinds.isEmpty ? nil : kinds,
                favoritesOnly: favoritesOnly ? true : nil, near: near)
        ).places
    }

    // MARK: favourites and filters

    /// Marks or unmarks a place as a favourite.
    public func setFavorite(_ id: String, _ favorite: Bool) throws(WaymarkError) {
        _ = try call(SceneInterface.SetFavorite(id: id, favorite: favorite))
    }

    /// Active filter.
    public func placeFilter() throws(WaymarkError) -> Waymark.PlaceFilter {
        try call(SceneInterface.GetFilter()).filter
    }

    /// Changes the active filter; properties given as nil stay unchanged.
    ///
    /// - Parameter name: name under which to save the filter too; nil to not save it.
    @discardableResult
    public func setPlaceFilter(
        kinds: [String]? = nil, radius: Double? = nil, favoritesOnly: Bool? = nil, savingAs name: String? = nil
    ) throws(WaymarkError) -> Waymark.PlaceFilter {
        try call(
            SceneInterface.SetFilter(kinds: kinds, radius: radius, favoritesOnly: favoritesOnly, name: name)
        ).filter
    }

    /// Activates a saved filter.
    @discardableResult
    public func usePlaceFilter(named name: String) throws(WaymarkError) -> Waymark.PlaceFilter {
        try call(SceneInterface.UseFilter(name: name)).filter
    }

    /// Deletes a saved filter.
    public func removePlaceFilter(named name: String) throws(WaymarkError) {
        _ = try call(SceneInterface.RemoveFilter(name: name))
    }

    /// Saved filters, sorted by name.
    public func placeFilters() throws(WaymarkError) -> [Waymark.PlaceFilter] {
        try call(SceneInterface.ListFilters()).filters
    }

    // MARK: import and export

    /// Imports the places of a GeoJSON document from a file that this program has opened.
    ///
    /// - Parameters:
    ///   - source: name of the document's origin.
    ///   - replace: whether to remove places that were imported from this source earlier and are not in the document.
    ///   - progress: called for each batch.
    /// - Returns: the totals, when the import is stored durably.
    public func importPlaces(
        descriptor: Int32, source: String, replace: Bool = false, progress: (Waymark.PlaceImport) -> Void = { _ in }
    ) throws(WaymarkError) -> Waymark.PlaceImport {
        let method = SceneInterface.ImportPlaces(descriptor: 0, source: source, replace: replace ? true : nil)
        let replies = try stream(method, descriptors: [descriptor])
        var last: Waymark.PlaceImport?
        while let reply = try replies.next() {
            progress(reply)
            last = reply
        }
        guard let last else { throw .unexpected("an import without an end") }
        return last
    }

    /// Exports all places to a file that this program has opened; returns the number of places.
    public func exportPlaces(
        descriptor: Int32, format: Waymark.PlaceFormat? = nil
    ) throws(WaymarkError) -> Int {
        try call(SceneInterface.ExportPlaces(descriptor: 0, format: format), descriptors: [descriptor]).count
    }
}
