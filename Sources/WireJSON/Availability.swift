extension String {
  /// Lends the text's bytes, in UTF-8. The standard library's span of them is in Apple's systems from version 26 on.
  @inline(__always)
  func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    #if os(macOS) || os(iOS)
      var text = self
      return text.withUTF8 { body(unsafe $0.span) }
    #else
      return body(utf8.span)
    #endif
  }
}

#if os(macOS) || os(iOS)
  // `InlineArray` is in Apple's systems from version 26 on.
  typealias EightWords = SIMD8<UInt64>
  typealias Digits = SIMD32<UInt8>

  extension Array {
    /// The elements, lent. The standard library's span of them is in Apple's systems from version 26 on, that of a slice from
    /// long before.
    @usableFromInline package var span: Span<Element> {
      @_lifetime(borrow self) get {
        let slice = self[...]
        return unsafe _overrideLifetime(slice.span, borrowing: self)
      }
    }
  }
#else
  typealias EightWords = InlineArray<8, UInt64>
  typealias Digits = InlineArray<20, UInt8>
#endif
