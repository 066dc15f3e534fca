/** One case of jq's own test file: either outputs for an input, or the message of a compile error. */
export interface ConformanceCase {
  readonly line: number
  readonly program: string
  readonly input: string
  readonly outputs: readonly string[]
  readonly failure: string | undefined
}

/** Reads the cases of jq's own test file; blocks are separated by blank lines. */
export function parseCases(text: string): ConformanceCase[] {
  const lines = text.split('\n')
  const cases: ConformanceCase[] = []
  for (let at = 0; at < lines.length; at++) {
    const first = lines[at] ?? ''
    if (/^\s*(?:#|$)/.test(first)) continue
    const line = at + 1
    const block: string[] = []
    while (at < lines.length && lines[at] !== '') block.push(lines[at++] ?? '')
    if (first.startsWith('%%FAIL')) {
      const [, program = '', ...message] = block
      cases.push({ line, program, input: 'null', outputs: [], failure: message.join('\n') })
    } else {
      const [program = '', input = 'null', ...outputs] = block
      cases.push({ line, program, input, outputs: outputs.filter((output) => !output.startsWith('#')), failure: undefined })
    }
  }
  return cases
}
