/// What became of a warm start.
public struct WarmStartReport: Hashable, Sendable {
    /// How old it was when the estimator began. Unit: seconds.
    public internal(set) var ageSeconds: Double
    /// Parts with which the estimate began and which nothing has spoken against.
    public internal(set) var used = WarmStart.Parts()
    /// Parts that are no better known, after so long, than those of any sensor; all of them where the whole is too old.
    public internal(set) var tooOld = WarmStart.Parts()
    /// Parts that hold what cannot be; all of them where it is from the future.
    public internal(set) var implausible = WarmStart.Parts()
    /// Parts that measurements spoke against.
    public internal(set) var contradicted = WarmStart.Parts()

    init(ageSeconds: Double) { self.ageSeconds = ageSeconds }

    mutating func contradict(_ parts: WarmStart.Parts) {
        contradicted.formUnion(used.intersection(parts))
        used.subtract(parts)
    }
}
