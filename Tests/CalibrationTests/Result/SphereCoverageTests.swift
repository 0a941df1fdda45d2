import Calibration
import Geometry
import Testing

@Suite("Coverage of the sphere")
struct SphereCoverageTests {
    @Test("the middle of each region lies in it")
    func centres() {
        for region in 0..<SphereCoverage.regions {
            let centre = SphereCoverage.centre(of: region)
            #expect(abs(centre.norm - 1) < 1e-12)
            #expect(SphereCoverage.region(of: 17 * centre) == region)
        }
    }

    @Test("a region counts once, and only itself")
    func counting() {
        var coverage = SphereCoverage()
        for region in [0, 63, 64, 99, 64] { coverage.insert(region: region) }
        #expect(coverage.count == 4)
        #expect((0..<100).filter(coverage.contains(region:)) == [0, 63, 64, 99])
        coverage.insert(Vector3(0, 1, 0))
        #expect(coverage.fraction == 0.05)
    }

    @Test("no direction, not even none, falls outside")
    func ends() {
        for direction in [Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(-0.0, 0, -1), .zero, Vector3(-1e-300, 0, 1)] {
            #expect((0..<SphereCoverage.regions).contains(SphereCoverage.region(of: direction)))
        }
    }
}
