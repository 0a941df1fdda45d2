/// Result of an inertial step.
package struct FilterStep {
    /// Motion since the previous sample, free of corrections.
    package let increment: InertialIncrement
    /// Whether the filter is still finite and possible; otherwise it has to be restarted.
    package let isSound: Bool
    /// Whether the heading is known.
    package let isHeadingKnown: Bool
    /// Whether a position has been applied.
    package let hasPosition: Bool
}
