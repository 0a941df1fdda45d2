extension WaymarkClient {
    private struct PlaceParameters: Encodable { let anchor: Anchor }
    private struct IDParameters: Encodable { let id: String }
    private struct IDReply: Decodable { let id: String }
    private struct AnchorsReply: Decodable { let anchors: [Anchor] }
    private struct Nothing: Decodable {}

    /// Places an anchor, and returns its id. One without another `lifetime` goes with this client.
    @discardableResult
    public func placeAnchor(_ anchor: Anchor) throws(WaymarkError) -> String {
        try call("org.waymark.Scene.PlaceAnchor", PlaceParameters(anchor: anchor), IDReply.self).id
    }

    /// Takes an anchor away, whoever placed it.
    public func removeAnchor(id: String) throws(WaymarkError) {
        _ = try call("org.waymark.Scene.RemoveAnchor", IDParameters(id: id), Nothing.self)
    }

    /// The anchors of all clients, in the order of their ids.
    public func anchors() throws(WaymarkError) -> [Anchor] {
        try call("org.waymark.Scene.ListAnchors", AnchorsReply.self).anchors
    }
}
