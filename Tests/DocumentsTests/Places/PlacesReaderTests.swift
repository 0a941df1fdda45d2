import Documents
import Scene
import TestTools
import Testing

@Suite("Places from documents of any kind")
struct PlacesReaderTests {
    /// Good places, what is said of the others, and whether the document ended early.
    func read(_ text: String, pieces size: Int = 4096) -> (places: [Place], problems: [String], isBroken: Bool) {
        read(Array(text.utf8), pieces: size)
    }

    private func read(_ bytes: [UInt8], pieces size: Int = 4096) -> (
        places: [Place], problems: [String], isBroken: Bool
    ) {
        var reader = PlacesReader(source: pieces(of: bytes, size: size))
        var (places, problems): ([Place], [String]) = ([], [])
        while true {
            do {
                guard let place = try reader.next() else { return (places, problems, false) }
                places.append(place)
            } catch {
                problems.append(error.description)
                if !reader.canGoOn { return (places, problems, true) }
            }
        }
    }

    private func gpx(_ content: String) -> String {
        "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n\(content)\n</gpx>"
    }

    @Test("the kind of a document is recognised by its content, whatever stands before it", arguments: [1, 7, 4096])
    func recognised(size: Int) {
        let documents = [
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,47]},"properties":{"name":"a"}}"#,
            gpx("<wpt lat=\"47\" lon=\"8\"><name>a</name></wpt>"), "name,lat,lon\na,47,8\n",
        ]
        for document in documents {
            for start in ["", "\u{FEFF}", " \r\n\t", "\u{FEFF}\n"] {
                // XML's declaration has to be its first character.
                let text = document.hasPrefix("<?") && start.contains("\n") ? document.dropFirst(21) : document[...]
                let found = read(start + text, pieces: size)
                #expect(
                    found.places.map(\.name) == ["a"] && found.problems.isEmpty, "\(start)\(text): \(found.problems)")
            }
        }
        #expect(read("", pieces: size).problems.isEmpty == read(" \n", pieces: size).problems.isEmpty)
    }

    // MARK: - GPX

    @Test("a waypoint gives name, kind, height above sea level and what else is said of it")
    func waypoint() throws {
        let found = read(
            gpx(
                """
                <metadata><name>not a place</name></metadata>
                <wpt lat="47.25" lon="-8.5"><ele>431.5</ele><time>2026-01-01T00:00:00Z</time><name> Alp
                hütte </name><desc>Two\nlines</desc><link href="https://a.example"><text>x</text></link><sym>Lodge</sym>
                <type>Mountain Hut</type><extensions><name>other</name></extensions></wpt>
                <wpt lat="+1" lon="2"><ele>0</ele><sym>Drinking Water</sym></wpt>
                <rte><rtept lat="3" lon="4"><name>no place</name></rtept></rte>
                """))
        #expect(found.problems.isEmpty)
        let hut = try #require(found.places.first)
        #expect(hut.name == "Alp hütte" && hut.kind == "mountain_hut" && hut.height == .meanSeaLevel(431.5))
        #expect(hut.position.latitudeDegrees == 47.25 && hut.position.longitudeDegrees == -8.5)
        #expect(
            hut.tags == [
                "description": "Two\nlines", "website": "https://a.example", "sym": "Lodge", "type": "Mountain Hut",
                "time": "2026-01-01T00:00:00Z",
            ])
        let water = found.places[1]
        #expect(water.name == "drinking water" && water.kind == "drinking_water" && water.height == .unstated)
        #expect(found.places.count == 2 && hut.id.hasPrefix("place-") && hut.id != water.id)
    }

    @Test("a wrong waypoint is named by line and column, and the others are taken")
    func wrongWaypoints() {
        let found = read(
            gpx(
                """
                <wpt lat="91" lon="8"/>
                <wpt lon="8"/>
                <wpt lat="1" lon="x"><name>b</name></wpt>
                <wpt lat="1" lon="2"><ele>high</ele></wpt>
                <wpt lat="1" lon="2"><name>good</name></wpt>
                """))
        #expect(found.places.map(\.name) == ["good"] && !found.isBroken)
        #expect(
            found.problems == [
                "line 3, column 1: lat has to be a number of degrees within ±90, not '91'",
                "line 4, column 1: the attribute lat is missing",
                "line 5, column 1: lon has to be a number of degrees within ±360, not 'x'",
                "line 6, column 1: ele has to be a height in metres, not 'high'",
            ])
    }

    @Test(
        "what is no GPX with waypoints is refused",
        arguments: [
            ("<kml/>", "its outermost element is 'kml'"), ("<gpx><wpt", "unclosed token"),
            ("<gpx><trk></trk></gpx>", "its track is no place"), ("<gpx><wpt lat='1' lon='2'></gpx>", "mismatched tag"),
            ("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx/>", "document type declarations are not taken"),
        ])
    func noGPX(_ text: String, _ problem: String) {
        let found = read(text)
        #expect(found.isBroken && found.problems.count == 1 && found.problems[0].contains(problem), "\(found.problems)")
    }

    @Test("a document of any length is read, and a tag or comment without end is not")
    func lengths() {
        let comments = String(repeating: "<!-- \(String(repeating: "x", count: 60_000)) -->\n", count: 40)
        let many = (0..<50_000).map { "<wpt lat=\"\($0 % 90)\" lon=\"8\"/>" }.joined(separator: "\n")
        let found = read(gpx(comments + many), pieces: 70_000)
        #expect(found.places.count == 50_000 && found.problems.isEmpty)
        let endless = read(gpx("<wpt lat=\"\(String(repeating: "1", count: 3 << 20))"), pieces: 70_000)
        #expect(endless.isBroken && endless.problems[0].contains("longer than 1 MiB"))
    }

    // MARK: - CSV

    @Test(
        "a table is read with the separators and quotes of spreadsheets",
        arguments: [
            "Name,Latitude,Longitude,Category\n\"Bar, \"\"Zum Bären\"\"\",47.25,8.5,Pub\n",
            "Name;Latitude;Longitude;Category\r\n\"Bar, \"\"Zum Bären\"\"\";47,25;8,5;Pub\r\n;;;\r\n",
            "sep=;\nname; lat ;lng;type\nBar, \"Zum Bären\"; 47,25 ; +8.5 ;pub",
            "\u{FEFF}\n\"lat\"\t\"long\"\t\"title\"\t\"kind\"\n4.725e1\t8.5\tBar, \"Zum Bären\"\tPub\n\n\n",
        ])
    func table(_ text: String) throws {
        for size in [1, 5, 4096] {
            let found = read(text, pieces: size)
            #expect(found.problems.isEmpty && found.places.count == 1)
            let place = try #require(found.places.first)
            #expect(place.name == "Bar, \"Zum Bären\"" && place.kind == "pub")
            #expect(place.position.latitudeDegrees == 47.25 && place.position.longitudeDegrees == 8.5)
        }
    }

    @Test("columns have the meaning that the properties of GeoJSON have, and the others are tags")
    func columns() {
        let text = """
            id,lat,lon,ele,height,heightKind,heightMetres,favorite,amenity,opening_hours,Notes
            a,1,2,400,,,,yes,cafe;bar,Mo-Fr,"two
            lines"
            b,1,2,,450,,,no,yes,,
            c,1,2,,,ground,2.5,,,,
            d,1,2,0,0,,,,,,

            """
        let found = read(text)
        #expect(found.problems.isEmpty && found.places.map(\.id) == ["a", "b", "c", "d"])
        #expect(found.places.map(\.kind) == ["cafe", "amenity", "place", "place"])
        #expect(
            found.places.map(\.height) == [.meanSeaLevel(400), .ellipsoidal(450), .groundRelative(2.5), .unstated])
        #expect(found.places.map(\.isFavorite) == [true, false, false, false])
        #expect(
            found.places[0].tags == ["amenity": "cafe;bar", "opening_hours": "Mo-Fr", "Notes": "two\nlines"])
    }

    @Test("a wrong row is named by line and column, and the others are taken")
    func wrongRows() {
        let text = """
            name,lat,lon,ele
            a,91,2,
            b,"1
            2",2,
            c,,2,
            d,1,2
            e,1,east,
            f,1,2,"3"4
            g,nan,2,
            h,1,2,1e9
            i,1,2,3,4
            good,1,2,3

            """
        let found = read(text)
        #expect(found.places.map(\.name) == ["good"] && !found.isBroken)
        #expect(
            found.problems == [
                "line 2, column 2: lat has to be a number of degrees within ±90; not '91'",
                "line 3, column 2: lat has to be a number of degrees within ±90; not '1 2'",
                "line 5, column 2: lat has to be a number of degrees within ±90; it is empty",
                "line 6: 3 cells where the first row names 4 columns",
                "line 7, column 3: lon has to be a number of degrees within ±360; not 'east'",
                "line 8, column 4: text after the closing quotation mark",
                "line 9, column 2: lat has to be a number of degrees within ±90; not 'nan'",
                "line 10, column 4: ele has to be a number of metres within ±100000; not '1e9'",
                "line 11: 5 cells where the first row names 4 columns",
            ])
    }

    @Test("what is no table with positions is refused, with what its first row is")
    func noTable() {
        let noColumns = read("hello world; this is text\nand more")
        #expect(noColumns.isBroken)
        #expect(
            noColumns.problems == [
                "line 1: neither GeoJSON nor GPX, and as a table (CSV) it lacks the columns lat and lon: its first row is "
                    + "'hello world', 'this is text'"
            ])
        #expect(read(Array("lat,lon\n".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }).isBroken)
        let utf16 = read([0xFF, 0xFE] + Array("lat,lon\n".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        #expect(utf16.isBroken && utf16.problems[0].contains("UTF-16; save it as UTF-8"))
        let latin = read(Array("lat,lon,name\n1,2,Z".utf8) + [0xFC] + Array("rich\n1,2,b\n".utf8))
        #expect(
            latin.places.map(\.name) == ["b"]
                && latin.problems[0].contains("line 2, column 3: the text is not in UTF-8"))
        let open = read("lat,lon,name\n1,2,a\n1,2,\"b\n1,2,c\n")
        #expect(
            open.places.count == 1 && open.isBroken && open.problems[0].hasPrefix("line 3: the document ends inside"))
        let endless = read("lat,lon,name\n1,2,\"" + String(repeating: "x\n", count: 1 << 20))
        #expect(endless.isBroken && endless.problems[0].contains("more than 1 MiB"))
        let wide = read("lat,lon" + String(repeating: ",", count: 300) + "\n")
        #expect(wide.isBroken && wide.problems[0].contains("more than 256 columns"))
    }
}
