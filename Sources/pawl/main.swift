#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

let program = Program(
    root: CommandTree.root, console: .standard(),
    environment: { name in getenv(name).map { String(cString: $0) } })
exit(await program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
