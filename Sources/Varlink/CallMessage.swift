import FoundationEssentials
import JSON

/// A call as it came over the wire, its envelope read, its parameters still bytes.
struct CallMessage {
    let method: String
    let more: Bool
    let oneway: Bool
    /// The names of the parameters given.
    let parameterNames: Set<String>
    private let data: Data

    /// Reads one message, without its NUL; the error is the reply to give to one that is no call.
    init(_ message: ArraySlice<UInt8>) throws(VarlinkError) {
        guard MessageCheck.isAcceptable(message) else { throw .invalidParameter("message") }
        data = Data(message)
        let envelope: Envelope
        do {
            envelope = try JSONDecoder().decode(Envelope.self, from: data)
        } catch {
            let path = VarlinkCoding.path(error)
            throw .invalidParameter(path.isEmpty ? "message" : path)
        }
        method = envelope.method
        more = envelope.more
        oneway = envelope.oneway
        parameterNames = envelope.parameterNames
    }

    /// The parameters as a type of the handler's; one left out is as if an empty object were given.
    func parameters<Parameters: Decodable>(as type: Parameters.Type) throws(VarlinkError) -> Parameters {
        do {
            return try JSONDecoder().decode(Wrapper<Parameters>.self, from: data).parameters
        } catch {
            let path = VarlinkCoding.path(error)
            let prefix = "parameters."
            if path.isEmpty { throw .invalidParameter(unrepresentableNumber ?? "parameters") }
            throw .invalidParameter(path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path)
        }
    }

    /// The parameters as a tree; one left out is as if an empty object were given.
    func parameters() throws(VarlinkError) -> JSONNode {
        do throws(DocumentProblem) {
            if let parameters = try JSONReader.read(Array(data))["parameters"] { return parameters }
            return try JSONReader.read(Array("{}".utf8))
        } catch {
            throw .invalidParameter("parameters")
        }
    }

    /// A parameter with a number that is no 64-bit integer: of these, the decoder does not say which it refused.
    private var unrepresentableNumber: String? {
        let decoder = JSONDecoder()
        return parameterNames.sorted().first { name in
            decoder.userInfo[Probe.name] = name
            do {
                _ = try decoder.decode(Probe.self, from: data)
                return false
            } catch {
                return VarlinkCoding.path(error).isEmpty
            }
        }
    }

    /// Tries one parameter as an integer.
    private struct Probe: Decodable {
        static let name = CodingUserInfoKey(rawValue: "name")!

        init(from decoder: any Decoder) throws {
            let parameters = try decoder.container(keyedBy: AnyKey.self)
                .nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "parameters"))
            let name = decoder.userInfo[Self.name] as? String ?? ""
            _ = try parameters.decode(Int64.self, forKey: AnyKey(stringValue: name))
        }
    }

    private struct Envelope: Decodable {
        let method: String
        let more: Bool
        let oneway: Bool
        let parameterNames: Set<String>

        enum CodingKeys: CodingKey { case method, more, oneway, parameters }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            method = try container.decode(String.self, forKey: .method)
            more = try container.decodeIfPresent(Bool.self, forKey: .more) ?? false
            oneway = try container.decodeIfPresent(Bool.self, forKey: .oneway) ?? false
            if try container.contains(.parameters) && !container.decodeNil(forKey: .parameters) {
                let parameters = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .parameters)
                parameterNames = Set(parameters.allKeys.map(\.stringValue))
            } else {
                parameterNames = []
            }
        }
    }

    private struct Wrapper<Parameters: Decodable>: Decodable {
        let parameters: Parameters

        enum CodingKeys: CodingKey { case parameters }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if try container.contains(.parameters) && !container.decodeNil(forKey: .parameters) {
                parameters = try container.decode(Parameters.self, forKey: .parameters)
            } else {
                parameters = try JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
            }
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
