/** An expression as a card shows it: its first line, with plain names in place of simple paths, and texts without their quotes. */
export function readable(text: string): string {
  const lines = text
    .replace(/^\$\{\s*|\s*\}$/g, '')
    .trim()
    .split('\n')
  const line = (lines[0] ?? '').trim()
  const words = plain(line)
  return lines.length > 1 ? `${words} …` : words
}

function plain(line: string): string {
  const quoted = /^"((?:[^"\\]|\\\([^()"]*\))*)"$/.exec(line)?.[1]
  if (quoted !== undefined) return quoted.replace(/\\\(([^()]*)\)/g, (_, inner: string) => `{${names(inner.trim())}}`)
  return names(line)
}

/** Paths without the signs that only jq needs: `.order.total` is `order.total`, and `$steps.fetch.body` is `fetch.body`. */
function names(source: string): string {
  return source
    .replace(/\$steps\.(?=[A-Za-z_])/g, '')
    .replace(/\$workflow\.input\b/g, 'input')
    .replace(/\$(?=[A-Za-z_])/g, '')
    .replace(/(?<![\w)\]"?.])\.(?=[A-Za-z_])/g, '')
}
