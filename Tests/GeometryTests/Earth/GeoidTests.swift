import Geometry
import Testing

@Suite("The geoid")
struct GeoidTests {
    private func undulation(_ latitude: Double, _ longitude: Double) throws -> Double {
        Geoid.undulation(
            at: try #require(
                GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0)))
    }

    @Test(
        "heights are those that NIMA published to test EGM96, and that of the manual of GeoidEval",
        arguments: [
            (38.628155, 269.779155, -31.628), (-14.621217, 305.021114, -2.969), (46.874319, 102.448729, -43.575),
            (-23.617446, 133.874712, 15.871), (38.625473, 359.9995, 50.066), (-0.466744, 0.0023, 17.329),
            (16.775833, -3.009444, 28.7068),
        ])
    func published(latitude: Double, longitude: Double, height: Double) throws {
        // Twice the root mean square of the interpolation's error.
        #expect(abs(try undulation(latitude, longitude) - height) < 0.28)
    }

    @Test("heights are continuous across the date line, across the edges of cells and at the poles")
    func continuous() throws {
        let step = 1e-7
        for latitude in stride(from: -90.0, through: 90, by: 7.5) {
            #expect(try undulation(latitude, -180) == undulation(latitude, 180))
            #expect(try undulation(latitude, -540) == undulation(latitude, 540))
            for longitude in stride(from: -180.0, through: 180, by: 22.5) {
                let here = try undulation(latitude, longitude)
                #expect(abs(try undulation(latitude, longitude - step) - here) < 1e-4)
                #expect(abs(try undulation(min(90, latitude + step), longitude) - here) < 1e-4)
            }
        }
        for pole in [-90.0, 90] { #expect(try undulation(pole, 12) == undulation(pole, -77)) }
    }

    @Test("heights are between the lowest and the highest of the earth, for what is no position as well")
    func bounded() throws {
        for latitude in stride(from: -90.0, through: 90, by: 1.3) {
            for longitude in stride(from: -180.0, through: 180, by: 1.7) {
                #expect((-107.0...86).contains(try undulation(latitude, longitude)))
            }
        }
        var nowhere = try #require(
            GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 0, ellipsoidalHeight: 0))
        for number in [Double.nan, .infinity, -.infinity, 1e300] {
            (nowhere.latitudeDegrees, nowhere.longitudeDegrees) = (number, number)
            #expect((-107.0...86).contains(Geoid.undulation(at: nowhere)))
        }
    }
}
