/// Options that mean the same in every command that has them.
enum CommonOptions {
    static let json = Option.flag("json", "Print JSON for programs instead of text for eyes.")
}
