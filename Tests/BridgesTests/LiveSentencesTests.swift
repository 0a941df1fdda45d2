import Bridges
import Testing
import WaymarkInterface

@Suite("NMEA 0183 of a live pose")
struct LiveSentencesTests {
    private func sentences(_ pose: PoseInterface.Pose?, _ receiver: ReceiverView = ReceiverView()) -> [String] {
        var writer = LiveSentences()
        let text = String(decoding: writer.write(pose, receiver: receiver), as: UTF8.self)
        return text.split(separator: "\r\n").map { String($0.prefix { $0 != "*" }) }
    }

    @Test("A pose is position, deviations, motion and heading")
    func pose() {
        var receiver = ReceiverView()
        receiver.geoidSeparation = 48
        receiver.satellites = 9
        receiver.horizontalDilution = 0.9
        #expect(
            sentences(samplePose(), receiver) == [
                "$GPGGA,102030.500,4730.0000000,N,00815.0000000,W,1,09,0.9,412.00,M,48.00,M,,",
                "$GPGST,102030.500,,,,,1.00,1.00,2.00",
                "$GPRMC,102030.500,A,4730.0000000,N,00815.0000000,W,1.94,90.0,210626,,,A",
                "$GPVTG,90.0,T,,M,1.94,N,3.60,K,A", "$GPHDT,45.0,T",
            ])
    }

    @Test("A position that no recent fix supports is marked as estimated, without the receiver's satellites")
    func deadReckoning() {
        var receiver = ReceiverView()
        receiver.satellites = 9
        receiver.horizontalDilution = 0.9
        let found = sentences(samplePose(tracking: .inferred, sources: [.inertial, .steps]), receiver)
        #expect(found[0] == "$GPGGA,102030.500,4730.0000000,N,00815.0000000,W,6,,,409.83,M,50.18,M,,")
        #expect(found[2].hasSuffix(",E") && found[3].hasSuffix(",E"))
    }

    @Test("Without a position the sentences are there and marked as invalid")
    func noFix() {
        #expect(sentences(nil) == ["$GPGGA,,,,,,0,,,,M,,M,,", "$GPRMC,,V,,,,,,,,,,N", "$GPVTG,,T,,M,,N,,K,N"])
        let lost = sentences(samplePose(tracking: .invalid))
        #expect(lost[0] == "$GPGGA,102030.500,,,,,0,,,,M,,M,,")
    }

    @Test("Each sentence begins with the talker of the settings, and its checksum is that of this talker")
    func talker() {
        var writer = LiveSentences(talker: "IN")
        let text = String(decoding: writer.write(nil, receiver: ReceiverView()), as: UTF8.self)
        #expect(text.split(separator: "\r\n").map { $0.prefix(3) } == ["$IN", "$IN", "$IN"])
        #expect(text.hasPrefix("$INGGA,,,,,,0,,,,M,,M,,*"))
        for sentence in text.split(separator: "\r\n") {
            let (body, checksum) = (sentence.dropFirst().dropLast(3), sentence.suffix(2))
            #expect(Int(checksum, radix: 16) == Int(body.utf8.reduce(0, ^)))
        }
    }

    @Test("A magnetic heading is no true one")
    func heading() {
        #expect(!sentences(samplePose(reference: .magneticNorth)).contains { $0.hasPrefix("$GPHDT") })
    }
}
