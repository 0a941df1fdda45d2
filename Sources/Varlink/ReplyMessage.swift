import FoundationEssentials

/// A reply as it came over the wire: parameters of the shape asked for, or an error.
struct ReplyMessage<Parameters: Decodable>: Decodable {
    let result: Result<Parameters, VarlinkError>
    let continues: Bool

    enum CodingKeys: CodingKey { case error, parameters, continues }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let name = try container.decodeIfPresent(String.self, forKey: .error) {
            let parameters = try container.decodeIfPresent(JSONValue.self, forKey: .parameters) ?? .object([:])
            result = .failure(VarlinkError(name: name, encoding: parameters))
            continues = false
        } else {
            let hasParameters = try container.contains(.parameters) && !container.decodeNil(forKey: .parameters)
            result = .success(try hasParameters ? container.decode(Parameters.self, forKey: .parameters) : Self.none())
            continues = try container.decodeIfPresent(Bool.self, forKey: .continues) ?? false
        }
    }

    /// Parameters left out are an empty object.
    private static func none() throws -> Parameters {
        try JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
    }
}
