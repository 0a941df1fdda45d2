import Model
import Testing
import Documents

@Suite("Tracks as NMEA 0183")
struct NMEATrackTests {
    /// Sentences of a point by their kind, as fields.
    private func fields(_ point: TrackSample, origin: TrackDescription.Origin = .fusion) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for sentence in document(.nmea, [point], origin: origin).split(separator: "\r\n") {
            let fields = sentence.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            found[String(fields[0].suffix(3))] = fields
        }
        return found
    }

    /// Latitude and longitude of GGA, with their hemispheres.
    private func coordinates(_ latitude: Double, _ longitude: Double) -> [String] {
        Array(fields(sample(0, latitude: latitude, longitude: longitude))["GGA"]![2...5])
    }

    @Test("a point has GGA, GST and RMC, each with its checksum and at most 82 characters")
    func sentences() {
        var point = sample(0, utc: midsummer, latitude: -89.999, longitude: -179.999, ellipsoidal: -99_999)
        point.standardDeviation = TrackDeviation(east: 99_999, north: 99_999, up: 99_999)
        point.velocityENU = GNSSFix.VelocityENU(east: -700, north: 1, up: 0)
        point.isDeadReckoned = true
        let sentences = document(.nmea, [point]).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(sentences.map { $0.prefix(6) } == ["$GPGGA", "$GPGST", "$GPRMC", ""])
        for sentence in sentences.dropLast() {
            #expect(sentence.utf8.count + 2 <= 82)
            let sum = sentence.utf8.dropFirst().prefix { $0 != UInt8(ascii: "*") }.reduce(0 as UInt8, ^)
            #expect(UInt8(sentence.suffix(2), radix: 16) == sum && sentence.dropLast(2).last == "*")
        }
    }

    @Test("minutes are never 60")
    func rounding() {
        #expect(coordinates(47.99999999999, -8.999999999999) == ["4800.0000000", "N", "00900.0000000", "W"])
        #expect(coordinates(-90, 180) == ["9000.0000000", "S", "18000.0000000", "E"])
        #expect(coordinates(-1e-12, -0.5) == ["0000.0000000", "N", "00030.0000000", "W"])
        #expect(coordinates(0.016_666_65, 9.1) == ["0000.9999990", "N", "00906.0000000", "E"])
    }

    @Test("the last half millisecond of a day belongs to the next one")
    func dayChange() {
        let late = fields(sample(0, utc: midsummer - 400_000))
        #expect(late["RMC"]![1] == "000000.000" && late["RMC"]![9] == "210626")
        let early = fields(sample(0, utc: midsummer - 600_000))
        #expect(early["RMC"]![1] == "235959.999" && early["RMC"]![9] == "200626")
        let beforeTime = fields(sample(0, utc: -1_000_000_000))
        #expect(beforeTime["RMC"]![1] == "235959.000" && beforeTime["RMC"]![9] == "311269")
        for extreme in [Int64.min, .max] {
            var point = sample(0)
            point.utc = extreme
            #expect(fields(point)["GGA"]![1].utf8.count == 10)
        }
    }

    @Test("heights are above mean sea level, with the separation beside them, and empty where unknown")
    func heights() {
        #expect(Array(fields(sample(0))["GGA"]![9...12]) == ["402.75", "M", "47.50", "M"])
        #expect(Array(fields(sample(0, separation: nil))["GGA"]![9...12]) == ["", "M", "", "M"])
    }

    @Test("speed is in knots, and the course clockwise from north, empty at rest")
    func velocity() {
        var point = sample(0)
        point.velocityENU = GNSSFix.VelocityENU(east: -1.852, north: 0, up: nil)
        #expect(Array(fields(point)["RMC"]![7...8]) == ["3.60", "270.0"])
        point.velocityENU = GNSSFix.VelocityENU(east: -1e-6, north: 2, up: nil)
        #expect(fields(point)["RMC"]![8] == "0.0")
        point.velocityENU = GNSSFix.VelocityENU(east: 0.1, north: 0.1, up: nil)
        #expect(fields(point)["RMC"]![8] == "")
        #expect(Array(fields(sample(0))["RMC"]![7...8]) == ["", ""])
    }

    @Test("a position that rests on no recent fix is estimated")
    func deadReckoning() {
        var point = sample(0)
        #expect(fields(point)["GGA"]![6] == "1" && fields(point)["RMC"]!.last!.hasPrefix("A*"))
        point.isDeadReckoned = true
        #expect(fields(point)["GGA"]![6] == "6" && fields(point)["RMC"]!.last!.hasPrefix("E*"))
    }

    @Test("the talker is one that all readers take, and another for a receiver's own fixes; GST has deviations by axis")
    func talker() {
        var point = sample(0)
        point.standardDeviation = TrackDeviation(east: 2, north: 3, up: 4.5)
        let found = fields(point, origin: .receiver)
        #expect(found["GGA"]![0] == "$GNGGA")
        #expect(found["GST"]![6] == "3.00" && found["GST"]![7] == "2.00" && found["GST"]![8].hasPrefix("4.50*"))
    }

    @Test("a point without UTC has no sentence")
    func noUTC() {
        #expect(document(.nmea, [sample(0, utc: nil)]).isEmpty)
    }
}
