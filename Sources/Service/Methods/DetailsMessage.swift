import Scene

/// The details of a place, as the type `Details` of the Varlink interface `org.waymark.Scene`.
struct DetailsMessage: Encodable {
    private let details: PlaceDetails

    private enum Key: String, CodingKey { case pictures }

    /// Nil where nothing is known.
    init?(_ place: Place) {
        guard let details = PlaceDetails(tags: place.tags) else { return nil }
        self.details = details
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: PlaceDetails.Field.self)
        for (field, text) in details.texts { try fields.encode(text, forKey: field) }
        guard !details.pictures.isEmpty else { return }
        var others = encoder.container(keyedBy: Key.self)
        try others.encode(details.pictures, forKey: .pictures)
    }
}
