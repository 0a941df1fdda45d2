import Messages

extension Language {
    /// Language of the user's session, from its locale: `LC_ALL`, `LC_MESSAGES` or `LANG`; else English.
    static var ofSession: Language {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first
        return AcceptedLanguages(locale: locale ?? "C").language(otherwise: .english)
    }
}
