/// Where a server keeps what happens.
enum DataOptions {
    static let group = OptionGroup(title: "Data")

    static let directory = Option.optional(
        "data", .directory, in: group, environment: "PAWL_DATA", defaultNote: "in memory, for this run only",
        "Keep logins, refresh tokens, codes and consents in a database in this directory, and the keys too, unless --keys "
            + "says where. Nothing that was acknowledged is lost, even when the process is killed. One server has it at a "
            + "time.")

    static let rows = [directory.row]
}
