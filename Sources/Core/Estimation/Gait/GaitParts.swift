/// Parts of the gait monitor that run: all, unless one is switched off to measure its benefit.
package struct GaitParts: Hashable, Sendable {
    /// Steps from the swing of a leg or an arm.
    package var seesSwings: Bool
    /// Walking axis.
    package var seesLine: Bool
    /// Forward direction of the board from its posture.
    package var seesPosture: Bool
    /// Forward direction of the board from the gait.
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
