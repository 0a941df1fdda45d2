#if canImport(Glibc)
    import Glibc
#endif

/// The angle of a vector (x, y) of a plane. Unit: radians.
func arc(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
