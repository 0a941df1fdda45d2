/// Parts of the gait monitor that run: all of them, but where one is switched off to measure what it is worth.
package struct GaitParts: Hashable, Sendable {
    /// Steps by the swing of a leg or an arm.
    package var seesSwings: Bool
    /// Line of walking.
    package var seesLine: Bool
    /// Forward direction of the board by its posture.
    package var seesPosture: Bool
    /// Forward direction of the board by the gait.
    package var learnsDirection: Bool

    package init(
        seesSwings: Bool = true, seesLine: Bool = true, seesPosture: Bool = true, learnsDirection: Bool = true
    ) {
        self.seesSwings = seesSwings
        self.seesLine = seesLine
        self.seesPosture = seesPosture
        self.learnsDirection = learnsDirection
    }
}
