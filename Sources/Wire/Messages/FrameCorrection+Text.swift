import Geometry
import Scene

extension FrameCorrection {
    /// Text for the correction as the wearer sees it, such as `Content was turned by 17 degrees to the right`. It omits
    /// the causes, which are for developers (`text`).
    package func text(in language: Language) -> String { sentence.text(in: language) }

    /// Smallest shift that is reported, which is half a step of the rounded distances. Unit: metres.
    private static let minimumShift = 2.5
    /// Smallest turn that is reported. Unit: degrees.
    private static let minimumTurn = 0.5

    private var sentence: Sentence {
        // If the scene's axes turn counter-clockwise relative to the earth, content turns clockwise, which is to the
        // right.
        let degrees = Angle.degrees(radians: turn)
        let metres = shift >= Self.minimumShift ? shift : nil
        guard degrees.magnitude >= Self.minimumTurn else {
            return Sentence(.contentMoved, metres: metres) ?? Sentence(.contentCorrected)
        }
        let (turned, both): (Message, Message) =
            degrees > 0
            ? (.contentTurnedRight, .contentTurnedMovedRight) : (.contentTurnedLeft, .contentTurnedMovedLeft)
        return (Sentence(both, metres: metres) ?? Sentence(turned)).with(degrees: degrees)
    }
}
