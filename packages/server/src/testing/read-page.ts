/** One command of a page, and the answer that stands below it. */
export interface Step {
  readonly command: string
  readonly shown: { readonly syntax: 'json' | 'text'; readonly text: string } | undefined
  /** From 1, to name the step. */
  readonly line: number
}

/** The page's `sh` blocks in order, each with the `json` or `text` block that follows it. */
export function readSteps(page: string): readonly Step[] {
  return [...page.matchAll(/^```sh\n([^]*?)^```\n(?:\n```(json|text)\n([^]*?)^```$)?/gm)].map((match) => {
    const [, command = '', syntax, text = ''] = match
    const line = page.slice(0, match.index).split('\n').length
    return { command, shown: syntax === 'json' || syntax === 'text' ? { syntax, text } : undefined, line }
  })
}

/** What stands for anything. */
const anything = '…'

/**
 * Where an answer is not as it is shown; undefined when it is. In texts `…` stands for anything; an object may have members that are not
 * shown when it is shown with one called `…`.
 */
export function difference(shown: unknown, got: unknown, path = ''): string | undefined {
  const mismatch = `${path}: ${JSON.stringify(got)} is not ${JSON.stringify(shown)}`
  if (typeof shown === 'string') return typeof got === 'string' && fits(shown, got) ? undefined : mismatch
  if (Array.isArray(shown)) {
    if (!Array.isArray(got) || got.length !== shown.length) return mismatch
    return firstOf(shown.map((entry, index) => difference(entry, got[index], `${path}/${index}`)))
  }
  if (!isRecord(shown)) return shown === got ? undefined : mismatch
  if (!isRecord(got)) return mismatch
  const unshown = Object.keys(got).find((key) => !Object.hasOwn(shown, key))
  if (unshown !== undefined && !Object.hasOwn(shown, anything)) return `${path}/${unshown} is not shown`
  return firstOf(
    Object.keys(shown)
      .filter((key) => key !== anything)
      .map((key) => difference(shown[key], got[key], `${path}/${key}`)),
  )
}

/** Whether a text is as it is shown. */
export function fits(shown: string, got: string): boolean {
  const pattern = shown.split(anything).map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  return new RegExp(`^${pattern.join('[^]*')}$`).test(got)
}

function firstOf(found: readonly (string | undefined)[]): string | undefined {
  return found.find((one) => one !== undefined)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
