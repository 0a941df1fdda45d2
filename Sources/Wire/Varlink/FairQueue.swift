/// Queue that is fair at two levels. Groups take turns, and members take turns within their group.
///
/// A member is removed for its turn. If it needs another turn, it is added again, behind the others of its group. A
/// group with many members gets no more turns than a group with one member.
package struct FairQueue<Group: Hashable, Member> {
    /// Groups with waiting members; the next group comes first.
    private var groups: [Group] = []
    /// Waiting members of each group; the next member comes first.
    private var members: [Group: [Member]] = [:]

    package init() {}

    package var isEmpty: Bool { groups.isEmpty }

    /// Adds a member, which must not be waiting already.
    package mutating func add(_ member: Member, of group: Group) {
        if members[group] == nil { groups.append(group) }
        members[group, default: []].append(member)
    }

    /// Removes and returns the next member; nil if none is waiting.
    package mutating func next() -> Member? {
        guard let group = groups.first, var waiting = members.removeValue(forKey: group) else { return nil }
        groups.removeFirst()
        let member = waiting.removeFirst()
        guard !waiting.isEmpty else { return member }
        groups.append(group)
        members[group] = waiting
        return member
    }

    /// Removes members of a group before their turn.
    package mutating func remove(of group: Group, where isRemoved: (Member) -> Bool) {
        guard var waiting = members[group] else { return }
        waiting.removeAll(where: isRemoved)
        guard waiting.isEmpty else { return members[group] = waiting }
        _ = removeAll(of: group)
    }

    /// Removes all members of a group and returns them; the next member comes first.
    package mutating func removeAll(of group: Group) -> [Member] {
        groups.removeAll { $0 == group }
        return members.removeValue(forKey: group) ?? []
    }
}
