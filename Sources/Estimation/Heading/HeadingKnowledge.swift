/// What the heading counts from, and the search for it while nothing tells.
package struct HeadingKnowledge: Sendable {
    package var reference = HeadingReference.none
    package var aligner = HeadingAligner()

    package init() {}

    package var isKnown: Bool { reference != .none }
}
