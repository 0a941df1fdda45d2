import Estimation
import EstimatorFixtures
import Geodesy
import Geometry
import Intake
import Model
import Testing

@Suite("The geoid")
struct GeoidTests {
    private func fix(
        _ height: Double, _ kind: GNSSFix.HeightKind, separation: Double? = nil
    ) throws -> GNSSFix {
        var place = Fixture.zurich
        place.ellipsoidalHeight = height
        return GNSSFix(
            epoch: Fixture.time(0), arrival: Fixture.time(0), utcSeconds: nil, position: place, heightKind: kind,
            velocityENU: .init(east: 0, north: 0, up: 0), positionSigma: .init(east: 2, north: 2, up: 3),
            velocitySigma: 0.1, geoidSeparation: separation)
    }

    private func take(_ fix: GNSSFix, _ localizer: inout FixLocalizer) throws -> LocalFix {
        let local = localizer.localize(fix)
        return try #require(local)
    }

    private func height(_ localizer: inout FixLocalizer) throws -> Double {
        let position = localizer.position(ofENU: .zero)
        return try #require(position).ellipsoidalHeight
    }

    @Test("behaviour 18: heights above the sea become heights above the ellipsoid when the difference is reported")
    func raised() throws {
        var localizer = FixLocalizer(model: nil)
        let first = try take(try fix(408, .meanSeaLevel), &localizer)
        #expect(first.hasHeight && localizer.heightKind == .meanSeaLevel)
        let before = try height(&localizer)
        #expect(abs(before - 408) < 1e-6)
        // The very place stays where it is in the plane; only what the plane counts from is another.
        let next = try take(try fix(408, .meanSeaLevel, separation: 47.5), &localizer)
        #expect((next.position - first.position).norm < 1e-6 && next.hasHeight)
        #expect(localizer.heightKind == .ellipsoidal && localizer.geoidSeparation == 47.5)
        let after = try height(&localizer)
        #expect(abs(after - 455.5) < 1e-6)
        // From then on either kind will do.
        let sea = try take(try fix(410, .meanSeaLevel), &localizer)
        let ellipsoid = try take(try fix(457.5, .ellipsoidal), &localizer)
        #expect(sea.hasHeight && ellipsoid.hasHeight)
        #expect((sea.position - ellipsoid.position).norm < 1e-6 && abs(sea.position.z - 2) < 1e-6)
    }

    @Test("without the difference, heights of another kind than the first do not count")
    func mixed() throws {
        var localizer = FixLocalizer(model: nil)
        _ = localizer.localize(try fix(455.5, .ellipsoidal))
        let sea = try take(try fix(408, .meanSeaLevel), &localizer)
        #expect(!sea.hasHeight)
    }

    @Test("an impossible difference is rejected", arguments: [1000.0, -400, .nan, .infinity])
    func implausible(separation: Double) throws {
        var localizer = FixLocalizer(model: nil)
        _ = localizer.localize(try fix(408, .meanSeaLevel, separation: separation))
        #expect(localizer.geoidSeparation == nil && localizer.heightKind == .meanSeaLevel)
    }
}
