import Glibc

/// Longitude in (−180, 180].
package func normalizedLongitude(_ degrees: Double) -> Double {
    let wrapped = degrees.truncatingRemainder(dividingBy: 360)
    return wrapped > 180 ? wrapped - 360 : wrapped <= -180 ? wrapped + 360 : wrapped
}

package func cosineOfDegrees(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
