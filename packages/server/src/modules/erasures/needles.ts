/** What is looked for, with what takes its place. */
export interface Needle {
  /** In lower case. */
  readonly text: string
  readonly token: string
}

/** The forms in which values may be stored, the longest first. The token of a value is the same in all of its forms. */
export function needlesOf(values: readonly string[], erasureId: string): readonly Needle[] {
  const mark = erasureId.replaceAll('-', '').slice(-8)
  const found = new Map<string, Needle>()
  for (const [index, value] of values.entries()) {
    const token = `[erased:${mark}-${index + 1}]`
    const encoded = encodeURIComponent(value)
    for (const form of [value, encoded, encoded.replaceAll('%20', '+'), JSON.stringify(value).slice(1, -1)]) {
      const text = form.toLowerCase()
      if (!found.has(text)) found.set(text, { text, token })
    }
  }
  return [...found.values()].toSorted((a, b) => b.text.length - a.text.length)
}

/** Replaces needles in a text, in any case. */
export function replaceIn(text: string, needles: readonly Needle[]): string {
  return needles.reduce(
    (result, { text: form, token }) =>
      result.replaceAll(new RegExp(form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`), 'gi'), token),
    text,
  )
}

/** Replaces needles in the text of a JSON document, which stays JSON. */
export function replaceInJson(text: string, needles: readonly Needle[]): string {
  const replaced = replaceIn(text, needles)
  if (isJson(replaced)) return replaced
  // A number was found: it becomes a text.
  return JSON.stringify(walk(JSON.parse(text), needles))
}

function walk(value: unknown, needles: readonly Needle[]): unknown {
  if (typeof value === 'string') return replaceIn(value, needles)
  if (typeof value === 'number') {
    const replaced = replaceIn(String(value), needles)
    return replaced === String(value) ? value : replaced
  }
  if (Array.isArray(value)) return value.map((item) => walk(item, needles))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [replaceIn(name, needles), walk(member, needles)]))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What a person is found by, as it was sealed. */
export function readValues(plain: Buffer): readonly string[] {
  const values: unknown = JSON.parse(plain.toString('utf8'))
  return Array.isArray(values) ? values.map(String) : []
}
