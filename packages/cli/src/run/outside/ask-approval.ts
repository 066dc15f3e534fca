import { durationMs } from '@millrace/dsl'
import type { Json, JsonObject } from '@millrace/engine'
import { messageOf } from '#command/failure.ts'
import { createPaint } from '#terminal/paint.ts'
import { printable, printableLine } from '#terminal/printable.ts'
import type { Output } from '#terminal/terminal.ts'
import { neededFor, problemOf, readVerdict, type Verdict } from './approval.ts'
import type { LineReader } from './line-reader.ts'

export interface AskDeps {
  readonly lines: LineReader
  readonly output: Output
  readonly mask: (text: string) => string
}

/**
 * Asks at the terminal for an approval, until there is an answer that a server would take or its deadline is over.
 * @returns undefined when the terminal was closed. Rejects when it is aborted.
 */
export async function askApproval(args: JsonObject, signal: AbortSignal, deps: AskDeps): Promise<Verdict | undefined> {
  const afterMs = args['deadline'] === undefined ? undefined : durationMs(args['deadline'])
  // Longer than a timer can be, and than anybody sits at a terminal.
  const deadline = afterMs === undefined || afterMs > 2 ** 31 - 1 ? undefined : AbortSignal.timeout(afterMs)
  deps.output.write(`\n${introduction(args, deps)}\n`)
  try {
    return await question(args, deadline === undefined ? signal : AbortSignal.any([signal, deadline]), deps)
  } catch (error) {
    if (signal.aborted || deadline?.aborted !== true) throw error
    deps.output.write('\n')
    return { decision: 'expire' }
  }
}

async function question(args: JsonObject, signal: AbortSignal, deps: AskDeps): Promise<Verdict | undefined> {
  for (;;) {
    const decision = await line('approve or reject? ', signal, deps)
    if (decision === undefined) return undefined
    const verdict = readVerdict(letters[decision.trim().toLowerCase()] ?? decision.trim().toLowerCase())
    if (verdict === undefined || verdict.decision === 'expire') {
      deps.output.write('  Write "approve" or "reject".\n')
      continue
    }
    const needed = neededFor(verdict.decision, args)
    const reason = await line(needed.reason ? 'reason: ' : 'reason (may be empty): ', signal, deps)
    if (reason === undefined) return undefined
    const data = needed.form === undefined ? undefined : await dataLine(signal, deps)
    const whole = { ...verdict, ...(reason.trim() === '' ? {} : { reason: reason.trim() }), ...(data === undefined ? {} : { data }) }
    const problem = problemOf(whole, args)
    if (problem === undefined) return whole
    deps.output.write(`  ${printable(deps.mask(problem))}\n`)
  }
}

const letters: Readonly<Record<string, string>> = { a: 'approve', y: 'approve', yes: 'approve', r: 'reject', n: 'reject', no: 'reject' }

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

function introduction({ title, description, details, form }: JsonObject, { output, mask }: AskDeps): string {
  const paint = createPaint(output)
  const rows = [
    ...(typeof description === 'string' ? description.split('\n').map((text) => printable(mask(text))) : []),
    ...(details === undefined ? [] : [`details ${printableLine(mask(JSON.stringify(details)))}`]),
    ...(form === undefined ? [] : [`form    ${printableLine(mask(JSON.stringify(form)))}`]),
  ]
  const head = `${paint.yellow('?')} ${paint.bold(printableLine(mask(typeof title === 'string' ? title : 'approval')))}`
  return [head, ...rows.map((row) => `  ${row}`)].join('\n')
}
