/// Details of a place under uniform names: address, telephone, web page, opening hours and others.
///
/// The details are derived from tags with the names of OpenStreetMap, schema.org and other common names. The tags are
/// kept unchanged. Case, spaces, hyphens and underscores in names are ignored.
public struct PlaceDetails: Hashable, Sendable {
    /// Kind of detail. Each is one line of text, except for the description.
    public enum Field: String, Hashable, Sendable, CaseIterable, CodingKey {
        /// Postal address on one line. The cases that follow are its parts.
        case address
        case street, houseNumber, postcode, city, country
        case phone, email
        /// Address of a web page, http or https.
        case website
        /// Opening hours in the format of OpenStreetMap's `opening_hours`.
        case openingHours
        case description
        /// Wheelchair access: yes, limited, no or designated.
        case wheelchair
        case `operator`
        /// Address of the Wikipedia article.
        case wikipedia
    }

    package private(set) var texts: [Field: String] = [:]
    /// Pictures: web addresses (http or https) and names of files (`PictureName`).
    public private(set) var pictures: [String] = []

    /// Maximum length of a detail. A longer text stays only in the tags. Unit: bytes.
    static let maximumLength = 1024
    static let maximumPictureCount = 4

    /// Makes the details from tags; nil if the tags contain none.
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

    /// Names of the tags for each detail, in order of preference.
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

    /// Whether a tag of this name is an address or a part of one.
    package static func isPartOfAddress(_ name: String) -> Bool { namesOfAddress.contains(TagNames.plain(name)) }

    private static let namesOfAddress = Set(
        names.filter { [.address, .street, .houseNumber, .postcode, .city, .country].contains($0.0) }.flatMap(\.1))

    /// Returns the text of a tag as a detail; nil if the text is not valid for the detail.
    private static func text(_ tag: String, for field: Field) -> String? {
        guard tag.utf8.count <= maximumLength else { return nil }
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

    /// Address composed of its parts. In most countries, the house number is after the street and the postcode before
    /// the town. In English-speaking countries, both orders are reversed.
    private var postalAddress: String? {
        let isEnglish = ["US", "CA", "GB", "UK", "IE", "AU", "NZ"].contains(texts[.country]?.uppercased())
        func joined(_ parts: [String?]) -> String? {
            let known = (isEnglish ? parts.reversed() : parts).compactMap(\.self)
            return known.isEmpty ? nil : known.joined(separator: " ")
        }
        // A house number or a country alone is not an address.
        let street = texts[.street].flatMap { joined([$0, texts[.houseNumber]]) }
        let town = joined([texts[.postcode], texts[.city]])
        let lines = [street, town].compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }

    private static func pictures(_ names: inout TagNames) -> [String] {
        var found: [String] = []
        for name in ["image", "image0", "image1", "image2", "picture", "photo", "photos", "thumbnail"] {
            guard let tag = names[name] else { continue }
            // A semicolon without a space may be part of an address.
            let parts = tag.contains("; ") ? tag.split(separator: ";") : [tag[...]]
            for part in parts {
                let picture = WebText.address(part) ?? WebText.line(part).flatMap(PictureName.init)?.text
                if let picture, picture.utf8.count <= maximumLength { found.append(picture) }
            }
        }
        if let commons = names["wikimediacommons"], let address = WebText.commons(commons) { found.append(address) }
        var seen: Set<String> = []
        return Array(found.filter { seen.insert($0).inserted }.prefix(maximumPictureCount))
    }
}

/// Tags by normalised name. If two tags have the same normalised name, the first in the order of names counts.
private struct TagNames {
    private var values: [String: String] = [:]

    init(_ tags: [String: String]) {
        for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
            let plain = Self.plain(name)
            if values[plain] == nil { values[plain] = value }
        }
    }

    static func plain(_ name: String) -> String { name.lowercased().filter { !":_- ".contains($0) } }

    subscript(_ name: String) -> String? { values[name] }
}
