import Documents
import PlanMatching
import Testing

@Suite("Plans as GeoJSON")
struct PlanDocumentWriterTests {
    private func point(_ latitude: Double, _ longitude: Double) -> PlanPoint {
        PlanPoint(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }

    private var plan: FloorPlan {
        let outer = [point(47.3, 8.5), point(47.3, 8.501), point(47.301, 8.501 + 1e-13)]
        let hole = [point(47.3001, 8.5006), point(47.3001, 8.5007), point(47.3002, 8.5007)]
        return FloorPlan(
            id: "hall", name: "The \"hall\"",
            levels: [
                PlanLevel(name: "B1", number: -1, features: [PlanFeature(kind: .floor, shape: .area([outer, hole]))]),
                PlanLevel(
                    name: "F1", number: 0,
                    features: [
                        PlanFeature(kind: .path, shape: .line([outer[0], outer[1], outer[2], outer[0]])),
                        PlanFeature(kind: .door, shape: .point(outer[1])),
                    ]),
                PlanLevel(name: "tower", number: nil, features: [PlanFeature(kind: .wall, shape: .line(hole))]),
            ])
    }

    @Test("a plan that is written is read again the same")
    func roundTrip() throws {
        #expect(try PlanDocument.read(PlanDocumentWriter.bytes(of: plan), id: "hall") == plan)
    }

    @Test("a document has one feature per line, with kind and level")
    func form() {
        var plan = plan
        plan.levels = [
            PlanLevel(name: "B1", number: -1, features: [PlanFeature(kind: .door, shape: .point(point(47.3, 8.5)))])
        ]
        #expect(
            String(decoding: PlanDocumentWriter.bytes(of: plan), as: UTF8.self) == """
                {"type":"FeatureCollection","name":"The \\"hall\\"","features":[
                {"type":"Feature","properties":{"kind":"door","level":"B1"},"geometry":{"type":"Point","coordinates":[8.5,47.3]}}
                ]}

                """)
    }
}
