import Scene
import Testing

@Suite("Details of a place")
struct PlaceDetailsTests {
    private func texts(_ tags: [String: String]) -> [PlaceDetails.Field: String] {
        PlaceDetails(tags: tags)?.texts ?? [:]
    }

    @Test("behaviour 53: the tags of OpenStreetMap come under the names that are documented")
    func openStreetMap() throws {
        let details = try #require(
            PlaceDetails(tags: [
                "addr:street": "Bahnhofstrasse", "addr:housenumber": "12a", "addr:postcode": "8001",
                "addr:city": "Zürich",
                "addr:country": "CH", "contact:phone": "+41 44 123 45 67;+41 79 1",
                "contact:website": "https://example.ch/a",
                "opening_hours": "Mo-Fr 08:00-18:00", "description": "First line\nSecond line", "wheelchair": "Limited",
                "operator": "Example AG", "wikipedia": "de:Zürich Hauptbahnhof", "email": "info@example.ch",
                "image": "https://example.ch/1.jpg", "wikimedia_commons": "File:A b & c.jpg", "cuisine": "swiss",
            ]))
        #expect(
            details.texts == [
                .address: "Bahnhofstrasse 12a, 8001 Zürich", .street: "Bahnhofstrasse", .houseNumber: "12a",
                .postcode: "8001", .city: "Zürich", .country: "CH", .phone: "+41 44 123 45 67",
                .email: "info@example.ch", .website: "https://example.ch/a", .openingHours: "Mo-Fr 08:00-18:00",
                .description: "First line\nSecond line", .wheelchair: "limited", .operator: "Example AG",
                .wikipedia: "https://de.wikipedia.org/wiki/Z%C3%BCrich_Hauptbahnhof",
            ])
        #expect(
            details.pictures == [
                "https://example.ch/1.jpg", "https://commons.wikimedia.org/wiki/Special:FilePath/A_b_%26_c.jpg",
            ])
    }

    @Test(
        "behaviour 53: other common names mean the same",
        arguments: [
            (["telephone": "123"], .phone, "123"), (["Phone": "123"], .phone, "123"),
            (["openingHours": "24/7"], .openingHours, "24/7"), (["opening-hours": "24/7"], .openingHours, "24/7"),
            (["url": "http://a.example/"], .website, "http://a.example/"),
            (["streetAddress": "Main Street 1"], .street, "Main Street 1"), (["zip": "90210"], .postcode, "90210"),
            (["formatted_address": "1 Main St, X"], .address, "1 Main St, X"), (["addr:town": "Thun"], .city, "Thun"),
            (["addr:full": "Weg 3"], .address, "Weg 3"),
        ] as [([String: String], PlaceDetails.Field, String)])
    func others(tags: [String: String], field: PlaceDetails.Field, text: String) {
        #expect(texts(tags)[field] == text)
    }

    @Test("behaviour 53: an address is written as in its country, and a house number alone is none")
    func addresses() {
        let parts = [
            "addr:street": "High Street", "addr:housenumber": "7", "addr:postcode": "AB1 2CD", "addr:city": "Ely",
        ]
        #expect(texts(parts)[.address] == "High Street 7, AB1 2CD Ely")
        #expect(texts(parts.merging(["addr:country": "GB"]) { $1 })[.address] == "7 High Street, Ely AB1 2CD")
        #expect(
            texts(["addr:housenumber": "7"])[.address] == nil && texts(["addr:housenumber": "7"])[.houseNumber] == "7")
        #expect(texts(["addr:city": "Ely"])[.address] == "Ely")
    }

    @Test(
        "behaviour 53: what is no web address is none, and stays a property",
        arguments: [
            "javascript:alert(1)", "ftp://example.org/", "www.example.org", "file:///etc/passwd", "https://",
            "http:///path", "https://user:secret@example.org/", "https://exam ple.org/", "https://example.org/<script>",
            "https://example.org/\u{202E}gpj.exe", "data:text/html,x", "", " ", "https://example.org/\u{0}x",
            "//example.org", "HTTPS:example.org", "https://example.org/" + String(repeating: "a", count: 1100),
        ])
    func noAddresses(text: String) {
        #expect(PlaceDetails(tags: ["website": text, "image": text, "url": text]) == nil)
    }

    @Test(
        "behaviour 53: no page and no picture is made up of an address of another form, or leads out of its folder",
        arguments: [
            "https://user@example.org/", "https://exam ple.org/", "http://", "en:../../x", "en:.", "en:a/../../b",
            "en:",
        ])
    func noPages(text: String) {
        #expect(PlaceDetails(tags: ["wikipedia": text]) == nil)
        let pictures = PlaceDetails(tags: ["wikimedia_commons": "File:" + text.dropFirst(3)])?.pictures ?? []
        #expect(!pictures.contains { $0.contains("..") })
    }

    @Test("behaviour 53: a picture may be a file in the folder of pictures, and lies in no other")
    func pictureFiles() throws {
        let details = try #require(PlaceDetails(tags: ["image": "mill_1905.JPG; https://example.org/1.jpg"]))
        #expect(details.pictures == ["mill_1905.JPG", "https://example.org/1.jpg"])
        #expect(PictureName("a.b.webp")?.mediaType == "image/webp")
        let longest = String(repeating: "a", count: 96)
        #expect(PictureName(longest + ".png") != nil && PictureName(longest + "a.png") == nil)
        #expect(PictureName("a.jpg\0") == nil && PictureName("a\n.jpg") == nil)
        for text in [
            "../a.jpg", "a/b.jpg", ".jpg", "..jpg", "a.svg", "jpg", "", "a b.jpg", "ä.jpg", "a.jpg/",
        ] {
            #expect(PictureName(text) == nil && PlaceDetails(tags: ["image": text]) == nil, "\(text)")
        }
    }

    @Test("behaviour 53: titles may hold dots and slashes")
    func titles() {
        #expect(texts(["wikipedia": "en:/dev/null"])[.wikipedia] == "https://en.wikipedia.org/wiki//dev/null")
        #expect(texts(["wikipedia": "en:R.E.M."])[.wikipedia] == "https://en.wikipedia.org/wiki/R.E.M.")
        #expect(texts(["wikipedia": "en:...And Justice"])[.wikipedia] == "https://en.wikipedia.org/wiki/...And_Justice")
    }

    @Test("behaviour 53: odd texts are cleaned or left out, and never too many")
    func odd() throws {
        #expect(texts(["phone": "  +1\u{7} 2\n3 "])[.phone] == "+1 2 3")
        #expect(texts(["operator": "a\u{202E}b"])[.operator] == "a b")
        #expect(texts(["wheelchair": "maybe"]) == [:] && texts(["email": "nowhere"]) == [:])
        #expect(texts(["email": "a@b.example, c@d.example"]) == [:])
        #expect(texts(["phone": String(repeating: "1", count: 2000)]) == [:])
        #expect(texts(["wikipedia": "Zürich"]) == [:] && texts(["wikipedia": "../x:y"]) == [:])
        #expect(PlaceDetails(tags: [:]) == nil && PlaceDetails(tags: ["amenity": "cafe"]) == nil)
        let many = (0..<9).map { "https://example.org/\($0).jpg" }.joined(separator: "; ")
        let pictures = try #require(PlaceDetails(tags: ["image": many])).pictures
        #expect(pictures.count == 4 && pictures[0] == "https://example.org/0.jpg")
        #expect(PlaceDetails(tags: ["wikimedia_commons": "Category:Cafés"]) == nil)
        // Of the same kind the first that can be used.
        #expect(texts(["website": "www.a.example", "url": "https://b.example"])[.website] == "https://b.example")
    }

    @Test("behaviour 53: the same tags give the same details, in whatever order they come")
    func order() {
        let tags = ["Phone": "1", "phone": "2", "PHONE": "3", "contact:phone": "4"]
        for _ in 0..<20 {
            let shuffled = Dictionary(uniqueKeysWithValues: tags.shuffled())
            #expect(texts(shuffled)[.phone] == "3")
        }
    }
}
