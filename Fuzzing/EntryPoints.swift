/// What libFuzzer calls for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The buffer is exactly as long as the input, so that a read beyond it is noticed.
    FuzzTarget.chosen.run(UnsafeBufferPointer(start: bytes, count: count).span)
    return 0
}

/// SwiftPM takes `main` for itself and gives this name to the entry point of the executable.
@_cdecl("pawl_fuzz_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    var count = count
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = arguments
    return runDriver(&count, &arguments, testOneInput)
}

/// libFuzzer's `main` in the form of a function. Its arguments are three pointers, which Swift passes as C does.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
