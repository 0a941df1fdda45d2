/// Visual size of labels: that of the settings, or one of a display's own.
public struct LabelSize: Hashable, Sendable {
    /// Visual angle of the width. Unit: degrees.
    public let widthDegrees: Double
    /// Visual angle of the height. Unit: degrees.
    public let heightDegrees: Double

    /// Size rounded to hundredths of a degree, so that displays with nearly equal sizes share one layout.
    public init(widthDegrees: Double, heightDegrees: Double) {
        self.widthDegrees = (widthDegrees * 100).rounded() / 100
        self.heightDegrees = (heightDegrees * 100).rounded() / 100
    }

    /// Size of the settings.
    public init(_ settings: SceneSettings.Labels) {
        self.init(widthDegrees: settings.widthDegrees, heightDegrees: settings.heightDegrees)
    }
}
