import { loadJq } from 'jq-wasm'
import type { Sample } from './generate-program.ts'

type Handle = Awaited<ReturnType<typeof loadJq>>

/** An instance grows tired of calls; it is renewed long before. */
const callsPerInstance = 300

/** The real jq 1.8.2, compiled to WebAssembly; `undefined` for a program that it does not survive. */
export interface Oracle {
  /** The outputs of each sample as JSON text: `{"v": output}` for each, and `{"e": error}` at the end of a failing one. */
  answers(samples: readonly Sample[]): Promise<(string | undefined)[]>
}

/** Outputs up to the error, and the error itself, as one array. */
export function observed(program: string): string {
  return `[try ((${program}) | {v: .}) catch {e: .}]`
}

export function createOracle(): Oracle {
  let handle: Handle | undefined
  let calls = 0
  const run = async (program: string): Promise<string | undefined> => {
    if (handle === undefined || calls++ >= callsPerInstance) {
      handle = await loadJq()
      calls = 0
    }
    try {
      const { stdout, exitCode } = handle.raw(null, program, ['-c'])
      return exitCode === 0 ? stdout : undefined
    } catch {
      // It ran out of stack or memory; a fresh instance is needed.
      handle = undefined
      return undefined
    }
  }
  const answers = async (samples: readonly Sample[]): Promise<(string | undefined)[]> => {
    const batch = samples.map(({ program, input }) => `(${input} | ${observed(program)} | tojson)`).join(', ')
    const output = await run(batch)
    if (output !== undefined) {
      const lines = output.split('\n')
      if (lines.length === samples.length) return lines.map((line) => textOf(line))
    }
    if (samples.length === 1) return [undefined]
    const middle = samples.length >> 1
    return [...(await answers(samples.slice(0, middle))), ...(await answers(samples.slice(middle)))]
  }
  return { answers }
}

function textOf(line: string): string | undefined {
  const text: unknown = JSON.parse(line)
  return typeof text === 'string' ? text : undefined
}
