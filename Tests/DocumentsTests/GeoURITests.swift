import Documents
import Geometry
import TestTools
import Testing

@Suite("geo: URI")
struct GeoURITests {
    private let vienna = GeodeticPosition(
        latitudeDegrees: 48.2081743, longitudeDegrees: 16.3738189, ellipsoidalHeight: 183.246)!

    private func text(_ horizontal: Double?, _ vertical: Double?) -> String? {
        GeoURI(vienna, horizontalAccuracy: horizontal, verticalAccuracy: vertical)?.text
    }

    @Test("behaviour 45: as many digits as the accuracy is worth, and u rounded up")
    func digits() {
        #expect(text(4.21, 3) == "geo:48.208174,16.373819,183.2;u=4.3")
        #expect(text(12.1, 8) == "geo:48.20817,16.37382,183;u=13")
        #expect(text(0.031, 0.05) == "geo:48.20817430,16.37381890,183.246;u=0.1")
        #expect(text(180, nil) == "geo:48.2082,16.3738;u=180")
        #expect(text(5_000, nil) == "geo:48.208,16.374;u=5000")
    }

    @Test("behaviour 45: the height only with its accuracy, for which u holds too")
    func height() {
        #expect(text(4.21, nil) == "geo:48.208174,16.373819;u=4.3")
        #expect(text(4.21, 9.95) == "geo:48.208174,16.373819,183.2;u=10")
        #expect(text(nil, nil) == "geo:48.208174,16.373819")
        #expect(text(nil, 7) == "geo:48.208174,16.373819,183.2")
    }

