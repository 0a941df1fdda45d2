/// What a place's source says of it under names of many kinds, under names of our own: address, telephone, web page, hours.
///
/// It is read out of the place's tags, which stay as they are: those of OpenStreetMap, of schema.org and other common names.
/// Upper and lower case make no difference there, nor do spaces, hyphens and underscores.
public struct PlaceDetails: Hashable, Sendable {
    /// One line of text each, but for the description, which may have several.
    public enum Field: String, Hashable, Sendable, CaseIterable, CodingKey {
        /// As it is to be written, on one line; its parts follow.
        case address
        case street, houseNumber, postcode, city, country
        case phone, email
        /// http or https.
        case website
        /// As OpenStreetMap writes `opening_hours`.
        case openingHours
        case description
        /// yes, limited, no or designated.
        case wheelchair
        case `operator`
        /// The article's page.
        case wikipedia
    }

    public private(set) var texts: [Field: String] = [:]
    /// Addresses of pictures, http or https.
    public private(set) var pictures: [String] = []

    /// A field that is longer is not taken, but stays among the tags. Unit: bytes.
    static let longest = 1024
    static let mostPictures = 4

    /// Nil where the tags say none of it.
    public init?(tags: [String: String]) {
        guard !tags.isEmpty else { return nil }
        var names = TagNames(tags)
        for (field, known) in Self.names {
            texts[field] = known.lazy.compactMap { names[$0] }.compactMap { Self.text($0, for: field) }.first
        }
        if texts[.address] == nil { texts[.address] = postalAddress }
        pictures = Self.pictures(&names)
        if texts.isEmpty && pictures.isEmpty { return nil }
    }

    /// The tags that tell a field, the first that has something to say.
    private static let names: [(Field, [String])] = [
        (.address, ["addrfull", "address", "formattedaddress", "contactaddress"]),
        (.street, ["addrstreet", "addrplace", "contactstreet", "streetaddress", "street"]),
        (.houseNumber, ["addrhousenumber", "contacthousenumber", "housenumber"]),
        (.postcode, ["addrpostcode", "contactpostcode", "postcode", "postalcode", "zip"]),
        (.city, ["addrcity", "addrtown", "addrvillage", "addrhamlet", "contactcity", "addresslocality", "city"]),
        (.country, ["addrcountry", "addresscountry", "country"]),
        (
            .phone,
            [
                "phone", "contactphone", "contactmobile", "mobile", "telephone", "tel", "internationalphonenumber",
                "formattedphonenumber",
            ]
        ),
        (.email, ["email", "contactemail"]),
        (.website, ["website", "contactwebsite", "url", "homepage"]),
        (.openingHours, ["openinghours", "hours"]),
        (.description, ["description", "descriptionen", "summary"]),
        (.wheelchair, ["wheelchair"]),
        (.operator, ["operator"]),
        (.wikipedia, ["wikipedia"]),
    ]

    /// Nil for what the field cannot hold.
    private static func text(_ tag: String, for field: Field) -> String? {
        guard tag.utf8.count <= longest else { return nil }
        switch field {
        case .description: return tag.isEmpty ? nil : tag
        case .phone: return WebText.line(tag.prefix { $0 != ";" })
        case .email: return WebText.mail(tag.prefix { $0 != ";" })
        case .website: return WebText.address(tag) ?? WebText.address(tag.prefix { $0 != ";" })
        case .wikipedia: return WebText.address(tag) ?? WebText.wikipedia(tag)
        case .wheelchair: return ["yes", "limited", "no", "designated"].first { $0 == tag.lowercased() }
        default: return WebText.line(tag[...])
        }
    }

    /// In the order of most countries: the house number behind the street, the postcode before the town; or as in English.
    private var postalAddress: String? {
        let isEnglish = ["US", "CA", "GB", "UK", "IE", "AU", "NZ"].contains(texts[.country]?.uppercased())
        func joined(_ parts: [String?]) -> String? {
            let known = (isEnglish ? parts.reversed() : parts).compactMap(\.self)
            return known.isEmpty ? nil : known.joined(separator: " ")
        }
        // A house number alone, or a country, is no address.
        let street = texts[.street].flatMap { joined([$0, texts[.houseNumber]]) }
        let town = joined([texts[.postcode], texts[.city]])
        let lines = [street, town].compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }

    private static func pictures(_ names: inout TagNames) -> [String] {
        var found: [String] = []
        for name in ["image", "image0", "image1", "image2", "picture", "photo", "photos", "thumbnail"] {
            guard let tag = names[name] else { continue }
            // An address may hold a semicolon; then it is one.
            let parts = tag.contains("; ") ? tag.split(separator: ";") : [tag[...]]
            for part in parts {
                if let address = WebText.address(part), address.utf8.count <= longest { found.append(address) }
            }
        }
        if let commons = names["wikimediacommons"], let address = WebText.commons(commons) { found.append(address) }
        var told: Set<String> = []
        return Array(found.filter { told.insert($0).inserted }.prefix(mostPictures))
    }
}

/// Tags by their names without case and separators; of two that are then the same, the first in the order of names.
private struct TagNames {
    private var values: [String: String] = [:]

    init(_ tags: [String: String]) {
        for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
            let plain = name.lowercased().filter { !":_- ".contains($0) }
            if values[plain] == nil { values[plain] = value }
        }
    }

    subscript(_ name: String) -> String? { values[name] }
}
