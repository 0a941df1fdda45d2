import Geometry
import Model
import Recording
import Testing

@Suite("A warm start as bytes")
struct WarmStartMessageTests {
    static func sample() -> WarmStart {
        var start = WarmStart()
        start.ageSeconds = 1.0 / 3
        start.version = "0.1.0"
        start.moment = .init(
            bootTime: BootTime(nanoseconds: 123_456_789_012), boot: "a-b-c", utcSeconds: 1_782_000_000.25)
        start.sensors.gyroscope = "lsm6dsx_gyro [1 0 0 0 1 0 0 0 1]"
        start.place = .init(
            position: GeodeticPosition(latitudeDegrees: 47.1, longitudeDegrees: 8.1, ellipsoidalHeight: 455.123)!,
            horizontalStandardDeviation: 2.1, ageSeconds: 12.5)
        start.gyroBias = .init(value: Vector3(1e-3, -2.0 / 3, 0), standardDeviation: Vector3(1e-4, 2e-4, 3e-4))
        start.accelerometerBias = .init(value: Vector3(0.01, 0.02, 0.03), standardDeviation: Vector3(0.01, 0.01, 0.01))
        start.hardIron = .init(value: Vector3(5, -6, 7.7), standardDeviation: Vector3(0.5, 0.5, 0.5))
        start.fieldNorm = 48.3
        start.stepScale = .init(value: -0.05, standardDeviation: 0.02)
        start.velocityDelay = .init(value: 0.11, standardDeviation: 0.01)
        start.compassConfirmationAge = 7.25
        return start
    }

    @Test("is read as it was written, to the last bit")
    func roundTrip() throws {
        let start = Self.sample()
        #expect(try WarmStartMessage.read(try #require(WarmStartMessage.bytes(start))) == start)
        #expect(try WarmStartMessage.read(try #require(WarmStartMessage.bytes(WarmStart()))) == WarmStart())
    }

    @Test("with a number that is not finite is not written")
    func notFinite() {
        var start = Self.sample()
        start.hardIron?.standardDeviation.y = .infinity
        #expect(WarmStartMessage.bytes(start) == nil)
        start = Self.sample()
        start.place?.ageSeconds = .nan
        #expect(WarmStartMessage.bytes(start) == nil)
    }

    @Test("names of sensors from outside are the same text before and after")
    func names() throws {
        var start = WarmStart()
        start.sensors.magnetometer = WarmStartMessage.plain("a\"b\\c\u{1B}é")
        let read = try WarmStartMessage.read(try #require(WarmStartMessage.bytes(start)))
        #expect(read == start)
        #expect(read.sensors.magnetometer == "a?b?c???")
    }

    @Test("every beginning of one, and every byte changed, is refused or read, and nothing worse")
    func damaged() throws {
        let whole = try #require(WarmStartMessage.bytes(Self.sample()))
        for count in 0..<whole.count {
            #expect(throws: WarmStartMessage.Problem.self) { try WarmStartMessage.read(Array(whole[..<count])) }
        }
        var (read, refused) = (0, 0)
        for index in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[index] ^= 1 << bit
                do throws(WarmStartMessage.Problem) {
                    _ = try WarmStartMessage.read(bytes)
                    read += 1
                } catch {
                    refused += 1
                }
            }
        }
        #expect(read > 500 && refused > 500)
    }

    @Test(
        "what is no warm start is refused with a reason",
        arguments: [
            "", "[]", "null", "{", "{}x", #"{"gyroBias":{"value":{"x":1,"y":2,"z":3}}}"#,
            #"{"gyroBias":{"value":1,"deviation":1}}"#, #"{"fieldNorm":1e999}"#, #"{"fieldNorm":nan}"#,
            #"{"place":{"latitude":91,"longitude":0,"height":0,"horizontalDeviation":1,"ageSeconds":0}}"#,
            #"{"moment":{"boot":"x"}}"#, #"{"version":7}"#, String(repeating: "[", count: 10_000),
            String(repeating: " ", count: 20_000) + "{}",
        ])
    func refused(text: String) {
        #expect(throws: WarmStartMessage.Problem.self) { try WarmStartMessage.read(Array(text.utf8)) }
    }

    @Test("members of a later version are passed over")
    func later() throws {
        #expect(try WarmStartMessage.read(Array(#"{"colour":["red",{}],"ageSeconds":3}"#.utf8)).ageSeconds == 3)
    }
}
