/// How large labels are, as the wearer sees them: those of the settings, or of one display's own.
public struct LabelSize: Hashable, Sendable {
    /// Unit: degrees.
    public let widthDegrees: Double
    public let heightDegrees: Double

    /// Rounded to hundredths of a degree, so that displays that want nearly the same share one layout.
    public init(widthDegrees: Double, heightDegrees: Double) {
        self.widthDegrees = (widthDegrees * 100).rounded() / 100
        self.heightDegrees = (heightDegrees * 100).rounded() / 100
    }

    public init(_ settings: SceneSettings.Labels) {
        self.init(widthDegrees: settings.widthDegrees, heightDegrees: settings.heightDegrees)
    }
}
