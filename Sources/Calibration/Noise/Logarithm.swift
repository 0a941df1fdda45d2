#if canImport(Glibc)
    import Glibc
#endif

extension Double {
    /// Natural logarithm.
    var logarithm: Double { log(self) }
    /// Exponential function.
    var exponential: Double { exp(self) }
}
