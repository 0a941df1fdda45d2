import Sensors
import Testing

@Suite("Reading gpsd's lines")
struct GPSDParserTests {
    private let parser = GPSDParser()

    private func parse(_ line: String) -> GPSDReport {
        parser.parse(Array(line.utf8).map { CChar(bitPattern: $0) } + [0])
    }

    private func fix(_ fields: String) -> GPSDReport.FixReport? {
        let time = "\"time\":\"2026-01-02T03:04:05.250Z\""
        return parse("{\"class\":\"TPV\",\"device\":\"/dev/a\",\"mode\":3,\(time),\"lat\":48,\"lon\":11,\(fields)}").fix
    }

    @Test("position, time and velocity of a report")
    func complete() throws {
        let report = parse(
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-01-02T03:04:05.250Z","lat":48.5,"lon":-11.5,"#
                + #""altHAE":566.5,"altMSL":520.5,"track":90,"speed":2,"climb":-0.5,"eph":4,"epx":5,"epy":6,"epv":7,"#
                + #""eps":99,"ecefpAcc":8,"ecefvAcc":0.3}"#)
        let fix = try #require(report.fix)
        #expect(report.device == "/dev/a")
        #expect(fix.time == 1_767_323_045_250_000_000)
        #expect(fix.position?.latitudeDegrees == 48.5)
        #expect(fix.position?.longitudeDegrees == -11.5)
        #expect(fix.position?.ellipsoidalHeight == 566.5)
        #expect(fix.position?.seaLevelHeight == 520.5)
        #expect(fix.east == 2)
        #expect(abs(try #require(fix.north)) < 1e-15)
        #expect(fix.up == -0.5)
        #expect([fix.horizontalError, fix.eastError, fix.northError, fix.verticalError] == [4, 5, 6, 7])
        #expect(fix.velocityError == 0.3 && fix.positionError == 8)
    }

    @Test("a velocity vector comes before speed and direction; a direction is known only with the speed")
    func velocity() {
        let vector = fix(#""velN":1,"velE":2,"velD":3,"speed":9,"track":0,"climb":9"#)
        let parts = [vector?.north, vector?.east, vector?.up]
        // Some versions of libgps leave the vector out; a mixture of both would be wrong.
        #expect(parts == [1, 2, -3] || parts == [9, 0, 9])
        let undirected = fix(#""speed":1.5"#)
        #expect(undirected?.position != nil)
        #expect(undirected?.north == nil && undirected?.east == nil && undirected?.up == nil)
        let resting = fix(#""speed":0.05"#)
        #expect(resting?.north == 0 && resting?.east == 0 && resting?.restSpeed == 0.05)
        #expect(fix(#""speed":0.05,"track":90"#)?.restSpeed == nil)
        #expect(fix(#""track":90"#)?.east == nil)
    }

    @Test(
        "an impossible field is refused by itself",
        arguments: [
            #""altHAE":1e30,"speed":1,"track":0,"eph":5"#, #""altHAE":-1e9,"speed":1,"track":0,"eph":5"#,
            #""altHAE":nan,"speed":1,"track":0,"eph":5"#,
        ])
    func impossible(fields: String) throws {
        let fix = try #require(self.fix(fields))
        #expect(fix.position?.ellipsoidalHeight == nil)
        for field in [fix.north, fix.east, fix.up, fix.horizontalError] { #expect(field?.isFinite ?? true) }
    }

    @Test(
        "no position without a fix, or beyond the earth",
        arguments: [
            #""mode":1,"lat":1,"lon":1"#, #""mode":3,"lat":91,"lon":1"#, #""mode":3,"lat":1,"lon":181"#,
            #""mode":3,"lat":1e999,"lon":1"#, #""mode":3,"lat":1"#, #""mode":3"#,
            #""mode":3,"status":5,"lat":1,"lon":1"#,
        ])
    func noPosition(fields: String) throws {
        let fix = try #require(parse("{\"class\":\"TPV\",\(fields)}").fix)
        #expect(fix.position == nil)
        #expect(fix.isOutOfRange == ["91", "181"].contains { fields.contains($0) })
    }

    @Test("the kind of a solution is known by its number, of any version of gpsd; unknown ones are plain")
    func solutions() {
        let kinds = (0...11).map { fix("\"status\":\($0)")?.solution }
        #expect(
            kinds == [
                .plain, .plain, .differential, .rtkFixed, .rtkFloat, .plain, .plain, .plain, .simulated, .plain, .plain,
                .plain,
            ])
        // One that is not reported is not that of the line before.
        #expect(fix(#""status":3"#)?.solution == .rtkFixed && fix(#""speed":1"#)?.solution == .plain)
    }

    @Test("a fix in two dimensions has the height that the receiver holds, above the ellipsoid alone")
    func heldHeight() throws {
        let held = try #require(
            parse(#"{"class":"TPV","mode":2,"lat":1,"lon":1,"altHAE":566,"altMSL":520,"geoidSep":46}"#).fix)
        #expect(held.isHeightHeld && held.position?.ellipsoidalHeight == 566)
        #expect(held.position?.seaLevelHeight == nil && held.position?.geoidSeparation == nil)
        #expect(try #require(fix(#""altHAE":566"#)).isHeightHeld == false)
        // What a receiver assumes that has never known a height.
        for assumed in [#""altHAE":0,"altMSL":-46"#, #""altHAE":46,"altMSL":0"#] {
            let fix = try #require(parse("{\"class\":\"TPV\",\"mode\":2,\"lat\":1,\"lon\":1,\(assumed)}").fix)
            #expect(fix.position?.ellipsoidalHeight == nil)
        }
    }

    @Test("the satellites in use are counted, where the receiver reports which they are")
    func satellites() {
        let sky = { (used: [Bool]) in
            let all = used.enumerated().map { "{\"PRN\":\($0 + 1),\"el\":9,\"az\":9,\"ss\":9,\"used\":\($1)}" }
            // From gpsd 3.23 on, the list comes with its length, and libgps reads no list without it.
            return "{\"class\":\"SKY\",\"device\":\"/dev/a\",\"hdop\":3.1,\"nSat\":\(used.count),"
                + "\"satellites\":[\(all.joined(separator: ","))]}"
        }
        let report = parse(sky([true, false, true, true]))
        #expect(report.satellitesUsed == 3 && report.fix == nil && report.device == "/dev/a")
        #expect(parse(sky([false, false])).satellitesUsed == nil)
        #expect(parse(#"{"class":"SKY","hdop":3.1}"#).satellitesUsed == nil)
        #expect(parse(#"{"class":"TPV","mode":1}"#).satellitesUsed == nil)
    }

    @Test("a height of three satellites is one that the receiver holds, and zero is none")
    func tooFewSatellites() throws {
        var count = SatelliteCount()
        #expect(!count.areTooFew(now: 0))
        count.take(3, arrival: 0)
        #expect(count.areTooFew(now: 5_000_000_000) && !count.areTooFew(now: 20_000_000_000))
        count.take(4, arrival: 1)
        #expect(!count.areTooFew(now: 2))
        // One constellation of several, and then the others lost.
        count.take(3, arrival: 1_000_000_000)
        #expect(!count.areTooFew(now: 1_000_000_001) && count.areTooFew(now: 6_000_000_000))
        var fix = try #require(self.fix(#""altHAE":566,"altMSL":520,"geoidSep":46,"climb":0.5,"speed":1,"track":9"#))
        fix.holdHeight()
        #expect(fix.isHeightHeld && fix.up == nil && fix.east != nil)
        #expect(fix.position?.ellipsoidalHeight == 566 && fix.position?.seaLevelHeight == nil)
        for assumed in [#""altHAE":0,"altMSL":-47.5"#, #""altHAE":46,"altMSL":0"#] {
            var fix = try #require(self.fix(assumed))
            #expect(fix.position?.ellipsoidalHeight != nil)
            fix.holdHeight()
            #expect(fix.position?.ellipsoidalHeight == nil && fix.isHeightHeld)
        }
    }

    @Test("a report of standard deviations is not the fix before it once more")
    func sigmas() throws {
        #expect(fix(#""speed":1"#) != nil)
        let time = #""time":"2026-01-02T03:04:05.250Z""#
        let report = parse("{\"class\":\"GST\",\"device\":\"/dev/a\",\(time),\"lat\":2,\"lon\":1,\"alt\":3}")
        #expect(report.fix == nil)
        #expect(report.sigmas == .init(time: 1_767_323_045_250_000_000, east: 1, north: 2, up: 3))
        #expect(parse("{\"class\":\"GST\",\(time),\"lon\":1}").sigmas == nil)
        #expect(parse("{\"class\":\"GST\",\(time),\"lat\":0,\"lon\":0}").sigmas == nil)
        #expect(parse(#"{"class":"GST","lat":2,"lon":1}"#).sigmas == nil)
    }

    private func sigmas(_ fields: String) -> GPSDReport.SigmaReport? {
        parse("{\"class\":\"GST\",\"time\":\"2026-01-02T03:04:05.250Z\",\(fields)}").sigmas
    }

    @Test("an error ellipse much larger than the standard deviations counts in their place")
    func ellipse() throws {
        // A Skytraq receiver that was 13 m off to the east, and 28 m up.
        let skytraq = try #require(sigmas(#""major":22.2,"minor":10.2,"orient":90,"lat":0.4,"lon":0.6,"alt":1.4"#))
        #expect(abs(skytraq.east - 22.2) < 1e-9 && abs(skytraq.north - 10.2) < 1e-9 && skytraq.up == 22.2)
        let turned = try #require(sigmas(#""major":20,"minor":10,"orient":-30,"lat":0.4,"lon":0.6"#))
        #expect(abs(turned.east - 175.0.squareRoot()) < 1e-9 && abs(turned.north - 325.0.squareRoot()) < 1e-9)
        #expect(turned.up == 20)
        // A u-blox M9, with an ellipse of 95 %, and a PolaRx2, with one of 39 %.
        for (fields, north) in [
            (#""major":2.5,"minor":2.2,"orient":133,"lat":0.94,"lon":0.95,"alt":2.8"#, 0.94),
            (#""major":331.967,"minor":3.86,"orient":1.762,"lat":331.81,"lon":10.91,"alt":188.9"#, 331.81),
            (#""lat":0.94,"lon":0.95,"alt":2.8"#, 0.94), (#""major":22,"lat":0.94,"lon":0.95"#, 0.94),
        ] { #expect(sigmas(fields)?.north == north) }
    }

    @Test("greeting, devices and errors")
    func answers() {
        #expect(
            parse(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#).release
                == "3.22")
        #expect(parse(#"{"class":"DEVICES","devices":[]}"#).deviceCount == 0)
        #expect(parse(#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}]}"#).deviceCount == 1)
        #expect(parse(#"{"class":"ERROR","message":"no"}"#).error == "no")
    }

    @Test("broken lines neither crash nor make a position out of nothing", arguments: 0..<20)
    func broken(seed: UInt64) {
        let line = Array(
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-01-02T03:04:05.250Z","lat":48.5,"lon":-11.5}"#
                .utf8)
        var state = seed &+ 1
        func random(_ below: Int) -> Int {
            // Knuth's MMIX generator; its high bits are good enough to break things with.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        var count = 0
        for _ in 0..<2000 {
            var bytes = line
            for _ in 0...random(4) {
                switch random(4) {
                case 0: bytes[random(bytes.count)] = UInt8(1 + random(255))
                case 1: bytes.insert(UInt8(1 + random(255)), at: random(bytes.count))
                case 2: bytes = Array(bytes.prefix(1 + random(bytes.count)))
                default: bytes += bytes.suffix(random(bytes.count))
                }
            }
            let report = parser.parse(bytes.map { CChar(bitPattern: $0) } + [0])
            guard let position = report.fix?.position else { continue }
            #expect(position.latitudeDegrees.magnitude <= 90 && position.longitudeDegrees.magnitude <= 180)
            count += 1
        }
        #expect(count > 50)
    }
}
