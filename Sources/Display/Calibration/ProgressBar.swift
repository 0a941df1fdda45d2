/// Progress as a bar.
public enum ProgressBar {
    /// `█████░░░  62 %`, or `#####...  62 %` in ASCII.
    ///
    /// - Parameters:
    ///   - fraction: 0…1; what is not is brought there.
    ///   - width: of the bar alone.
    public static func text(_ fraction: Double, width: Int, unicode: Bool) -> String {
        let share = fraction.isFinite ? min(1, max(0, fraction)) : 0
        let width = max(1, width)
        let done = Int((share * Double(width)).rounded(.down))
        let bar =
            String(repeating: unicode ? "█" : "#", count: done)
            + String(repeating: unicode ? "░" : ".", count: width - done)
        return bar + "\((share * 100).rounded(.down).fixed(0)) %".right(7)
    }
}
