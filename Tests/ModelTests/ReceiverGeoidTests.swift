import Geometry
import Model
import Testing

@Suite("The geoid by which heights above the sea become ellipsoidal")
struct ReceiverGeoidTests {
    @Test("behaviour 18: it is EGM96, from a report of the receiver on the one reported last")
    func reported() throws {
        let place = try #require(
            GeodeticPosition(latitudeDegrees: 47.25, longitudeDegrees: 8.5, ellipsoidalHeight: 400))
        var geoid = ReceiverGeoid()
        #expect(abs(geoid.separation(at: place) - 47.82) < 1e-6)
        geoid.learn(46.5)
        geoid.learn(nil)
        #expect(geoid.separation(at: place) == 46.5)
        geoid.learn(46)
        #expect(geoid.separation(at: place) == 46)
    }

    @Test("an impossible report is rejected", arguments: [1000.0, -400, .nan, .infinity])
    func implausible(separation: Double) {
        var geoid = ReceiverGeoid()
        geoid.learn(separation)
        #expect(geoid.reported == nil)
    }
}
