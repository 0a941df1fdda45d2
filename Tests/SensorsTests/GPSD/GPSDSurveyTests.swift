import Geometry
import Glibc
import Linux
import Sensors
import TestTools
import Testing

@Suite("A survey of gpsd")
struct GPSDSurveyTests {
    /// What a survey finds at a gpsd that says this.
    private func survey(_ lines: String) throws -> GPSDSurvey {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        let isListening = LoopbackAddress(port: 0).withSocketAddress {
            bind(listener, $0, $1) == 0 && listen(listener, 1) == 0
        }
        try #require(isListening)
        _ = WorkerThread(name: "gpsd") { _ in
            let connection = accept(listener, nil, nil)
            _ = lines.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            // Open until the survey is done.
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            close(connection)
        }
        return GPSDSurvey(
            host: "127.0.0.1", port: Int(LoopbackAddress.port(of: listener)), device: "", seconds: 5, fixes: 1,
            stop: StopFlag())
    }

    @Test("behaviour 18: a height above the sea becomes ellipsoidal, by EGM96 if the receiver reports no separation")
    func seaLevel() throws {
        func height(_ members: String) throws -> Double? {
            let found = try survey(
                #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"# + "\n"
                    + #"{"class":"TPV","mode":3,"time":"2026-06-21T00:00:00.000Z","lat":47.25,"lon":8.5,\#(members)}"#
                    + "\n")
            #expect(found.problem == nil && found.fixes == 1)
            return found.position?.ellipsoidalHeight
        }
        #expect(abs(try #require(try height(#""altMSL":400"#)) - 447.82) < 1e-6)
        #expect(try height(#""altMSL":400,"geoidSep":46.5"#) == 446.5)
        #expect(try height(#""altMSL":400,"altHAE":450"#) == 450)
    }
}
