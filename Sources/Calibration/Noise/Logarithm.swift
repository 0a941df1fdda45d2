#if canImport(Glibc)
    import Glibc
#endif

extension Double {
    /// To the base e.
    var logarithm: Double { log(self) }
    var exponential: Double { exp(self) }
}
