import Scene

extension Announcement {
    /// Text of the announcement, such as `Turn left in 40 metres`.
    package func text(in language: Language) -> String {
        let sentence = sentence
        guard let turnSentence = turnWithStart else { return sentence.text(in: language) }
        return Sentence(
            .startThenTurn, ["start": sentence.text(in: language), "turn": turnSentence.text(in: language)]
        ).text(in: language)
    }

    private var sentence: Sentence {
        switch kind {
        case .start: start(.startUnnamedDistance, .startDistance)
        case .resumed: start(.resumedUnnamedDistance, .resumedDistance)
        case .turn: turnSentence(metres: distance)
        case .destination: destination
        case .arrived: arrived
        case .offRoute: Sentence(.offRoute)
        case .backOnRoute: Sentence(.backOnRoute)
        }
    }

    /// Whether the destination has a name. The name of an unnamed route is its ID, which is meaningless to a wearer.
    private var isNamed: Bool { !name.isEmpty && name != routeID }

    private var texts: [String: String] { ["destination": name] }

    private func start(_ unnamed: Message, _ named: Message) -> Sentence {
        Sentence(isNamed ? named : unnamed, metres: distance, texts)
            ?? Sentence(isNamed ? .start : .startUnnamed, texts)
    }

    /// Turn that is announced together with the start, as a separate sentence.
    private var turnWithStart: Sentence? {
        guard kind == .start || kind == .resumed, let turnDistance else { return nil }
        return turnSentence(metres: turnDistance)
    }

    private var destination: Sentence {
        let message: Message =
            switch side {
            case nil: isNamed ? .destinationDistance : .destinationUnnamedDistance
            case .left: isNamed ? .destinationDistanceLeft : .destinationUnnamedDistanceLeft
            case .right: isNamed ? .destinationDistanceRight : .destinationUnnamedDistanceRight
            }
        return Sentence(message, metres: distance, texts)
            ?? Sentence(isNamed ? .destination : .destinationUnnamed, texts)
    }

    private var arrived: Sentence {
        switch side {
        case nil: Sentence(isNamed ? .arrived : .arrivedUnnamed, texts)
        case .left: Sentence(isNamed ? .arrivedLeft : .arrivedUnnamedLeft, texts)
        case .right: Sentence(isNamed ? .arrivedRight : .arrivedUnnamedRight, texts)
        }
    }

    /// - Parameter metres: distance to the turn. The sentence omits it if the wearer is at the turn or the distance is
    ///   unknown.
    private func turnSentence(metres: Double?) -> Sentence {
        let metres = isNow ? nil : metres
        if let instruction {
            return Sentence(.instructionAhead, metres: metres, ["instruction": instruction])
                ?? Sentence(.instruction, ["instruction": instruction])
        }
        let messages = TurnMessages(turn ?? .normal, side) ?? TurnMessages(withoutSide: turn)
        return Sentence(messages.ahead, metres: metres) ?? Sentence(messages.now)
    }
}
