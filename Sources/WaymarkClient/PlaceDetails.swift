/// What is known of a place, under the same names whatever its source calls it.
public struct PlaceDetails: Codable, Equatable, Sendable {
    /// As it is to be written, on one line; and its parts.
    public var address: String?
    public var street: String?
    public var houseNumber: String?
    public var postcode: String?
    public var city: String?
    public var country: String?
    public var phone: String?
    public var email: String?
    /// http or https.
    public var website: String?
    /// As OpenStreetMap writes `opening_hours`.
    public var openingHours: String?
    /// May have several lines.
    public var description: String?
    /// `yes`, `limited`, `no` or `designated`.
    public var wheelchair: String?
    public var `operator`: String?
    /// The article's page.
    public var wikipedia: String?
    /// Addresses of pictures, http or https.
    public var pictures: [String]?
}
