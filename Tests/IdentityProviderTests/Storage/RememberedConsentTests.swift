import IdentityProvider
import OAuth
import Primitives
import Testing

/// RFC 8707: what a user has agreed to holds for the resources that he was shown.
@Suite struct RememberedConsentTests {
    private func scope(_ text: String) throws -> Scope { try Scope(parsing: text) }

    @Test func holdsForNoOtherResource() throws {
        var consent = RememberedConsent()
        #expect(consent.scope(for: []) == nil)
        consent.note(try scope("read"), of: try scope("read"), for: ["https://a.example/"])
        #expect(try consent.scope(for: ["https://a.example/"]) == scope("read"))
        for others in [
            [], ["https://b.example/"], ["https://a.example"], ["https://a.example/", "https://b.example/"],
        ] {
            #expect(consent.scope(for: others) == nil)
        }
    }

    @Test func ofSeveralResourcesItIsWhatHoldsForAll() throws {
        var consent = RememberedConsent()
        consent.note(try scope("read write"), of: try scope("read write"), for: ["urn:a", "urn:b"])
        consent.note(try scope("write"), of: try scope("read write"), for: ["urn:b"])
        #expect(try consent.scope(for: ["urn:a"]) == scope("read write"))
        #expect(try consent.scope(for: ["urn:a", "urn:b"]) == scope("write"))
    }

    @Test func whatWasNotAskedForStays() throws {
        var consent = RememberedConsent()
        consent.note(try scope("read write"), of: try scope("read write"), for: [])
        consent.note(.empty, of: try scope("read"), for: [])
        #expect(try consent.scope(for: []) == scope("write"))
    }

    /// Clients name resources as they like: there is an end to how many are remembered, and the newest stay.
    @Test func remembersABoundedNumberOfResources() throws {
        var consent = RememberedConsent()
        let limit = RememberedConsent.maximumResourceCount
        for index in 0...limit { consent.note(try scope("read"), of: try scope("read"), for: ["urn:\(index)"]) }
        #expect(consent.scope(for: ["urn:0"]) == nil)
        #expect(try consent.scope(for: ["urn:1"]) == scope("read"))
        #expect(try consent.scope(for: ["urn:\(limit)"]) == scope("read"))
    }
}
