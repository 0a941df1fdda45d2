import Geometry
import Glibc
import Model
import Scene
import Testing

@Suite("Labels of the composed scene, on a walk")
struct ComposedLabelTests {
    /// What a walk did to the labels that are published.
    private struct Outcome {
        /// Of a label's area, the most that one covered of another in any scene.
        var overlap = 0.0
        /// Of each label, how often it was shown in another slot than before.
        var changes: [String: Int] = [:]
        var mostClusters = 0
        /// Share of the things with names that had a slot.
        var shown = 0.0
    }

    private static let labels = SceneSettings().labels
    /// Twice as often as labels are laid out in any case. Unit: Hz.
    private static let rate = 20

    @Test(
        "behaviour 36: through the composer, clusters and all: none covers another, none moves more than four times",
        arguments: LabelWalk.Town.allCases, [UInt64(1), 6, 7])
    func composed(town: LabelWalk.Town, seed: UInt64) throws {
        let outcome = try outcome(of: LabelWalk(town, seed: seed))
        #expect(outcome.overlap <= 0.05)
        #expect(outcome.changes.values.max() ?? 0 <= 4)
        #expect(outcome.mostClusters > 5)
        #expect(outcome.shown > 0.99)
    }

    private func outcome(of walk: LabelWalk) throws -> Outcome {
        var stage = try Stage()
        stage.composer.setPlaces(
            try walk.places.enumerated().map { try stage.streets.place("p\($0)", $1.east, $1.north) })
        var outcome = Outcome()
        var held: [String: Int] = [:]
        let steps = Self.rate / Int(LabelWalk.rate)
        for frame in 0..<((walk.track.count - 1) * steps) {
            let (step, share) = (frame / steps, Double(frame % steps) / Double(steps))
            let (from, to) = (walk.track[step], walk.track[step + 1])
            var moment = try stage.moment(
                from.east + share * (to.east - from.east), from.north + share * (to.north - from.north),
                at: Double(frame) / Double(Self.rate))
            moment.pose.velocityInScene = walk.velocity(at: step)
            let scene = stage.composer.compose(moment)
            outcome.overlap = max(outcome.overlap, overlap(scene))
            for placement in scene.placements {
                guard let slot = placement.slot else { continue }
                if let before = held.updateValue(slot.index, forKey: placement.id), before != slot.index {
                    outcome.changes[placement.id, default: 0] += 1
                }
            }
            outcome.mostClusters = max(outcome.mostClusters, scene.placements.count { $0.kind == .cluster })
            let slots = Double(scene.placements.count { $0.slot != nil })
            outcome.shown += slots / Double(max(1, scene.placements.count)) / Double((walk.track.count - 1) * steps)
        }
        return outcome
    }

    /// Of the label's area, the most that one covers of another.
    private func overlap(_ scene: SceneContent) -> Double {
        let width = Angle.radians(degrees: Self.labels.widthDegrees)
        let height = Angle.radians(degrees: Self.labels.heightDegrees)
        let shown = scene.placements.compactMap { placement in
            placement.slot.map {
                (atan2(placement.position.x - scene.eye.x, -(placement.position.z - scene.eye.z)), $0.elevation)
            }
        }
        var most = 0.0
        for (place, a) in shown.enumerated() {
            for b in shown[(place + 1)...] {
                let up = max(0, 1 - abs(a.1 - b.1) / height)
                let across = max(0, 1 - abs(Angle.wrapped(a.0 - b.0)) * cos(max(a.1, b.1)) / width)
                most = max(most, up * across)
            }
        }
        return most
    }
}
