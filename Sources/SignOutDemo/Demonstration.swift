import IdentityProviderTesting

/// The two halves, one after the other, at one provider.
struct Demonstration {
    private let options: Options
    /// `nil`: a program reads the end alone.
    private let console: Console?

    init(_ options: Options, _ console: Console) {
        self.options = options
        self.console = options.wantsJSON ? nil : console
    }

    func run() async throws -> Report {
        let report: Report
        do {
            report = try await play()
        } catch let error as IdentityProviderTestingError where error.reason == .badConfiguration {
            // What it is told is all that can be wrong about it.
            throw UsageError("\(error)")
        }
        tellWhatNext(report)
        return report
    }

    private func play() async throws -> Report {
        try await withIdentityProvider(Stage.setup(rotation: options.rotation)) { idp in
            let stage = Stage(idp)
            let teller = Teller(stage, console)
            console?.print("An app and the web view inside it share alice's login.")
            console?.print("The provider: \(idp.issuer), with the rules of '\(options.rotation)' for refresh tokens.")

            teller.head("Without the library")
            teller.begin()
            let without = try await WithoutLibrary(stage, teller).run()
            without.tell(teller)

            teller.head("With the library")
            teller.begin()
            let with = try await WithLibrary(stage, teller).run(expiries: options.expiries)
            with.tell(teller)
            return Report(rotation: options.rotation, without: without, with: with)
        }
    }

    private func tellWhatNext(_ report: Report) {
        console?.print("\nWhat an app writes for it", .heading)
        for line in Adoption.lines { console?.print("   " + line) }
        console?.print("\nFrom here", .heading)
        for (place, text) in Adoption.further {
            console?.print("   \(place)" + String(repeating: " ", count: max(1, 26 - place.count)) + text)
        }
        if !report.hasShownBoth { console?.print("\nThis run has not shown what it is to show.", .bad) }
    }
}
