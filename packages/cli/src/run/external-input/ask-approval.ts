import type { Json, JsonObject } from '@millrace/engine'
import { messageOf } from '#command/failure.ts'
import { printable } from '#terminal/printable.ts'
import type { Output } from '#terminal/terminal.ts'
import { neededFor, problemOf, readVerdict, type Verdict } from './approval.ts'
import type { LineReader } from './line-reader.ts'

export interface AskDeps {
  readonly lines: LineReader
  readonly output: Output
  readonly mask: (text: string) => string
}

/**
 * Asks for a decision at the terminal until the answer is one that a server would accept.
 *
 * @returns undefined when the terminal was closed; rejects when the signal is aborted
 */
export async function askApproval(args: JsonObject, signal: AbortSignal, deps: AskDeps): Promise<Verdict | undefined> {
  for (;;) {
    const decision = await line('approve or reject? ', signal, deps)
    if (decision === undefined) return undefined
    const verdict = readVerdict(letters[decision.trim().toLowerCase()] ?? decision.trim().toLowerCase())
    if (verdict === undefined || verdict.decision === 'expire') {
      deps.output.write('  Write "approve" or "reject".\n')
      continue
    }
    const needed = neededFor(verdict.decision, args)
    const reason = await reasonLine(verdict.decision, needed.reason, signal, deps)
    if (reason === undefined) return undefined
    const data = needed.form === undefined ? undefined : await dataLine(signal, deps)
    if (needed.form !== undefined && data === undefined) return undefined
    const whole = { ...verdict, ...(reason === '' ? {} : { reason }), ...(data === undefined ? {} : { data }) }
    const problem = problemOf(whole, args)
    if (problem === undefined) return whole
    deps.output.write(`  ${printable(deps.mask(problem))}\n`)
  }
}

const letters: Readonly<Record<string, string>> = { a: 'approve', y: 'approve', yes: 'approve', r: 'reject', n: 'reject', no: 'reject' }

/** Empty when no reason is required and none is given. */
async function reasonLine(decision: string, isNeeded: boolean, signal: AbortSignal, deps: AskDeps): Promise<string | undefined> {
  for (;;) {
    const text = (await line(isNeeded ? 'reason: ' : 'reason (may be empty): ', signal, deps))?.trim()
    if (text !== '' || !isNeeded) return text
    deps.output.write(`  A reason is required to ${decision}.\n`)
  }
}

async function dataLine(signal: AbortSignal, deps: AskDeps): Promise<Json | undefined> {
  for (;;) {
    const text = await line('form, as JSON: ', signal, deps)
    if (text === undefined) return undefined
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives nothing else.
      return JSON.parse(text) as Json
    } catch (error) {
      deps.output.write(`  This is not JSON: ${messageOf(error)}\n`)
    }
  }
}

async function line(prompt: string, signal: AbortSignal, { lines, output }: AskDeps): Promise<string | undefined> {
  output.write(`  ${prompt}`)
  return lines.next(signal)
}
