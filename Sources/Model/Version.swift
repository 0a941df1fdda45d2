/// Of this build of Waymark, as both programs and the socket tell it.
public enum Waymark {
    public static let version = "0.1.0"
}
