import Messages
import Model

/// Advice to the wearer, in words.
public enum AdviceText {
    /// The most important first; empty where all is well.
    ///
    /// - Parameters:
    ///   - state: the daemon's word for it; with one that came later than this program there is no advice.
    ///   - reasons: the daemon's words; those that came later are left out.
    public static func lines(state: String, reasons: [String]) -> [String] {
        guard let state = TrackingState(word: state) else { return [] }
        return Advice.list(for: state, LimitingReasons(words: reasons)).map { "\($0.text)" }
    }
}
