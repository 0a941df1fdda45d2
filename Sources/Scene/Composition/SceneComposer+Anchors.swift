/// Anchors come and go between two scenes.
extension SceneComposer {
    public mutating func place(_ anchor: Anchor, owner: UInt64?, routeLength: Double?) throws(AnchorProblem) {
        try anchors.place(anchor, owner: owner, routeLength: routeLength, settings: settings.anchors)
    }

    public mutating func freshAnchorID() -> String { anchors.freshID() }

    public mutating func removeAnchor(id: String) -> Anchor? { anchors.remove(id: id) }

    /// Whether anything went with the connection.
    public mutating func disconnect(_ owner: UInt64) -> Bool {
        let before = anchors.entries.count
        anchors.disconnect(owner)
        return anchors.entries.count != before
    }
}
