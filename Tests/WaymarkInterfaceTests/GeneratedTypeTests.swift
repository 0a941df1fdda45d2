import JSON
import Geometry
import Testing
import WaymarkInterface

@Suite("Generated types") struct GeneratedTypeTests {
    private static let texts = [
        ServiceInterface.name: ServiceInterface.text, PoseInterface.name: PoseInterface.text,
        StatusInterface.name: StatusInterface.text, SceneInterface.name: SceneInterface.text,
        RecordingInterface.name: RecordingInterface.text, CalibrationInterface.name: CalibrationInterface.text,
        AidInterface.name: AidInterface.text, PlanInterface.name: PlanInterface.text,
        TerrainInterface.name: TerrainInterface.text,
    ]

    private static func fields(_ found: GeneratedType) throws -> (Schema, [(name: String, kind: Schema.Kind)]) {
        let schema = try Schema(text: try #require(texts[found.interface]))
        let all =
            switch found.kind {
            case "type": schema.types
            case "method": schema.methods
            default: schema.replies
            }
        return (schema, try #require(all[found.name]))
    }

    /// What is written of what was read.
    private static func rewritten<Value: JSONReadable & JSONWritable>(
        _ type: Value.Type, _ bytes: [UInt8], _ precision: NumberPrecision = .exact
    ) throws -> [UInt8] {
        var json = JSONWriter(precision: precision)
        try Value(try JSONReader.read(bytes)).write(into: &json)
        return json.bytes
    }

    @Test("every type writes what it has read, to the byte", arguments: GeneratedType.all)
    func roundTrip(found: GeneratedType) throws {
        let (schema, fields) = try Self.fields(found)
        var random = RandomSource(seed: 11)
        var json = JSONWriter()
        for optionals in [0, 1, 0.5, 0.5, 0.5, 0.5] {
            json.removeAll()
            schema.write(fields, optionals: optionals, &random, &json)
            #expect(
                String(decoding: try Self.rewritten(found.type, json.bytes), as: UTF8.self)
                    == String(decoding: json.bytes, as: UTF8.self))
        }
    }

    @Test("what is written rounded can be read again, and rounds to the same", arguments: GeneratedType.all)
    func rounded(found: GeneratedType) throws {
        let (schema, fields) = try Self.fields(found)
        var random = RandomSource(seed: 12)
        var json = JSONWriter()
        schema.write(fields, optionals: 0.8, &random, &json)
        let once = try Self.rewritten(found.type, json.bytes, .rounded)
        #expect(try Self.rewritten(found.type, once, .rounded) == once)
    }

    @Test(
        "a required member that is missing, or another kind of value, is refused by name", arguments: GeneratedType.all)
    func refused(found: GeneratedType) throws {
        let (schema, fields) = try Self.fields(found)
        var random = RandomSource(seed: 13)
        for (name, kind) in fields {
            var json = JSONWriter()
            var isRequired = true
            if case .optional = kind { isRequired = false }
            let others = fields.filter { $0.name != name }
            schema.write(others, optionals: 0, &random, &json)
            if isRequired {
                #expect("\(found.name).\(name)") { _ = try Self.rewritten(found.type, json.bytes) } throws: {
                    ($0 as? DocumentProblem)?.path == "$.\(name)"
                }
            } else {
                _ = try Self.rewritten(found.type, json.bytes)
            }
            // True is of another kind than all but a bool, for which null is missing, and 1 no bool.
            let wrong = if case .boolean = kind { "1" } else if case .optional(.boolean) = kind { "1" } else { "true" }
            let separator = json.bytes.count > 2 ? "," : ""
            let text = String(decoding: json.bytes.dropLast(), as: UTF8.self) + "\(separator)\"\(name)\":\(wrong)}"
            #expect("\(found.name).\(name)") { _ = try Self.rewritten(found.type, Array(text.utf8)) } throws: {
                ($0 as? DocumentProblem)?.path == "$.\(name)"
            }
        }
        for text in ["[]", "null", "1", "\"a\""] {
            #expect(throws: DocumentProblem.self) { _ = try Self.rewritten(found.type, Array(text.utf8)) }
        }
    }

    @Test("members that are not known, and those that are null, are ignored") func unknownMembers() throws {
        let time = try PoseInterface.Time(
            try JSONReader.read(Array(#"{"later":{"sec":9},"sec":1,"nsec":2,"sec":3}"#.utf8)))
        #expect(time == PoseInterface.Time(sec: 1, nsec: 2))
        let accuracy = try PoseInterface.Accuracy(try JSONReader.read(Array(#"{"verticalAccuracy":null}"#.utf8)))
        #expect(accuracy == PoseInterface.Accuracy())
    }

    @Test("a problem deep inside is named by its path") func paths() throws {
        var json = JSONWriter()
        let place = SceneInterface.Place(
            id: "a", name: "A", kind: "cafe", geo: .init(latitude: 1, longitude: 2), heightKind: OpenWord(.eye),
            favorite: false)
        SceneInterface.SearchPlaces.Reply(places: [place, place]).write(into: &json)
        let text = String(decoding: json.bytes, as: UTF8.self)
        let last = try #require(text.ranges(of: "\"longitude\":2").last)
        let broken = text.replacingCharacters(in: last, with: "\"longitude\":\"2\"")
        #expect {
            _ = try SceneInterface.SearchPlaces.Reply(try JSONReader.read(Array(broken.utf8)))
        } throws: {
            ($0 as? DocumentProblem)?.path == "$.places[1].geo.longitude"
        }
    }

    @Test("numbers that are not finite are left out, one by one and with their array") func notFinite() throws {
        var json = JSONWriter()
        PoseInterface.Alignment(yaw: .nan, east: 1, north: .infinity, up: -0.0000001).write(into: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"east":1.000000,"up":0.000000}"#)
        json.removeAll()
        CalibrationInterface.Parameters(bias: [0, .nan, 1], matrix: [[1, 0, 0], [0, 1, 0], [0, 0, .infinity]])
            .write(into: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{}")
    }

    @Test("numbers have the decimals of the interface file, whichever field holds the type") func decimals() {
        var json = JSONWriter()
        let third = PoseInterface.Vector(x: 1.0 / 3, y: 0, z: 0)
        SceneInterface.PathPoint(share: 1.0 / 3, position: third, course: 1.0 / 3).write(into: &json)
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"share":0.3333,"position":{"x":0.333,"y":0.000,"z":0.000},"course":0.33}"#)
        json.removeAll()
        SceneInterface.Anchor(position: third).write(into: &json)
        #expect(
            String(decoding: json.bytes, as: UTF8.self) == #"{"position":{"x":0.3333333333333333,"y":0,"z":0}}"#)
        json.removeAll()
        third.write(into: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"x":0.333333,"y":0.000000,"z":0.000000}"#)
        json.removeAll()
        json.precision = .exact
        third.write(into: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"x":0.3333333333333333,"y":0,"z":0}"#)
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        var result = self
        result.replaceSubrange(range, with: text)
        return result
    }
}
