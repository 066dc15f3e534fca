/** The first text, in the order of code points, after all that begin with the prefix; undefined if no text is after them. */
export function endOfPrefix(prefix: string): string | undefined {
  const characters = [...prefix]
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0) ?? 0
    // The code points between are halves of surrogate pairs.
    if (code < 0x10ffff) return characters.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1)
  }
  return undefined
}
