/// Around every page: in which language it is, and whose it is.
package struct PageSetting: Sendable {
    package var language: PageLanguage
    /// The provider's name, or its tenant's.
    package var providerName: String
    /// Whether it is for tests, which the foot of each page then says.
    package var isMock: Bool

    package init(language: PageLanguage, providerName: String = "Pawl", isMock: Bool = false) {
        self.language = language
        self.providerName = providerName
        self.isMock = isMock
    }

    var texts: PageTexts { language.texts }
}
