import Estimation
import Model
import Service
import Testing
import WaymarkInterface

@Suite("Trust in sources, for clients and the journal")
struct AidTrustTests {
    private let time = BootTime(nanoseconds: 5_000_000_000)

    private func trust(
        _ source: String, _ kind: OfferKind, _ state: OfferTrust.State, _ cause: OfferTrust.Cause? = nil,
        scale: Double? = nil, applied: UInt64 = 0, refused: UInt64 = 0
    ) throws -> OfferTrust {
        OfferTrust(
            source: try #require(SourceName(source)), kind: kind, state: state, cause: cause, accuracyScale: scale,
            applied: applied, refused: refused, last: time)
    }

    private func message(
        _ kind: AidInterface.AidKind, of source: String, _ found: [OfferTrust], open: [String] = [],
        accuracy: Double? = nil
    ) throws -> AidInterface.AidTrust {
        AidInterface.AidTrust(
            kind, of: try #require(SourceName(source)), among: found, open: open.compactMap { SourceName($0) },
            accuracy: accuracy)
    }

    @Test("sightings of points and of the sun are one kind, of which the worse is shown")
    func sightings() throws {
        let found = [
            try trust("eye", .landmark, .refused, .contradictsEstimate, scale: 1.2, applied: 3, refused: 4),
            try trust("eye", .direction, .trusted, scale: 1.5, applied: 5),
            try trust("other", .landmark, .trusted, scale: 9, applied: 7),
        ]
        #expect(
            try message(.sighting, of: "eye", found, accuracy: 2)
                == AidInterface.AidTrust(
                    kind: .known(.sighting), state: .known(.refused), cause: .known(.contradictsEstimate), accuracy: 2,
                    accuracyScale: 1.5, applied: 8, refused: 4))
    }

    @Test("a kind of which nothing has reached the filter is new, or the odometry of a second camera")
    func unseen() throws {
        let found = [try trust("left", .odometry, .trusted, scale: 1, applied: 3)]
        #expect(try message(.height, of: "left", found, open: ["left"]).cause == .known(.new))
        #expect(try message(.odometry, of: "right", found, open: ["left", "right"]).cause == .known(.otherCamera))
        // The first camera has gone.
        #expect(try message(.odometry, of: "right", found, open: ["right"]).cause == .known(.new))
    }

    @Test("each change to refused and back to trusted is one line")
    func journal() throws {
        var log = AidTrustLog()
        let refused = try trust("uwb", .place, .refused, .contradictsEstimate)
        #expect(log.changes([try trust("uwb", .place, .trusted)]) == [])
        #expect(log.changes([refused]) == ["position of source uwb refused (contradictsEstimate)"])
        #expect(log.changes([refused]) == [])
        #expect(log.changes([try trust("uwb", .place, .watched, .contradictsEstimate)]) == [])
        #expect(log.changes([refused]) == [])
        #expect(log.changes([try trust("uwb", .place, .trusted)]) == ["position of source uwb trusted again"])
        #expect(log.changes([refused]).count == 1)
        // Forgotten by the estimator, and refused anew.
        #expect(log.changes([]) == [])
        #expect(log.changes([refused]).count == 1)
    }
}
