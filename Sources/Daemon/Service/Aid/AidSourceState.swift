import WaymarkInterface

extension AidInterface.AidSourceState {
    /// Age of a camera's newest pose beyond which the camera counts as having lost track. Unit: seconds.
    private static let patience = 1.0

    /// State of a source: the worst of its kinds.
    ///
    /// - Parameters:
    ///   - age: time since its newest offer was measured; nil before the first. Unit: seconds.
    ///   - poseAge: time since a camera's newest pose was measured; nil before the first. Unit: seconds.
    ///   - trust: what the estimator has found of the kinds that it checks.
    package init(age: Double?, poseAge: Double?, _ trust: [AidInterface.AidTrust]) {
        let states = trust.compactMap(\.state.known)
        self =
            if age == nil {
                .waiting
            } else if let poseAge, poseAge > Self.patience {
                .lost
            } else if states.contains(.refused) {
                .refused
            } else if states.contains(.watched) {
                .watched
            } else {
                states.isEmpty ? .used : .trusted
            }
    }
}
