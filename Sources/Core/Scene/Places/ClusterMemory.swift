import Geometry
import Glibc

/// Clustering of placements that are close to each other in the wearer's view, with hysteresis.
///
/// A cluster has one of its members as its centre. Another placement belongs to the cluster if its separation from the
/// centre is within a fraction of the distance to the nearer of the two,
///
///     d₁² + d₂² − 2·d₁·d₂·cosΔβ ≤ (share·min(d₁, d₂))²,
///
/// This condition depends only on the angle Δβ and the ratio of the distances. A member stays in the cluster up to a
/// somewhat larger fraction. All steps are in the order of distances and identifiers, so that the order of the items
/// does not matter.
public struct ClusterMemory: Sendable {
    /// Last clusters, in order of identifiers.
    private var clusters: [Remembered] = []

    private struct Remembered {
        var id: String
        var center: String
        var members: [String]
    }

    /// Cluster that is being formed, by numbers of points in a field.
    private struct Group {
        var id = ""
        var center: Int
        var members: [Int]
    }

    package init() {}

    /// Returns the clusters of two and more items, in order of identifiers. The other items are shown alone.
    ///
    /// - Parameter items: items with unique identifiers. Items whose bearing or distance is not finite are ignored.
    public mutating func group(_ items: [ClusterItem], settings: SceneSettings.Places) -> [Cluster] {
        let field = ClusterField(items, settings: settings)
        // Members of previous clusters that are still present.
        let present = clusters.map { $0.members.compactMap(field.number) }
        var groups = kept(present, field)
        join(field, to: &groups)
        merge(field, &groups)
        groups.removeAll { $0.members.count < 2 }
        for index in groups.indices { groups[index].members.sort() }
        name(&groups, present, field)
        groups.sort { $0.id < $1.id }
        clusters = groups.map { group in
            Remembered(
                id: group.id, center: field.points[group.center].id, members: group.members.map { field.points[$0].id })
        }
        return zip(groups, clusters).map { Self.cluster($0, $1, field) }
    }

    /// Returns the members of the previous clusters that still belong to them. If the centre is gone, the nearest
    /// member becomes the centre.
    private func kept(_ present: [[Int]], _ field: ClusterField) -> [Group] {
        zip(clusters, present).compactMap { cluster, present in
            guard let center = field.number(of: cluster.center) ?? present.min(by: field.isNearer) else { return nil }
            let members = present.filter { field.staysTogether($0, with: center) }
            return members.count < 2 ? nil : Group(center: center, members: members)
        }
    }

    /// Adds each free point, nearest first, to the cluster with the closest centre, or makes it the centre of a new
    /// cluster.
    private func join(_ field: ClusterField, to groups: inout [Group]) {
        var isFree = [Bool](repeating: true, count: field.points.count)
        for group in groups { for member in group.members { isFree[member] = false } }
        for number in field.nearestFirst where isFree[number] {
            var closest: (index: Int, separation: Double)?
            for (index, group) in groups.enumerated() where field.belongs(number, with: group.center) {
                let separation = field.separation(number, group.center)
                if let best = closest, (best.separation, groups[best.index].center) <= (separation, group.center) {
                    continue
                }
                closest = (index, separation)
            }
            if let closest {
                groups[closest.index].members.append(number)
            } else {
                groups.append(Group(center: number, members: [number]))
            }
        }
    }

    /// Merges a cluster into another one with a nearer centre, if all of its members belong to that cluster.
    private func merge(_ field: ClusterField, _ groups: inout [Group]) {
        groups.sort { field.isNearer($0.center, than: $1.center) }
        var merged: [Group] = []
        for group in groups {
            let host = merged.firstIndex { host in
                group.members.allSatisfy { field.belongs($0, with: host.center) }
            }
            if let host { merged[host].members += group.members } else { merged.append(group) }
        }
        groups = merged
    }

    /// Names the clusters. A cluster that contains more than half of the members of a previous cluster keeps its
    /// identifier. If there are several such previous clusters, it gets the identifier of the one with the most members
    /// in it. Other clusters get new identifiers.
    private func name(_ groups: inout [Group], _ present: [[Int]], _ field: ClusterField) {
        var origins = [Int?](repeating: nil, count: field.points.count)
        for (old, members) in present.enumerated() { for member in members { origins[member] = old } }
        var taken = Set<String>(minimumCapacity: groups.count)
        for index in groups.indices {
            var counts = [Int](repeating: 0, count: clusters.count)
            for member in groups[index].members { if let old = origins[member] { counts[old] += 1 } }
            var heir: Int?
            for old in counts.indices where 2 * counts[old] > clusters[old].members.count {
                if counts[old] > heir.map({ counts[$0] }) ?? 0 { heir = old }
            }
            guard let heir else { continue }
            groups[index].id = clusters[heir].id
            taken.insert(clusters[heir].id)
        }
        let unnamed = groups.indices.filter { groups[$0].id.isEmpty }
        for index in unnamed.sorted(by: { groups[$0].members[0] < groups[$1].members[0] }) {
            groups[index].id = Self.freeID(groups[index].members.map { field.points[$0].id }, taken)
            taken.insert(groups[index].id)
        }
    }

    /// Returns a new identifier, made from the least member from which no other cluster has its name.
    private static func freeID(_ members: [String], _ taken: Set<String>) -> String {
        for member in members where !taken.contains("cluster/" + member) { return "cluster/" + member }
        var count = 2
        while taken.contains("cluster/\(members[0])/\(count)") { count += 1 }
        return "cluster/\(members[0])/\(count)"
    }

    private static func cluster(_ group: Group, _ remembered: Remembered, _ field: ClusterField) -> Cluster {
        var (x, y, nearest) = (0.0, 0.0, Double.infinity)
        for member in group.members {
            x += field.points[member].x / Double(group.members.count)
            y += field.points[member].y / Double(group.members.count)
            nearest = min(nearest, field.points[member].distance)
        }
        return Cluster(
            id: remembered.id, members: remembered.members, bearing: Angle.positive(atan2(x, y)),
            distance: (x * x + y * y).squareRoot(), nearest: nearest)
    }
}
