/// A number as it was written: nothing is rounded until somebody asks for a machine number.
///
/// Equality is that of the literal, so `1`, `1.0` and `1e0` are three numbers. A digit lost on the way would change
/// what a signature covers; who wants the value compares ``int64`` or ``double``.
///
///     let price = try JSON(parsing: "1.10").number
///     let text = price?.literal                           // "1.10"
///     let value = price?.double                           // 1.1
public struct JSONNumber: Hashable, Sendable {
    /// In the grammar of RFC 8259 section 6.
    public let literal: String

    /// Written without a point.
    public init(_ integer: Int64) {
        literal = String(integer)
    }

    /// Nil for infinities and NaN, which JSON cannot say.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        // The shortest digits that read back to the same number; always within the grammar when finite.
        literal = double.description
    }

    /// `literal` has been checked against the grammar.
    init(checkedLiteral literal: String) {
        self.literal = literal
    }

    /// The number if it is written as an integer (no point, no exponent) and fits; never rounded.
    public var int64: Int64? { Int64(literal) }

    /// The nearest double; nil beyond its range.
    public var double: Double? {
        guard let double = Double(literal), double.isFinite else { return nil }
        return double
    }
}
