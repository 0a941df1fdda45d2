/// Texts of one language, made from its message catalogue.
struct Catalogue: Sendable {
    /// Index of the plural form for a non-negative number, according to the catalogue's own formula.
    let pluralForm: @Sendable (Int) -> Int
    /// Forms of each message, in the order of `Message`: either one for each plural form, or only one.
    let forms: [[String]]

    /// Text of a message without a number.
    func text(_ message: Message) -> String { forms[message.rawValue][0] }

    /// Text of a message in the plural form of a number.
    func text(_ message: Message, number: Int) -> String { forms[message.rawValue][pluralForm(number)] }
}
