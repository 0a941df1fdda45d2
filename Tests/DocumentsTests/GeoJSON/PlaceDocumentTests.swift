import Documents
import Geometry
import JSON
import Scene
import TestTools
import Testing

@Suite("Places from GeoJSON")
struct PlaceDocumentTests {
    private func read(_ text: String, pieces size: Int = 4096) throws -> [Place] {
        var reader = PlaceDocumentReader(source: pieces(of: Array(text.utf8), size: size))
        var places: [Place] = []
        while let place = try reader.next() { places.append(place) }
        return places
    }

    /// Good places, and what is said of the others.
    private func readAll(_ text: String) -> (places: [Place], problems: [String], broken: Bool) {
        var reader = PlaceDocumentReader(source: pieces(of: Array(text.utf8)))
        var (places, problems): ([Place], [String]) = ([], [])
        do {
            while let place = try reader.next(reporting: { problems.append($0.description) }) { places.append(place) }
            return (places, problems, false)
        } catch {
            return (places, problems + [error.description], true)
        }
    }

    private func feature(
        _ properties: String, geometry: String = #"{"type":"Point","coordinates":[7.5,51.25]}"#, extra: String = ""
    ) -> String {
        #"{"type":"Feature"\#(extra),"geometry":\#(geometry),"properties":\#(properties)}"#
    }

    private func first(_ properties: String, extra: String = "") throws -> Place {
        try #require(try read(feature(properties, extra: extra)).first)
    }

