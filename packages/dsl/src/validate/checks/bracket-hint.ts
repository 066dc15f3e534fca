const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The hint for brackets and quotes of jq that do not match; undefined where they do. */
export function bracketHint(source: string): string | undefined {
  /** What is open: brackets, and quotes of texts. */
  const open: string[] = []
  for (let at = 0; at < source.length; at++) {
    const sign = source.charAt(at)
    const innermost = open.at(-1)
    if (innermost === '"') {
      if (sign === '"') open.pop()
      else if (sign === '\\') {
        at += 1
        if (source.charAt(at) === '(') open.push('(')
      }
    } else if (sign === '#') {
      const end = source.indexOf('\n', at)
      at = end === -1 ? source.length : end
    } else if (sign === '"' || sign in closers) open.push(sign)
    else if (sign === ')' || sign === ']' || sign === '}') {
      if (innermost === undefined) return `Remove ${sign}, which closes nothing.`
      if (closers[innermost] !== sign) return `Close ${innermost} with ${closers[innermost]} before ${sign}.`
      open.pop()
    }
  }
  const innermost = open.at(-1)
  if (innermost === undefined) return undefined
  // The quote that ends a text is read as the begin of another one where \( is left open.
  if (open.slice(-3).join('') === '"("') return String.raw`Close \( with ).`
  return innermost === '"' ? 'Close the text with a double quote: ".' : `Close ${innermost} with ${closers[innermost]}.`
}