    @Test("behaviour 45: rounding moves a place by no more than a twentieth of u", arguments: UInt64(0)..<50)
    func rounding(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let latitude = Double.random(in: -90...90, using: &generator)
        let longitude = Double.random(in: -540...540, using: &generator)
        let place = try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: -12))
        for accuracy in [0.02, 0.4, 1, 5, 30, 900] {
            let uri = try #require(GeoURI(place, horizontalAccuracy: accuracy, verticalAccuracy: accuracy / 2))
            let read = try GeoURI(parsing: uri.text)
            let back = try #require(read.position)
            // Half of the last digit along both axes; ten nanodegrees are the finest.
            let allowed = max(accuracy / 20, 0.6e-3) * 1.4143
            #expect(Geodesic(from: place, to: back).distance <= allowed)
            #expect(abs(back.ellipsoidalHeight + 12) <= max(accuracy / 20 * 0.9, 0.5e-3))
            let radius = try #require(read.uncertaintyMetres)
            #expect(radius >= accuracy && radius <= max(0.1, accuracy * 1.1 + 0.1))
        }
    }

    @Test("no negative zero, no longitude at a pole, none beyond the date line")
    func normal() throws {
        func text(_ latitude: Double, _ longitude: Double) throws -> String {
            let place = try #require(
                GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0))
            return try #require(GeoURI(place, horizontalAccuracy: 20, verticalAccuracy: nil)).text
        }
        #expect(try text(-0.000001, -0.0) == "geo:0.00000,0.00000;u=20")
        #expect(try text(90, 77) == "geo:90.00000,0.00000;u=20")
        #expect(try text(-33.5, 190.25) == "geo:-33.50000,-169.75000;u=20")
        #expect(
            try text(-33.5, -540) == "geo:-33.50000,-180.00000;u=20" || text(-33.5, -540).hasSuffix(",180.00000;u=20"))
    }

    @Test("what the standard allows is read")
    func reads() throws {
        let plain = try GeoURI(parsing: "geo:13.4125,103.8667")
        #expect(plain.latitudeDegrees == 13.4125 && plain.longitudeDegrees == 103.8667)
        #expect(plain.ellipsoidalHeight == nil && plain.uncertaintyMetres == nil)
        let full = try GeoURI(parsing: "GEO:-48.2010,16.3695,-183.5;CRS=WGS84;U=40;name=A%20b(c)$;flag")
        #expect(full.latitudeDegrees == -48.201 && full.ellipsoidalHeight == -183.5 && full.uncertaintyMetres == 40)
        #expect(try GeoURI(parsing: "geo:0,0;u=0").uncertaintyMetres == 0)
        #expect(try GeoURI(parsing: "geo:0,0;a=1;b=2").uncertaintyMetres == nil)
        #expect(try GeoURI(parsing: "geo:90,-22.43").longitudeDegrees == 0)
        #expect(try GeoURI(parsing: "geo:66,30;u=6.500;FOo=this%2dthat") == GeoURI(parsing: "geo:66.0,30;u=6.5"))
    }

    @Test(
        "what it does not allow is refused by name",
        arguments: [
            ("", GeoURIProblem.notGeo), ("geo", .notGeo), ("http://x", .notGeo), (" geo:1,2", .notGeo),
            ("geo:", .coordinateCount(1)), ("geo:1", .coordinateCount(1)), ("geo:1,2,3,4", .coordinateCount(4)),
            ("geo:1,", .notANumber("")), ("geo:1,2 ", .notANumber("2 ")), ("geo:+1,2", .notANumber("+1")),
            ("geo:1e1,2", .notANumber("1e1")), ("geo:.5,2", .notANumber(".5")), ("geo:5.,2", .notANumber("5.")),
            ("geo:1.2.3,2", .notANumber("1.2.3")), ("geo:nan,2", .notANumber("nan")),
            ("geo:inf,2", .notANumber("inf")), ("geo:--1,2", .notANumber("--1")), ("geo:0x1,2", .notANumber("0x1")),
            ("geo:90.1,0", .notOnEarth), ("geo:0,180.1", .notOnEarth), ("geo:0,0,100001", .notOnEarth),
            ("geo:0,0;crs=moon-2011;u=1", .referenceSystem("moon-2011")), ("geo:0,0;crs", .parameter("crs")),
            ("geo:0,0;u=-1", .uncertainty("-1")), ("geo:0,0;u=1e3", .uncertainty("1e3")),
            ("geo:0,0;u=99999999", .uncertainty("99999999")), ("geo:0,0;u", .parameter("u")),
            ("geo:0,0;u=", .parameter("u=")), ("geo:0,0;u=1;u=2", .parameter("u=2")),
            ("geo:0,0;u=1;crs=wgs84", .parameter("crs=wgs84")), ("geo:0,0;a=b;u=1", .parameter("u=1")),
            ("geo:0,0;", .parameter("")), ("geo:0,0;a b=1", .parameter("a b=1")), ("geo:0,0;a=%2", .parameter("a=%2")),
            ("geo:0,0;a=b=c", .parameter("a=b=c")), ("geo:0,0?q=cafe", .notANumber("0?q=cafe")),
            ("geo:0,\u{1B}[2J", .notANumber("?[2J")),
        ])
    func refuses(text: String, problem: GeoURIProblem) {
        #expect(throws: problem) { try GeoURI(parsing: text) }
        #expect(!problem.description.isEmpty)
    }

    @Test("long texts are refused before they are looked at")
    func long() {
        #expect(throws: GeoURIProblem.tooLong) {
            try GeoURI(parsing: "geo:0,0;a=" + String(repeating: "b", count: 2000))
        }
        #expect(throws: GeoURIProblem.self) { try GeoURI(parsing: "geo:0,0." + String(repeating: "1", count: 500)) }
    }

    @Test("garbled ones are read as a place on earth or refused", arguments: UInt64(0)..<40)
    func garbled(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let pieces = Array("geo:;,=.-+%0123456789uUcrsCRSwgs84e\u{0} é/?#".unicodeScalars)
        var (count, refused) = (0, 0)
        for _ in 0..<500 {
            var scalars = Array("geo:48.2,16.37,183;crs=wgs84;u=5;x=%41".unicodeScalars)
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let index = Int.random(in: 0..<scalars.count, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: scalars[index] = pieces.randomElement(using: &generator)!
                case 1: scalars.insert(pieces.randomElement(using: &generator)!, at: index)
                default: scalars.remove(at: index)
                }
            }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let read: GeoURI
            do throws(GeoURIProblem) {
                read = try GeoURI(parsing: text)
            } catch {
                #expect(!error.description.isEmpty)
                refused += 1
                continue
            }
            #expect(read.position != nil)
            // What is written is read as the same again.
            #expect(try GeoURI(parsing: read.text).text == read.text)
            count += 1
        }
        #expect(count > 20 && refused > 400)
    }
}
