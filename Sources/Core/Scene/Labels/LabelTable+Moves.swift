// Conflicts: labels that overlap in one slot, and labels without a slot.
extension LabelTable {
    /// Moves labels that cover their own marks to other slots.
    mutating func clearOwnMarks() {
        for number in labels.indices {
            if let slot = slot(of: number), coversOwnMark(number, in: slot) { reseat(number) }
        }
    }

    /// Separates labels that overlap in one slot, or that will overlap before the next layout.
    mutating func separate() {
        for slot in rules.places.indices {
            let held = holders[slot].sorted()
            for (place, first) in held.enumerated() where self.slot(of: first) == slot {
                for second in held[(place + 1)...] where self.slot(of: second) == slot {
                    guard meet(first, second, in: slot) else { continue }
                    part(first, second, in: slot)
                    if self.slot(of: first) != slot { break }
                }
            }
        }
    }

    private func meet(_ a: Int, _ b: Int, in slot: Int) -> Bool {
        let width = rules.widths[slot]
        // Labels with a greater separation cannot meet within the lead.
        guard gap(a, b) < LabelRules.leadWidths * width else { return false }
        return seconds(untilMeet: a, b, in: slot) < LabelRules.lead
    }

    /// Moves one of two labels out of the slot, namely the one whose move costs less. A move costs less if the label
    /// has made fewer recent moves, and if both labels then stay free for longer.
    ///
    /// - Parameter second: label of lower rank.
    private mutating func part(_ first: Int, _ second: Int, in slot: Int) {
        let firstGoes = best(for: first)
        let secondGoes = best(for: second)
        func cost(of mover: Int, going choice: (slot: Int, stay: Double), staying other: Int) -> Double {
            Double(labels[mover].memory.moves.count) + risk(choice.stay)
                + risk(stay(of: other, in: slot, except: mover))
        }
        let firstCost = firstGoes.map { cost(of: first, going: $0, staying: second) } ?? .infinity
        let secondCost = secondGoes.map { cost(of: second, going: $0, staying: first) } ?? .infinity
        if let firstGoes, firstCost < secondCost {
            move(first, to: firstGoes.slot)
        } else {
            reseat(second)
        }
    }

    /// Returns the cost, as a number of moves, of having to move again after a time in seconds.
    private func risk(_ seconds: Double) -> Double {
        LabelRules.meetingCost * (1 - min(seconds, LabelRules.horizon) / LabelRules.horizon)
    }

    /// Moves a label to a free slot, or else to one that labels of clearly lower rank hold. Hides the label if there is
    /// neither.
    private mutating func reseat(_ number: Int) {
        if let choice = best(for: number) {
            move(number, to: choice.slot)
        } else if let slot = outranked(by: number) {
            displace(number, to: slot)
        } else {
            move(number, to: nil)
        }
    }

    /// Gives a label a slot, and moves the labels in its way. Each of these has a lower rank, so that the recursion
    /// terminates.
    mutating func displace(_ number: Int, to slot: Int) {
        let inTheWay = holders[slot].filter { $0 != number && gap(number, $0) < rules.room(slot) }
        move(number, to: slot)
        for holder in inTheWay where self.slot(of: holder) == slot { reseat(holder) }
    }

    /// Returns a slot in which all labels in the way have a clearly lower rank, preferably few and distant labels.
    /// Returns nil if there is no such slot, or no label in the way.
    func outranked(by number: Int) -> Int? {
        var best: (slot: Int, loss: Double)?
        for slot in slots(for: number) {
            var loss = 0.0
            for holder in holders[slot] where gap(number, holder) < rules.room(slot) {
                loss += isClearlyLower(holder, than: number) ? 1 / max(1, labels[holder].distance) : .infinity
            }
            if loss > 0, loss < best?.loss ?? .infinity { best = (slot, loss) }
        }
        return best?.slot
    }

    private func isClearlyLower(_ number: Int, than other: Int) -> Bool {
        let (priority, least) = (labels[number].priority, labels[other].priority)
        return priority < least
            || (priority == least && labels[number].distance > LabelRules.clearlyFarther * labels[other].distance)
    }
}

// Voluntary moves of labels, each after a waiting time.
extension LabelTable {
    /// Gives each label without a slot a slot in which it will stay for a while, or the slot of a label of clearly
    /// lower rank.
    mutating func admit() {
        for number in labels.indices where slot(of: number) == nil {
            if let choice = best(for: number), choice.stay >= LabelRules.minimumStay {
                if isPatient(number) { move(number, to: choice.slot) }
            } else if let slot = outranked(by: number) {
                if isPatient(number) { displace(number, to: slot) }
            } else {
                endWait(number)
            }
        }
    }

    /// Moves labels down to a clearly lower slot that is free with twice the margin and will stay free. Moves labels
    /// that cover the mark of another placement to a slot in which they do not.
    mutating func improve() {
        for number in labels.indices {
            guard let slot = slot(of: number) else { continue }
            let moves = labels[number].memory.moves.count
            guard moves < LabelRules.maximumUncoveringMoveCount else { continue }
            let isCovering = coversMark(number, in: slot)
            guard isCovering || (slot >= LabelRules.clearlyLower && moves < LabelRules.maximumOwnMoveCount) else {
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
