import Scene

/// Sentences about one kind of turn.
struct TurnMessages {
    /// Instruction that is displayed at the turn.
    let plain: Message
    /// Instruction with the distance to the turn.
    let ahead: Message
    /// Instruction at the moment of the turn.
    let now: Message

    private init(_ plain: Message, _ ahead: Message, _ now: Message) {
        (self.plain, self.ahead, self.now) = (plain, ahead, now)
    }

    /// Finds the instructions for a turn; nil if they need a side and it is unknown.
    init?(_ kind: RouteTurn.Kind, _ side: RouteTurn.Side?) {
        switch (kind, side) {
        case (.uturn, _): self.init(.turnRound, .turnRoundAhead, .turnRoundNow)
        case (_, nil): return nil
        case (.roundabout, _): self.init(.roundabout, .roundaboutAhead, .roundaboutNow)
        case (.normal, .left): self.init(.turnLeft, .turnLeftAhead, .turnLeftNow)
        case (.normal, .right): self.init(.turnRight, .turnRightAhead, .turnRightNow)
        case (.slight, .left): self.init(.slightLeft, .slightLeftAhead, .slightLeftNow)
        case (.slight, .right): self.init(.slightRight, .slightRightAhead, .slightRightNow)
        case (.sharp, .left): self.init(.sharpLeft, .sharpLeftAhead, .sharpLeftNow)
        case (.sharp, .right): self.init(.sharpRight, .sharpRightAhead, .sharpRightNow)
        case (.keep, .left): self.init(.keepLeft, .keepLeftAhead, .keepLeftNow)
        case (.keep, .right): self.init(.keepRight, .keepRightAhead, .keepRightNow)
        case (.bend, .left): self.init(.bendLeft, .bendLeftAhead, .bendLeftNow)
        case (.bend, .right): self.init(.bendRight, .bendRightAhead, .bendRightNow)
        }
    }

    /// Finds the descriptions of a turn whose side is unknown.
    init(withoutSide kind: RouteTurn.Kind?) {
        switch kind {
        case .keep: self.init(.forkHere, .forkSomewhereAhead, .forkHere)
        case .roundabout: self.init(.roundaboutHere, .roundaboutSomewhereAhead, .roundaboutHere)
        case .bend: self.init(.bendHere, .bendSomewhereAhead, .bendHere)
        case .slight, .normal, .sharp, .uturn, nil: self.init(.turnHere, .turnSomewhereAhead, .turnHere)
        }
    }
}

extension TurnMessages {
    /// Instruction, or else the description, that is displayed at the turn.
    static func words(_ kind: RouteTurn.Kind, _ side: RouteTurn.Side?) -> Sentence {
        Sentence((TurnMessages(kind, side) ?? TurnMessages(withoutSide: kind)).plain)
    }
}

extension RouteTurn {
    /// Instruction in words: the routing service's text, or else a text such as `Turn left`.
    package func words(in language: Language) -> String {
        if let text, !text.isEmpty { return text }
        return TurnMessages.words(kind, side).text(in: language)
    }
}
