import JSON
import Scene

/// Reader of places from the waypoints (`wpt`) of a GPX document, 1.0 or 1.1.
///
/// `name` is the name; `type`, or else `sym`, is the kind; `ele` is above mean sea level. `cmt`, `desc`, `src`, `sym`,
/// `type`, `time` and the address of a link become tags. Extensions, routes and tracks are left out.
struct GPXPlaceReader: PlaceStream {
    /// Size of the pieces in which a document is parsed. Unit: bytes.
    private static let piece = 64 * 1024

    private let source: JSONReader.Refill
    private let handler = WaypointHandler()
    private let parser: XMLReader
    private var buffer = [UInt8](repeating: 0, count: GPXPlaceReader.piece)
    private var isAtEnd = false
    private(set) var offset: UInt64 = 0
    private(set) var canGoOn = true

    init(source: @escaping JSONReader.Refill) {
        self.source = source
        parser = XMLReader(handler: handler)
    }

    mutating func next() throws(DocumentProblem) -> Place? {
        while true {
            switch handler.take() {
            case .success(let place): return place
            case .failure(let problem): throw problem
            case nil: break
            }
            guard !isAtEnd else { return nil }
            do throws(DocumentProblem) {
                try parseNext()
            } catch {
                (isAtEnd, canGoOn) = (true, false)
                throw error
            }
        }
    }

    private mutating func parseNext() throws(DocumentProblem) {
        let count = try PlacesReader.read(source, &buffer, from: 0)
        offset += UInt64(count)
        isAtEnd = count == 0
        try parser.feed(buffer[..<count], isLast: isAtEnd)
        guard isAtEnd, !handler.sawWaypoint, let other = handler.otherContent else { return }
        throw DocumentProblem("there are no waypoints (wpt) in it; its \(other) is no place: see 'waymark route set'")
    }
}

/// Handler of GPX elements that collects waypoints until the reader takes them.
private final class WaypointHandler: XMLHandler {
    private(set) var sawWaypoint = false
    /// Other content that has been found, "route" or "track"; nil if there is none.
    private(set) var otherContent: String?
    private var found: [Result<Place, DocumentProblem>] = []
    private var taken = 0
    private var draft: PlaceDraft?
    private var place: XMLPlace?
    private var problem: DocumentProblem?
    private var depth = 0

    /// Takes the next waypoint, or its problem; nil if no more have been read.
    func take() -> Result<Place, DocumentProblem>? {
        guard taken < found.count else {
            found.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return found[taken - 1]
    }

    func begin(_ name: String, attributes: [String: String], at place: XMLPlace) throws(DocumentProblem) {
        depth += 1
        switch (depth, name) {
        case (1, "gpx"): break
        case (1, _): throw place.problem("no GPX: its outermost element is \(PlaceDraft.quoted(name))")
        case (2, "wpt"):
            sawWaypoint = true
            (draft, problem, self.place) = (PlaceDraft(), nil, place)
            note { () throws(DocumentProblem) in
                draft?.latitude = try PlaceDraft.degrees("lat", within: 90, of: attributes, place.problem)
            }
            note { () throws(DocumentProblem) in
                draft?.longitude = try PlaceDraft.degrees("lon", within: 360, of: attributes, place.problem)
            }
        case (2, "rte"): otherContent = "route"
        case (2, "trk"): otherContent = "track"
        case (3, "link"):
            if let address = attributes["href"] { draft?.tag("website", address) }
        default: break
        }
    }

    func end(_ name: String, text: String, at place: XMLPlace) throws(DocumentProblem) {
        defer { depth -= 1 }
        if depth == 2, name == "wpt" { return endWaypoint() }
        guard depth == 3, draft != nil, let waypoint = self.place, PlainText.line(text, maximumLength: 40) != nil else {
            return
        }
        switch name {
        case "name": draft?.name = text
        case "ele":
            note { () throws(DocumentProblem) in
                draft?.setSeaLevelHeight(try PlaceDraft.height("ele", text, waypoint.problem))
            }
        case "type":
            draft?.kind = text
            draft?.tag("type", text)
        case "sym":
            if draft?.kind == nil { draft?.kind = text }
            draft?.tag("sym", text)
        case "desc": draft?.tag("description", text)
        case "url": draft?.tag("website", text)
        case "cmt", "src", "time": draft?.tag(name, text)
        default: break
        }
    }

    private func endWaypoint() {
        guard let draft, let place else { return }
        self.draft = nil
        if let problem { return found.append(.failure(problem)) }
        do throws(DocumentProblem) {
            found.append(.success(try draft.place(at: place.text)))
        } catch {
            found.append(.failure(error))
        }
    }

    /// Records the first problem of the waypoint; reading continues with the other waypoints of the document.
    private func note(_ work: () throws(DocumentProblem) -> Void) {
        do throws(DocumentProblem) { try work() } catch { problem = problem ?? error }
    }
}
