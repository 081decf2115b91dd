/// Bugs that are meant to be found: they show that the run sees the branches, memory errors and assertions.
enum Canary {
    /// Behind a magic word, reads one byte beyond an allocation: found by coverage and the address sanitiser together.
    static func checkMemory(_ input: Span<UInt8>) {
        guard input.count >= 4 else { return }
        guard input[0] == UInt8(ascii: "P"), input[1] == UInt8(ascii: "a") else { return }
        guard input[2] == UInt8(ascii: "w"), input[3] == UInt8(ascii: "l") else { return }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: input.count)
        defer { copy.deallocate() }
        for index in 0..<input.count { copy[index] = input[index] }
        require(peek(copy, input.count) != nil, "a byte was read")
    }

    /// Out of line, so that the optimiser does not see that there is no such byte.
    @inline(never)
    @_optimize(none)
    private static func peek(_ bytes: UnsafeMutablePointer<UInt8>, _ offset: Int) -> UInt8? { bytes[offset] }

    /// An assertion, which an ordinary release build leaves out, on a comparison that chance does not get past.
    static func checkAssertion(_ input: Span<UInt8>) {
        guard input.count >= 8 else { return }
        var word: UInt64 = 0
        for index in 0..<8 { word = word << 8 | UInt64(input[index]) }
        assert(word != 0x7061_776C_2D70_6177, "the canary is found")
    }
}
