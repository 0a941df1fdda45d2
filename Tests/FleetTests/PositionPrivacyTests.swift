import Configuration
import Fleet
import Geometry
import TestTools
import Testing

@Suite("Position privacy")
struct PositionPrivacyTests {
    private func position(_ latitude: Double, _ longitude: Double, _ height: Double = 50) -> GeodeticPosition {
        GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: height)!
    }

    @Test("Without grid and areas a position is published as it is")
    func withoutGridAreasPosition() {
        var privacy = PositionPrivacy(gridMetres: 0, areas: [])
        let published = privacy.publish(position(52.5, 13.4), horizontalAccuracy: 3, verticalAccuracy: 5, at: 0)
        #expect(published?.position == position(52.5, 13.4))
        #expect(published?.horizontalAccuracy == 3)
        #expect(published?.verticalAccuracy == 5)
        #expect(!privacy.isWithheld)
    }

    /// The truth is within half a cell of what is published, in each direction and on all latitudes.
    @Test("A grid publishes the middle of the cell", arguments: [0.0, 12.3, -33.9, 52.52, 69.7, 84.9])
    func gridPublishesMiddleCell(_ latitude: Double) throws {
        let size = 250.0
        for step in 0..<200 {
            var privacy = PositionPrivacy(gridMetres: size, areas: [])
            let truth = position(latitude + Double(step) * 0.00031, 13.4 - Double(step) * 0.00077, Double(step))
            let cell = privacy.publish(truth, horizontalAccuracy: 3, verticalAccuracy: 5, at: 0)
            let published = try #require(cell)
            let path = Geodesic(from: truth, to: published.position)
            // The diagonal of half a cell; a degree of latitude differs by 1 % from pole to equator.
            #expect(path.distance <= size / 2 * 2.0.squareRoot() * 1.02)
            #expect((truth.ellipsoidalHeight - published.position.ellipsoidalHeight).magnitude <= size / 2)
        }
    }

    /// The published accuracy contains the truth in 68 % of cases, for wearers anywhere in a cell.
    @Test("The accuracy of a grid is correct")
    func accuracyGridCorrect() throws {
        var random = SplitMix(seed: 1)
        var (inside, heights) = (0, 0)
        let count = 4000
        for _ in 0..<count {
            var privacy = PositionPrivacy(gridMetres: 1000, areas: [])
            let truth = position(
                Double.random(in: 47...48, using: &random), Double.random(in: 8...9, using: &random),
                Double.random(in: 0...9000, using: &random))
            let cell = privacy.publish(truth, horizontalAccuracy: 1, verticalAccuracy: 1, at: 0)
            let published = try #require(cell)
            let distance = Geodesic(from: truth, to: published.position).distance
            if distance <= published.horizontalAccuracy! { inside += 1 }
            let height = (truth.ellipsoidalHeight - published.position.ellipsoidalHeight).magnitude
            if height <= published.verticalAccuracy! { heights += 1 }
        }
        // Five standard deviations of the share of 4000 are 3.7 %.
        #expect((0.64...0.72).contains(Double(inside) / Double(count)))
        #expect((0.64...0.72).contains(Double(heights) / Double(count)))
    }

    @Test("A wearer at the edge of a cell does not jump between cells")
    func wearerEdgeCellDoes() throws {
        var privacy = PositionPrivacy(gridMetres: 100, areas: [])
        var cells: Set<Double> = []
        for step in 0..<100 {
            // The equator is an edge; ±5 m about it are within the margin.
            let truth = position(step.isMultiple(of: 2) ? 4.5e-5 : -4.5e-5, 0.0004)
            let cell = privacy.publish(truth, horizontalAccuracy: 1, verticalAccuracy: 1, at: 0)
            let published = try #require(cell)
            cells.insert(published.position.latitudeDegrees)
        }
        #expect(cells.count == 1)
    }

    @Test("Nothing is published within an area or where the accuracy does not exclude it")
    func nothingPublishedWithinAn() throws {
        let areas = try PrivateArea.list("home 52.5200 13.4050 200")
        var privacy = PositionPrivacy(gridMetres: 0, areas: areas)
        #expect(privacy.isWithheld, "before the first position the wearer counts as inside")
        func publish(_ latitude: Double, accuracy: Double?) -> Bool {
            privacy.publish(position(latitude, 13.405), horizontalAccuracy: accuracy, verticalAccuracy: 3, at: 0) != nil
        }
        #expect(!publish(52.5200, accuracy: 3))
        #expect(privacy.isWithheld)
        // 0.003° are 334 m.
        #expect(publish(52.5230, accuracy: 3))
        #expect(!privacy.isWithheld)
        #expect(!publish(52.5230, accuracy: 150), "the circle of the accuracy touches the area")
        #expect(!publish(52.5230, accuracy: nil), "an unknown accuracy excludes nothing")
    }

    @Test("An event is published if the wearer was outside when it happened and has been since")
    func eventOutside() throws {
        var privacy = PositionPrivacy(gridMetres: 0, areas: try PrivateArea.list("home 52.52 13.405 200"))
        func be(_ latitude: Double, at time: Int64) {
            _ = privacy.publish(position(latitude, 13.405), horizontalAccuracy: 3, verticalAccuracy: 3, at: time)
        }
        #expect(!privacy.permitsEvent(at: 1))
        be(52.53, at: 10)
        #expect(!privacy.permitsEvent(at: 9), "where the wearer was is not known")
        #expect(privacy.permitsEvent(at: 10))
        be(52.53, at: 20)
        #expect(privacy.permitsEvent(at: 11))
        be(52.52, at: 30)
        #expect(!privacy.permitsEvent(at: 11), "the area was entered before it could be published")
        be(52.53, at: 40)
        #expect(!privacy.permitsEvent(at: 35), "it happened within the area")
        privacy.lose()
        #expect(!privacy.permitsEvent(at: 41))
        #expect(privacy.isWithheld)
        #expect(PositionPrivacy(gridMetres: 100, areas: []).permitsEvent(at: 0))
    }

    @Test("Several areas are parsed with their names")
    func severalAreasParsedWith() throws {
        let areas = try PrivateArea.list(" home 52.52 13.405 200 ;school -33.9 151.2 50;")
        #expect(areas.map(\.name) == ["home", "school"])
        #expect(areas.map(\.radius) == [200, 50])
        #expect(try PrivateArea.list("").isEmpty)
    }

    @Test(
        "What is no area is refused",
        arguments: [
            "home", "home 52 13", "home 91 13 200", "home 52 13 nan", "home 52 13 5", "home 52 13 1e9", "home x 13 200",
            "home 52 13 200 5", "home inf 13 200",
        ])
    func noAreaRefused(_ text: String) {
        #expect(throws: PrivateArea.Problem.self) { try PrivateArea.list(text) }
    }

    @Test("More areas than the limit are refused")
    func moreAreasThanLimit() {
        let text = String(repeating: "a 1 1 100;", count: 65)
        #expect(throws: PrivateArea.Problem.self) { try PrivateArea.list(text) }
    }
}
