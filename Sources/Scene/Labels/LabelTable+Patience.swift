// Voluntary moves of labels, each after a waiting time.
extension LabelTable {
    /// Gives labels without a slot one in which they will stay for a while, or that of a label of clearly lower rank.
    mutating func admit() {
        for number in labels.indices where slot(of: number) == nil {
            if let choice = best(for: number), choice.stay >= LabelRules.leastStay {
                if isPatient(number) { move(number, to: choice.slot) }
            } else if let slot = outranked(by: number) {
                if isPatient(number) { displace(number, to: slot) }
            } else {
                endWait(number)
            }
        }
    }

    /// Moves labels down to a clearly lower slot that is free with twice the margin and will stay so, and from a slot
    /// in which they cover another's mark to one in which they do not.
    mutating func improve() {
        for number in labels.indices {
            guard let slot = slot(of: number) else { continue }
            let moves = labels[number].memory.moves.count
            guard moves < LabelRules.mostUncoveringMoves else { continue }
            let isCovering = coversMark(number, in: slot)
            guard isCovering || (slot >= LabelRules.clearlyLower && moves < LabelRules.mostOwnMoves) else {
                endWait(number)
                continue
            }
            let better = labels[number].choice.slots.first {
                (isCovering ? $0 != slot : $0 <= slot - LabelRules.clearlyLower)
                    && isFree($0, for: number, room: rules.room($0) * (1 + LabelRules.margin))
                    && stay(of: number, in: $0) >= LabelRules.horizon && !coversMark(number, in: $0)
            }
            guard let better else {
                endWait(number)
                continue
            }
            if isPatient(number) { move(number, to: better) }
        }
    }
}
