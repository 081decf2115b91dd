import Foundation
import Primitives
import Testing

@Suite struct JSONCasesTests {
    @Test(arguments: JSONCase.all)
    func decidesAsTheTableSays(_ item: JSONCase) {
        do {
            let value = try JSON(parsing: item.bytes.span)
            #expect(item.accept, "accepted as \(value)")
        } catch {
            #expect(!item.accept, "refused: \(error)")
            #expect(error.kind == item.fault)
            #expect(error.offset == item.offset)
        }
    }

    @Test func knowsEveryCaseOfTheSuite() {
        func count(_ prefix: String) -> Int { JSONCase.all.count { $0.name.hasPrefix(prefix) } }
        #expect(count("y_") == 95)
        #expect(count("n_") == 191)
        #expect(count("i_") == 35)
        #expect(Set(JSONCase.all.map(\.name)).count == JSONCase.all.count)
    }

    @Test func givesAReasonWhereverTheStandardLeavesAChoice() {
        for item in JSONCase.all {
            let isChoice = item.name.hasPrefix("i_") || (item.name.hasPrefix("y_") && !item.accept)
            #expect(!isChoice || item.reason != nil, "\(item.name)")
        }
    }

    @Test func refusesNothingThatTheSuiteWantsAcceptedButDuplicates() {
        let refused = JSONCase.all.filter { $0.name.hasPrefix("y_") && !$0.accept }
        #expect(refused.allSatisfy { $0.fault == .duplicateName })
        #expect(refused.count == 2)
    }

    @Test(arguments: JSONCase.all.filter(\.accept))
    func writesWhatItReadSoThatItReadsTheSame(_ item: JSONCase) throws {
        let value = try JSON(parsing: item.bytes.span)
        #expect(try JSON(parsing: value.serialised().span) == value)
        #expect(try JSON(parsing: value.serialised(pretty: true).span) == value)
    }

    /// What both accept must mean the same to both; a byte order mark within a string is lost on theirs.
    @Test(arguments: JSONCase.all.filter { $0.accept && $0.name != "byte_order_mark_inside_string" })
    func agreesWithFoundation(_ item: JSONCase) throws {
        let theirs = try? JSONSerialization.jsonObject(with: Data(item.bytes), options: .fragmentsAllowed)
        guard let theirs else { return }
        let ours = try JSON(parsing: item.bytes.span)
        #expect(FoundationJSON.agrees(ours, theirs))
    }
}
