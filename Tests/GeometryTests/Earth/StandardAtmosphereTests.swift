import Geometry
import Testing

@Suite("Standard atmosphere")
struct StandardAtmosphereTests {
    @Test(
        "heights are those of the tables", arguments: [(0.0, 1013.25), (500, 954.61), (1000, 898.75), (2000, 794.95)])
    func tables(height: Double, pressure: Double) {
        // U.S. Standard Atmosphere, 1976, table I: five digits of the pressure are half a decimetre and less.
        #expect(abs(StandardAtmosphere.height(pressureHectopascal: pressure) - height) < 0.1)
    }

    @Test("the height falls as the pressure grows, down to the highest mountain and below the sea")
    func monotonic() {
        var last = Double.infinity
        for pressure in stride(from: 300.0, through: 1100, by: 5) {
            let height = StandardAtmosphere.height(pressureHectopascal: pressure)
            #expect(height < last)
            last = height
        }
    }
}
