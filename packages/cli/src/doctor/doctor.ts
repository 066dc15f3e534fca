import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { createPaint, type Paint } from '#terminal/paint.ts'
import { printable } from '#terminal/printable.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { wrap } from '#terminal/wrap.ts'
import type { CheckState, Finding } from './check.ts'
import { runChecks } from './run-checks.ts'

export interface DoctorRequest {
  readonly home: string | undefined
  readonly json: boolean
}

/** Checks the installation; what it finds is the result. */
export async function doctor(request: DoctorRequest, terminal: Terminal): Promise<ExitCode> {
  const checks = await runChecks(request.home, terminal.now)
  const healthy = checks.every(({ state }) => state !== 'fail')
  terminal.stdout.write(request.json ? `${JSON.stringify({ healthy, checks }, null, 2)}\n` : listing(checks, createPaint(terminal.stdout)))
  return healthy ? exitCodes.ok : exitCodes.failed
}

const marks: Readonly<Record<CheckState, readonly [string, keyof Paint]>> = {
  ok: ['✓ ok  ', 'green'],
  warn: ['! warn', 'yellow'],
  fail: ['✗ fail', 'red'],
}

const nameColumns = 18
const textColumns = 80 - nameColumns - 8

function listing(checks: readonly Finding[], paint: Paint): string {
  const blocks = checks.map(({ name, state, message, remedy }) => {
    const [mark, style] = marks[state]
    const lines = [...wrap(printable(message), textColumns), ...(remedy === undefined ? [] : wrap(`→ ${printable(remedy)}`, textColumns))]
    const indent = ' '.repeat(nameColumns + 8)
    return `${paint[style](mark)}  ${name.padEnd(nameColumns)}${lines.join(`\n${indent}`)}\n`
  })
  const count = (wanted: CheckState): number => checks.filter(({ state }) => state === wanted).length
  const [failed, warned] = [count('fail'), count('warn')]
  const total = failed + warned === 0 ? 'Everything is in order.' : `${failed} failed, ${warned} ${warned === 1 ? 'warning' : 'warnings'}.`
  return `${blocks.join('')}\n${total}\n`
}
