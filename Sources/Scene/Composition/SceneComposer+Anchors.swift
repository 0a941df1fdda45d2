/// Changes of the anchors between two scenes.
extension SceneComposer {
    /// Adds an anchor, or replaces the one with its identifier; `routeLength` in metres, nil without a route.
    public mutating func place(_ anchor: Anchor, owner: UInt64?, routeLength: Double?) throws(AnchorProblem) {
        try anchors.place(anchor, owner: owner, routeLength: routeLength, settings: settings.anchors)
    }

    /// Unused identifier of an anchor.
    public mutating func freshAnchorID() -> String { anchors.freshID() }

    /// Removes an anchor; nil if there is none with the identifier.
    public mutating func removeAnchor(id: String) -> Anchor? { anchors.remove(id: id) }

    /// Removes the anchors of a closed connection; returns whether there were any.
    public mutating func disconnect(_ owner: UInt64) -> Bool {
        let before = anchors.entries.count
        anchors.disconnect(owner)
        return anchors.entries.count != before
    }
}
