import Geometry
import Model

/// Places of a scene. They are selected and clustered a few times a second, and positioned in every scene.
struct PlaceLayer {
    /// Places that are shown, alone or in a cluster, nearest first.
    private(set) var nearby: [NearbyPlace] = []

    private enum Unit {
        /// Single place, by its index in `nearby`.
        case alone(Int)
        case together(Cluster, members: [Int])
    }

    private var units: [Unit] = []
    private var ids: [String] = []
    /// Properties of a place that is shown alone. They are parsed only once.
    private struct ParsedTags {
        var sourceTags: PlaceTags
        var table: [String: String]
        var details: PlaceDetails?
    }

    /// Parsed properties, by the identifier of the placement.
    private var parsedTags: [String: ParsedTags] = [:]
    private var selection = PlaceSelection()
    private var clusters = ClusterMemory()
    private var lastChoice: BootTime?

    /// Interval between two selections. A walker moves a third of a metre within it. Unit: seconds.
    private static let interval = 0.25

    mutating func candidatesChanged() { lastChoice = nil }

    /// Selects and clusters the places if the interval has elapsed.
    mutating func update(
        _ candidates: [Place], around viewpoint: Viewpoint, filter: PlaceFilter, settings: SceneSettings.Places
    ) {
        if let lastChoice, (0..<Self.interval).contains(viewpoint.time.seconds(since: lastChoice)) { return }
        lastChoice = viewpoint.time
        nearby = selection.choose(candidates, around: viewpoint.position, filter: filter, settings: settings)
        ids = nearby.map { PlacementID.place($0.place.id) }
        let items = nearby.indices.map {
            ClusterItem(id: ids[$0], bearing: nearby[$0].bearing, distance: nearby[$0].distance)
        }
        assemble(clusters.group(items, settings: settings))
    }

    private mutating func assemble(_ clusters: [Cluster]) {
        var numbers: [String: Int] = [:]
        for (number, id) in ids.enumerated() { numbers[id] = number }
        var isAlone = [Bool](repeating: true, count: ids.count)
        units = clusters.map { cluster in
            let members = cluster.members.compactMap { numbers[$0] }
            for member in members { isAlone[member] = false }
            return .together(cluster, members: members)
        }
        units += ids.indices.lazy.filter { isAlone[$0] }.map { .alone($0) }
        parseTags(of: ids.indices.filter { isAlone[$0] })
    }

    /// Parses the properties of the places that are shown alone. Keeps properties that were parsed before, because
    /// parsing all of them at each selection would take longer than the selection.
    private mutating func parseTags(of numbers: [Int]) {
        let known = parsedTags
        parsedTags.removeAll(keepingCapacity: true)
        for number in numbers {
            let sourceTags = nearby[number].place.sourceTags
            if let same = known[ids[number]], same.sourceTags == sourceTags {
                parsedTags[ids[number]] = same
            } else {
                let table = sourceTags.table
                parsedTags[ids[number]] = ParsedTags(
                    sourceTags: sourceTags, table: table, details: PlaceDetails(tags: table))
            }
        }
    }

    /// Appends the placements of the selected places and clusters.
    func place(in view: WearerView, into placements: inout [Placement]) {
        for unit in units {
            let placement =
                switch unit {
                case .alone(let number): alone(number, view)
                case .together(let cluster, let members): together(cluster, members, view)
                }
            if let placement { placements.append(placement) }
        }
    }

    private func alone(_ number: Int, _ view: WearerView) -> Placement? {
        let place = nearby[number].place
        guard let point = view.point(of: place.position, height: place.height) else { return nil }
        var placement = view.earthbound(.place, id: ids[number], at: point)
        placement.name = place.name
        placement.category = place.kind
        placement.isFavorite = place.isFavorite
        let parsed = parsedTags[ids[number]]
        placement.properties = parsed?.table ?? [:]
        placement.details = parsed?.details
        return placement
    }

    /// Makes the placement of a cluster, in the middle of its members. Its name is the number of members.
    private func together(_ cluster: Cluster, _ members: [Int], _ view: WearerView) -> Placement? {
        let places = members.map { nearby[$0].place }
        let points = places.compactMap { view.point(of: $0.position, height: $0.height) }
        guard let first = places.first, !points.isEmpty else { return nil }
        let middle = points.reduce(Vector3.zero, +) / Double(points.count)
        var placement = view.earthbound(.cluster, id: cluster.id, at: middle)
        placement.name = "\(members.count)"
        placement.category = places.allSatisfy { $0.kind == first.kind } ? first.kind : ""
        placement.isFavorite = places.contains(where: \.isFavorite)
        placement.members = cluster.members
        return placement
    }
}
