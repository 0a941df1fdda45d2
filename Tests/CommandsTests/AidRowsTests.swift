import Commands
import Testing
import WaymarkClient

@Suite("Rows of a table as offers")
struct AidRowsTests {
    private static let time = Waymark.Time(nanoseconds: 100_000_000_000)

    private func offer(_ header: String, _ line: String) throws -> any InterfaceMethod {
        try AidRows(header: header, kind: nil).offer(line, of: "test", at: 100_000_000_000)
    }

    private func problem(_ header: String, _ line: String) -> String? {
        do {
            _ = try offer(header, line)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("the kind follows from the columns, in any order and beside others")
    func kinds() throws {
        func kind(_ header: String) throws -> AidInterface.AidKind { try AidRows(header: header, kind: nil).kind.word }
        #expect(try kind("t_s,qw,qx,qy,qz,x_m,y_m,z_m") == .odometry)
        #expect(try kind("hacc_m, lon_deg, lat_deg, alt_m, colour") == .position)
        #expect(try kind("dx,dy,dz,sd_deg,lat_deg,lon_deg,alt_m") == .sighting)
        // It has the columns of a height, too.
        #expect(try kind("lat_deg,lon_deg,alt_m,range_m,sd_m") == .range)
        #expect(try kind("heading_deg,sd_deg") == .heading)
        #expect(try kind("alt_m,sd_m") == .height)
        #expect(throws: AidRows.Problem.self) { try kind("t_s,lat_deg") }
        #expect(throws: AidRows.Problem.self) { try AidRows(header: "alt_m,sd_m", kind: .range) }
        #expect(throws: AidRows.Problem.self) { try kind(String(repeating: ",", count: 300)) }
    }

    @Test("an offer has what the row has, and leaves out what is empty")
    func offers() throws {
        let position = try offer("lat_deg,lon_deg,alt_m,hacc_m,vacc_m", "47.5, 8.25,,1.5,")
        #expect(
            position as? AidInterface.OfferPosition
                == AidInterface.OfferPosition(
                    source: "test", time: Self.time, position: AidInterface.Location(latitude: 47.5, longitude: 8.25),
                    horizontalAccuracy: 1.5))
        let header = "x_m,y_m,z_m,qw,qx,qy,qz,reset"
        let pose = try offer(header, "1,2,-3,1,0,0,0,7") as? AidInterface.OfferOdometry
        #expect(pose?.position == AidInterface.Vector(x: 1, y: 2, z: -3) && pose?.orientation.w == 1)
        #expect(pose?.reset == 7 && pose?.tracking == nil)
        let sun = try offer("dx,dy,dz,sd_deg,target", "0,0,-1,2,sun") as? AidInterface.OfferSighting
        #expect(sun?.sun == true && sun?.point == nil)
        let point = try offer("dx,dy,dz,sd_deg,lat_deg,lon_deg", "0,0,-1,2,47,8") as? AidInterface.OfferSighting
        #expect(point?.sun == nil && point?.point?.latitude == 47)
    }

    @Test(
        "what is wrong with a row is named",
        arguments: [
            ("1,2", "2 cells where the header has 3"), ("1,2,3,4", "4 cells where the header has 3"),
            ("a,1,1", "alt_m is no number: 'a'"), ("nan,1,1", "alt_m is no number: 'nan'"),
            ("1e999,1,1", "alt_m is no number: '1e999'"), (",1,1", "alt_m is empty"),
            ("", "1 cells where the header has 3"),
        ])
    func problems(line: String, expected: String) {
        #expect(problem("alt_m,sd_m,t_s", line) == expected)
    }

    @Test("times are kept to the nanosecond, and are unknown where they are empty")
    func times() throws {
        let rows = try AidRows(header: "alt_m,sd_m,t_s,arrival_s", kind: nil)
        let (measured, arrived) = try rows.times("1,1,12.0000000019,")
        #expect(measured == 12_000_000_001 && arrived == nil)
        #expect(try rows.times("1,1,,-0.5") == (nil, -500_000_000))
        for text in ["1e3", "1-2", "1.2.3", "--1", ".", "99999999999999999999", "5000000000"] {
            #expect(throws: AidRows.Problem.self, "\(text)") { try rows.times("1,1,\(text),") }
        }
    }
}
