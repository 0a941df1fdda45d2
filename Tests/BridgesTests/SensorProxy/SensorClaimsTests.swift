import Bridges
import Testing

@Suite("Claims of the sensors of net.hadess.SensorProxy")
struct SensorClaimsTests {
    @Test("methods name a sensor and whether it is claimed; other names are none")
    func methods() throws {
        let claim = try #require(SensorCall(method: "ClaimCompass"))
        #expect(claim.sensor == .compass && claim.isClaim)
        let release = try #require(SensorCall(method: "ReleaseAccelerometer"))
        #expect(release.sensor == .accelerometer && !release.isClaim)
        #expect(SensorCall(method: "ClaimLight")?.sensor == .light)
        #expect(SensorCall(method: "ReleaseProximity")?.sensor == .proximity)
        for other in ["", "Claim", "Release", "ClaimGyroscope", "claimCompass", "ClaimCompassX", "Compass"] {
            #expect(SensorCall(method: other) == nil)
        }
    }

    @Test("a sensor is claimed until the last of its clients has released it")
    func release() {
        var claims = SensorClaims()
        #expect(claims.claim(.accelerometer, by: ":1.1") == true)
        #expect(claims.claim(.accelerometer, by: ":1.1") == true)
        #expect(claims.claim(.accelerometer, by: ":1.2") == true)
        #expect(claims.claim(.compass, by: ":1.2") == true)
        #expect(claims.clients(of: .accelerometer).sorted() == [":1.1", ":1.2"])
        #expect(claims.clients(of: .compass) == [":1.2"])
        claims.release(.accelerometer, by: ":1.1")
        claims.release(.accelerometer, by: ":1.3")
        #expect(claims.claimed == [.accelerometer, .compass] && claims.clientCount == 1)
        claims.release(.accelerometer, by: ":1.2")
        #expect(claims.claimed == .compass)
    }

    @Test("a client that leaves has released everything")
    func departure() {
        var claims = SensorClaims()
        for sensor in [ProxySensors.accelerometer, .light, .proximity, .compass] {
            _ = claims.claim(sensor, by: ":1.1")
        }
        claims.remove(":1.1")
        #expect(claims.claimed == [] && claims.clientCount == 0)
    }

    @Test("one client too many is refused, and those that have a claim may make others")
    func limit() {
        var claims = SensorClaims()
        for number in 0..<SensorClaims.maximumClients {
            #expect(claims.claim(.accelerometer, by: ":1.\(number)") == true)
        }
        #expect(claims.claim(.accelerometer, by: ":2.0") == false)
        #expect(claims.claim(.compass, by: ":1.0") == true)
        claims.remove(":1.1")
        #expect(claims.claim(.accelerometer, by: ":2.0") == true)
    }
}
