/// Identity of this build of Waymark.
public enum Release {
    /// Version that both programs and the socket report (semantic versioning).
    public static let version = "0.1.0"
}
