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

    @Test func forgetsWhatCameFirst() {
        var cache = BoundedCache<Int, String>(maximumCount: 3)
        for number in 0..<100 {
            cache.insert("\(number)", for: number)
            #expect((0..<100).filter { cache[$0] != nil } == Array(max(0, number - 2)...number))
        }
    }

    /// Its place among the others stays.
    @Test func aNewValueTakesThePlaceOfTheFormerOne() {
        var cache = BoundedCache<Int, String>(maximumCount: 3)
        for number in 0..<3 { cache.insert("\(number)", for: number) }
        for _ in 0..<10 { cache.insert("new", for: 1) }
        #expect((0..<3).map { cache[$0] } == ["0", "new", "2"])
        cache.insert("3", for: 3)
        cache.insert("4", for: 4)
        #expect((0..<5).map { cache[$0] } == [nil, nil, "2", "3", "4"])
    }

    @Test func beginsAnewWhenAllIsForgotten() {
        var cache = BoundedCache<Int, String>(maximumCount: 3)
        for number in 0..<5 { cache.insert("\(number)", for: number) }
        cache.removeAll()
        #expect(cache.count == 0)
        for number in 5..<9 { cache.insert("\(number)", for: number) }
        #expect((0..<9).filter { cache[$0] != nil } == [6, 7, 8])
    }
}
