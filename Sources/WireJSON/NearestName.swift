/// Finds the known name that an unknown one probably misspells, for the question "did you mean …?" of an error.
///
/// The distance of two names is the number of letters to insert, delete, replace, or swap with their neighbours
/// (Damerau–Levenshtein). Two names are near if their distance is at most a third of the shorter one's length,
/// rounded up. Upper and lower case of ASCII letters count as the same.
///
/// - Parameters:
///   - name: the unknown name. A name of more than 64 bytes has no near one.
///   - names: the known names. The first of several equally near ones wins.
/// - Returns: the nearest name; nil if none is near.
package func nearestName(to name: String, in names: [String]) -> String? {
  guard name.utf8.count <= longestMisspelling else { return nil }
  let letters = foldedLetters(name)
  var (nearest, fewest) = (String?.none, Int.max)
  for known in names where known.utf8.count <= 2 * longestMisspelling {
    let others = foldedLetters(known)
    let most = min(fewest - 1, (min(letters.count, others.count) + 2) / 3)
    guard most >= abs(letters.count - others.count) else { continue }
    let distance = editDistance(letters, others)
    // A name in which every letter differs isn't a misspelling, however short it is.
    if distance <= most, distance < max(letters.count, others.count) { (nearest, fewest) = (known, distance) }
  }
  return nearest
}

/// The end of an error's message about an unknown name: `; did you mean "open"?`. Empty if no known name is near.
package func suggestion(for name: String, in names: [String], quote: String = "\"") -> String {
  nearestName(to: name, in: names).map { "; did you mean \(quote)\($0)\(quote)?" } ?? ""
}

/// The cost of a comparison grows with the product of the lengths, and a client may send a name of megabytes.
private let longestMisspelling = 64

private func foldedLetters(_ name: String) -> [UInt32] {
  name.unicodeScalars.map { $0 >= "A" && $0 <= "Z" ? $0.value | 0x20 : $0.value }
}

/// The number of edits that turn one text into another. Swapped neighbours aren't edited again (optimal string
/// alignment).
private func editDistance(_ left: [UInt32], _ right: [UInt32]) -> Int {
  // Each row has the distances between a beginning of `left` and all beginnings of `right`.
  var (beforeLast, last) = ([Int](), Array(0...right.count))
  for row in 0..<left.count {
    var current = [row + 1]
    for column in 0..<right.count {
      let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
      var fewest = min(replaced, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        fewest = min(fewest, beforeLast[column - 1] + 1)
      }
      current.append(fewest)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}
