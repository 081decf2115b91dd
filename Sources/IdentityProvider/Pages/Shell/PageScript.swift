/// The one script there is: sends the form of a page that only hands something on.
enum PageScript {
    static let source: StaticString = "document.forms[0].submit()"
    static let hash = ContentPolicy.hash(of: source)
}
