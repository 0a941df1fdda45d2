/// Of CLOCK_BOOTTIME.
public struct Time: Codable, Hashable, Sendable {
    public var sec: Int
    public var nsec: Int

    /// Unit: seconds. To the microsecond for some years of uptime.
    public var seconds: Double { Double(sec) + Double(nsec) * 1e-9 }
}

/// Three coordinates; the field that holds them says frame and unit.
public struct Vector: Codable, Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double
}

/// A rotation; the field that holds it says its frames.
public struct Quaternion: Codable, Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double
    public var w: Double
}

/// A place on the earth (WGS84). Unit: degrees, and metres above the ellipsoid.
public struct Geo: Codable, Hashable, Sendable {
    public var latitude: Double
    public var longitude: Double
    public var height: Double
}
