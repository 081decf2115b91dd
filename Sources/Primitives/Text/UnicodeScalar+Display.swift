extension Unicode.Scalar {
    /// Whether the character would act on the display, or hide, where a text that others wrote is shown: in a log, on a
    /// terminal. Whoever shows such a text writes these as escapes.
    package var actsOnDisplay: Bool {
        switch value {
        // C0, DEL and C1: the cursor, colours, the window's title.
        case 0..<0x20, 0x7F...0x9F: true
        // Marks, embeddings, overrides and isolates that change the direction of text; line and paragraph separators;
        // characters without width; the byte order mark; interlinear annotation.
        case 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        // Tags: a text within the text that nobody sees.
        case 0xE0000...0xE007F: true
        default: false
        }
    }
}