    @Test("behaviour 44: a collection, single features and sequences give the same places, in pieces of any size")
    func forms() throws {
        let features = (1...3).map { feature(#"{"name":"n\#($0)"}"#, extra: #","id":"\#($0)""#) }
        let broken = features.map { $0.replacing(",", with: "\n,\n") }
        let spaced = features.map { $0.replacing(":", with: ": ") }
        let forms: [String] = [
            #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ", "))]}"#,
            "{\n \"type\": \"FeatureCollection\",\n \"features\": [\n\(features.joined(separator: ",\n"))\n]\n}\n",
            #"{"features":[\#(features.joined(separator: ","))],"type":"FeatureCollection","bbox":[1,[2]],"x":{"y":"]"}}"#,
            features.joined(separator: "\n"),
            "\(features.joined(separator: "\r\n\n"))\n",
            features.joined(separator: ""),
            features.map { "\u{1E}\($0)\n" }.joined(),
            "\u{1E}\u{1E}\(broken.joined(separator: "\n\u{1E}"))",
            "\u{FEFF}\(features.joined(separator: " "))",
            "\(broken[0])\n\(spaced[1])\n\(features[2])",
            "\(features[0])\n{\"type\":\"FeatureCollection\",\"features\":[\(features[1]),\(features[2])]}",
        ]
        for form in forms {
            for size in [1, 7, 4096] {
                #expect(try read(form, pieces: size).map(\.id) == ["1", "2", "3"], "\(form)")
            }
        }
        #expect(try read("").isEmpty && read(" \n ").isEmpty && read("\u{1E}\n").isEmpty)
        #expect(try read(#"{"type":"FeatureCollection","features":[]}"#).isEmpty)
    }

    @Test("behaviour 44: name, kind, tags, favourite and id of an OpenStreetMap feature")
    func properties() throws {
        let place = try first(
            """
            {"amenity":"cafe","name":"Café  Extra\\n","name:en":"Extra","level":1,"capacity":2.5,"wheelchair":true,
            "note":"one\\ntwo","x":null,"opening":{"a":1},"favorite":true}
            """, extra: #","id":"n123""#)
        #expect(place.id == "n123" && place.name == "Café Extra" && place.kind == "cafe" && place.isFavorite)
        #expect(
            place.tags == [
                "amenity": "cafe", "name:en": "Extra", "level": "1", "capacity": "2.5", "wheelchair": "true",
                "note": "one\ntwo",
            ])
        #expect(place.height == .unstated && place.position.ellipsoidalHeight == 0)
    }

    @Test(
        "behaviour 44: what a place is called, and what it is",
        arguments: [
            (#"{"shop":"bakery","brand":"Brot"}"#, "Brot", "bakery"),
            (#"{"highway":"bus_stop","ref":"17"}"#, "17", "bus_stop"),
            (#"{"amenity":"waste_basket"}"#, "waste basket", "waste_basket"),
            (#"{"shop":"yes","building":"yes"}"#, "shop", "shop"),
            (#"{"building":"yes","historic":"castle"}"#, "castle", "castle"),
            (#"{"amenity":"bar;pub","name":"A"}"#, "A", "bar"),
            (#"{"kind":"own","amenity":"cafe","name:en":"B"}"#, "B", "own"),
            (#"{"category":"viewpoint"}"#, "viewpoint", "viewpoint"),
            (#"{"name":17}"#, "17", "place"),
            ("null", "place", "place"), ("{}", "place", "place"),
        ])
    func naming(properties: String, name: String, kind: String) throws {
        let place = try first(properties)
        #expect(place.name == name && place.kind == kind)
    }

    @Test("behaviour 44: ids of the feature, of its properties, or from what it is")
    func identifiers() throws {
        #expect(try first("{}", extra: #","id":12345678901"#).id == "12345678901")
        #expect(try first(#"{"@id":"node/12"}"#).id == "node/12")
        #expect(try first(#"{"@id":12,"@type":"way"}"#).id == "way/12")
        #expect(try first(#"{"id":"x"}"#).id == "x")
        #expect(try first(#"{"id":"x"}"#, extra: #","id":"y""#).tags == ["id": "x"])
        let derived = try first(#"{"name":"A"}"#).id
        // Ids are kept in stores: they may never come out otherwise.
        #expect(derived == "place-30c040ddc745aba2")
        #expect(try first(#"{"name":"A","note":"b"}"#).id == derived)
        #expect(try first(#"{"name":"B"}"#).id != derived)
    }

    @Test("behaviour 18: heights of the kind that a feature names")
    func heights() throws {
        func height(_ properties: String, _ coordinates: String = "[7.5,51.25]") throws -> PlacementHeight {
            try #require(
                try read(feature(properties, geometry: #"{"type":"Point","coordinates":\#(coordinates)}"#)).first
            ).height
        }
        #expect(try height("{}", "[7.5,51.25,98.5]") == .ellipsoidal(98.5))
        #expect(try height("{}", "[7.5,51.25,0]") == .unstated)
        #expect(try height(#"{"heightKind":"sea"}"#, "[7.5,51.25,60]") == .meanSeaLevel(60))
        #expect(try height(#"{"heightKind":"ground","heightMetres":2.5}"#) == .groundRelative(2.5))
        #expect(try height(#"{"heightKind":"roof"}"#) == .roofRelative(0))
        #expect(try height(#"{"heightKind":"eye","heightMetres":-1}"#) == .eyeRelative(-1))
        #expect(try height(#"{"heightKind":"ellipsoid"}"#, "[7.5,51.25,0]") == .ellipsoidal(0))
        #expect(
            readAll(feature(#"{"heightKind":"attic"}"#)).problems
                == ["$.properties.heightKind: no kind of height; known are eye, ground, roof, ellipsoid, sea"])
        #expect(
            readAll(feature(#"{"heightMetres":"2 m"}"#)).problems
                == ["$.properties.heightMetres: a number is needed, not a string"])
    }

    @Test(
        "behaviour 44: any geometry has one point for its mark",
        arguments: [
            (#"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#, 1, 2),
            (#"{"type":"LineString","coordinates":[[0,0],[0.001,0],[0.004,0]]}"#, 0.002, 0),
            (#"{"type":"LineString","coordinates":[[1,2],[1,2]]}"#, 1, 2),
            (#"{"type":"Polygon","coordinates":[[[0,0],[0.003,0],[0.003,0.001],[0,0.001],[0,0]]]}"#, 0.0015, 0.0005),
            (#"{"type":"Polygon","coordinates":[[[0,0],[0.004,0],[0,0.004],[0,0]]]}"#, 0.004 / 3, 0.004 / 3),
            (#"{"type":"Polygon","coordinates":[[[1,1],[1,1],[1,1]]]}"#, 1, 1),
            (
                #"{"type":"MultiPolygon","coordinates":[[[[0,0],[0.001,0],[0,0.001],[0,0]]],[[[1,1],[1.002,1],[1.002,1.002],[1,1.002],[1,1]]]]}"#,
                1.001, 1.001
            ),
            (#"{"type":"MultiLineString","coordinates":[[[5,5],[5.001,5]],[[0,0],[0.002,0]]]}"#, 0.001, 0),
            (#"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[8,9]}]}"#, 8, 9),
            (
                #"{"type":"Polygon","coordinates":[[[179.999,0],[-179.999,0],[-179.999,0.002],[179.999,0.002],[179.999,0]]]}"#,
                180, 0.001
            ),
        ] as [(String, Double, Double)])
    func representative(geometry: String, longitude: Double, latitude: Double) throws {
        for text in [feature("{}", geometry: geometry), geometry] {
            let position = try #require(try read(text).first).position
            // 1 mm, which planes about a vertex are good for at this size.
            #expect(abs(position.latitudeDegrees - latitude) < 1e-8)
            #expect(abs(abs(position.longitudeDegrees) - longitude) < 1e-8)
        }
    }

    @Test("behaviour 44: a bad feature is named with its number, and the next is read where the caller wants it")
    func badFeatures() {
        let good = feature(#"{"name":"good"}"#)
        let bad = [
            (feature("[]"), "properties: an object is needed, not an array"),
            (feature("{}", geometry: "null"), ": a place needs a geometry"),
            (feature("{}", geometry: "7"), "geometry: an object is needed, not a number"),
            (feature("{}", geometry: "{}"), "geometry: the member \"type\" is missing"),
            (feature("{}", geometry: #"{"type":"Circle"}"#), "geometry: the member \"coordinates\" is missing"),
            (
                feature("{}", geometry: #"{"type":"Circle","coordinates":[]}"#),
                "geometry.type: no type of geometry: Circle"
            ),
            (
                feature("{}", geometry: #"{"type":"Point","coordinates":[1,"2"]}"#),
                "geometry.coordinates[1]: a number is needed, not a string"
            ),
            (
                feature("{}", geometry: #"{"type":"Polygon","coordinates":[[]]}"#),
                "geometry.coordinates[0]: an empty array; at least one element is needed"
            ),
            ("7", ": an object is needed, not a number"),
            (
                feature("{}", extra: #","id":"\#(String(repeating: "x", count: 201))""#),
                "id: an id longer than 200 bytes"
            ),
            (feature("{}").replacing("Feature", with: "FeatureCollection"), ": a FeatureCollection inside of another"),
            (feature(#"{"a":"\udc00"}"#), "a: half of a surrogate pair, at byte"),
        ]
        for (text, problem) in bad {
            let collection = readAll(#"{"type":"FeatureCollection","features":[\#(good),\#(text),\#(good)]}"#)
            #expect(collection.places.count == 2 && !collection.broken)
            let expected = "$.features[1]" + (problem.hasPrefix(":") ? "" : ".")
            #expect(collection.problems.count == 1)
            #expect(collection.problems[0].hasPrefix(expected) && collection.problems[0].contains(problem))
            for separator in ["\n", "\n\u{1E}"] where text.first == "{" {
                let start = separator == "\n" ? "" : "\u{1E}"
                let sequence = readAll(start + [good, text, good].joined(separator: separator))
                if text.contains("FeatureCollection") { continue }
                #expect(sequence.places.count == 2 && !sequence.broken)
                #expect(sequence.problems.count == 1 && sequence.problems[0].hasPrefix("text 2: $"))
            }
        }
    }

    @Test("behaviour 44: a line or record that is no JSON spoils only itself; a broken collection ends the reading")
    func brokenTexts() {
        let good = feature(#"{"name":"good"}"#)
        for broken in [#"{"type":"Feature","geom"#, "{]", "x", "{\"a\":\"\u{FFFF}", "\"text\"", good + good, "[1]"] {
            for start in ["", "\u{1E}"] {
                let text = [good, broken, good, broken].map { start + $0 }.joined(separator: "\n")
                let result = readAll(text)
                #expect(result.places.count == 2 && !result.broken, "\(broken)")
                #expect(result.problems.count == 2 && result.problems[0].hasPrefix("text 2: $"), "\(result.problems)")
            }
        }
        let collection = readAll(#"{"type":"FeatureCollection","features":[\#(good),{"type" "Feature"},\#(good)]}"#)
        #expect(collection.places.count == 1 && collection.broken)
        #expect(collection.problems[0].hasPrefix("$.features[1].type: a colon is missing after a name"))
        #expect(
            readAll(#"{"type":"FeatureCollection","features":7}"#).problems == [
                "$: \"features\" has to be an array, at byte 39"
            ])
        #expect(readAll(#"{"type":"FeatureCollection"}"#).problems.count == 1)
    }

    @Test("behaviour 44: a feature of any size takes bounded memory, and the next is read")
    func huge() {
        let zeros = Array(repeating: "[0,0]", count: 200_000).joined(separator: ",")
        let large = feature("{}", geometry: #"{"type":"LineString","coordinates":[\#(zeros)]}"#)
        let wordy = feature(#"{"a":"\#(String(repeating: "x", count: 1 << 20))","b":"y"}"#)
        let result = readAll(#"{"type":"FeatureCollection","features":[\#(large),\#(wordy),\#(feature("{}"))]}"#)
        #expect(result.places.count == 1 && !result.broken)
        #expect(
            result.problems.map { $0.split(separator: ",")[0].split(separator: ": ").last! } == [
                "more values than are taken", "more text than is taken",
            ])
        let tags = (0..<1000).map { "\"k\($0)\":\"v\"" }.joined(separator: ",")
        #expect(readAll(feature("{\(tags)}")).places[0].tags.count == 64)
        let long = readAll(
            feature(
                #"{"name":"\#(String(repeating: "ä", count: 3000))","k":"\#(String(repeating: "ä", count: 3000))"}"#))
        #expect(long.places[0].name.utf8.count <= 200 && long.places[0].tags["k"]!.utf8.count <= 1024)
    }

    @Test("behaviour 44: everything of a place comes back from what is written, in every form")
    func roundTrip() throws {
        var random = SplitMix(seed: 44)
        let heights: [PlacementHeight] = [
            .unstated, .eyeRelative(0), .eyeRelative(1.25), .groundRelative(0), .ellipsoidal(98.765), .ellipsoidal(0),
            .meanSeaLevel(-3.5),
        ]
        let places = (0..<300).map { index in
            let height = heights[index % heights.count]
            var metres = 0.0
            if case .ellipsoidal(let value) = height { metres = value }
            return Place(
                id: index % 3 == 0 ? "place/\(index)" : "\"\\\u{1F600}\(index)", name: "Name \(index) <ü>",
                kind: "cafe",
                position: GeodeticPosition(
                    latitudeDegrees: .random(in: -90...90, using: &random),
                    longitudeDegrees: .random(in: -180...180, using: &random), ellipsoidalHeight: metres)!,
                height: height,
                tags: index % 4 == 0
                    ? [:]
                    : [
                        "amenity": "bar", "kind": "x", "name": "y", "tag:kind": "z", "favorite": "no", "@id": "1",
                        "id": "2",
                        "note": "a\n\"b\"", "heightKind": "sea",
                    ],
                isFavorite: index % 5 == 0)
        }
        for form in PlaceDocumentWriter.Form.allCases {
            var writer = PlaceDocumentWriter(form: form)
            var text: [UInt8] = []
            for place in places {
                writer.append(place)
                text += writer.bytes
                writer.removeAll()
            }
            writer.finish()
            text += writer.bytes
            var reader = PlaceDocumentReader(source: pieces(of: text, size: 1000))
            var read: [Place] = []
            while let place = try reader.next() { read.append(place) }
            #expect(read == places)
        }
        var empty = PlaceDocumentWriter(form: .collection)
        empty.finish()
        #expect(try self.read(String(decoding: empty.bytes, as: UTF8.self)).isEmpty)
    }

    @Test("behaviour 44: documents cut off or changed anywhere are read or refused by name, and always end")
    func mutations() {
        let features = (0..<3).map {
            feature(
                #"{"name":"n\#($0)","amenity":"cafe","heightKind":"eye","heightMetres":1}"#, extra: #","id":\#($0)"#)
        }
        let forms = [
            #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))],"x":1}"#,
            features.joined(separator: "\n"), features.map { "\u{1E}\($0)\n" }.joined(),
        ].map { Array($0.utf8) }
        var random = SplitMix(seed: 8142)
        let spice = Array("{}[]\",:0-e.\\\n\u{1E}\u{0}tfn".utf8) + [0xC3, 0xED, 0xFF]
        func drain(_ bytes: [UInt8]) -> Int {
            var reader = PlaceDocumentReader(source: pieces(of: bytes, size: 50))
            var steps = 0
            do {
                while try reader.next(reporting: { problem in
                    #expect(!problem.message.isEmpty)
                    steps += 1
                }) != nil { steps += 1 }
            } catch { #expect(!error.message.isEmpty) }
            return steps
        }
        for form in forms {
            for count in 0..<form.count { #expect(drain(Array(form[..<count])) <= count) }
            for _ in 0..<4000 {
                var changed = form
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<changed.count, using: &random)
                    if Bool.random(using: &random) {
                        changed[place] = spice.randomElement(using: &random)!
                    } else {
                        changed.remove(at: place)
                    }
                }
                #expect(drain(changed) <= changed.count)
            }
        }
    }

    @Test("behaviour 44: a source that fails is reported, however lenient the reading")
    func failingSource() {
        struct Broken: Error, CustomStringConvertible { let description = "input/output error" }
        let text = Array((feature(#"{"name":"a"}"#) + "\n").utf8)
        var calls = 0
        var reader = PlaceDocumentReader { room in
            calls += 1
            guard calls <= 2 else { throw Broken() }
            room.copyBytes(from: text)
            return text.count
        }
        var places = 0
        #expect {
            while try reader.next(reporting: { _ in }) != nil { places += 1 }
        } throws: {
            "\($0)" == "the document could not be read to its end: input/output error"
        }
        #expect(places == 2 && !reader.canGoOn)
    }
}

extension PlaceDocumentReader {
    /// Reads the next valid place, and passes the problems of the features before it to `report`; nil at the end.
    ///
    /// - Throws: only a problem after which reading cannot continue.
    fileprivate mutating func next(reporting report: (DocumentProblem) -> Void) throws(DocumentProblem) -> Place? {
        while true {
            do throws(DocumentProblem) {
                return try next()
            } catch {
                guard canGoOn else { throw error }
                report(error)
            }
        }
    }
}
