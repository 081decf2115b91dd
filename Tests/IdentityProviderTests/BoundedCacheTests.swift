import IdentityProvider
import Testing

@Suite struct BoundedCacheTests {
    @Test func neverHoldsMoreThanItsLimit() {
        var cache = BoundedCache<Int, String>(maximumCount: 3)
        for number in 0..<100 {
            cache.insert("\(number)", for: number)
            #expect(cache.count <= 3)
            #expect(cache[number] == "\(number)")
        }
    }

    @Test func forgetsNothingBelowItsLimit() {
        var cache = BoundedCache<Int, String>(maximumCount: 3)
        for number in 0..<3 { cache.insert("\(number)", for: number) }
        #expect((0..<3).allSatisfy { cache[$0] == "\($0)" })
        #expect(cache[3] == nil)
    }
}
