import { type LedgerRow, readLedger, repetitions } from './ledger.ts'
import type { Screen } from './screen.ts'
import type { ExecutionDetail } from './session.ts'
import { paymentFailures, type ShopCall } from './shop.ts'

/** Shows what the shop counted and what the workflow gave. Returns whether every effect was done exactly once and the workflow completed. */
export function report(screen: Screen, execution: ExecutionDetail, calls: readonly ShopCall[]): boolean {
  const { paint } = screen
  const ledger = readLedger(calls)
  const repeated = repetitions(calls)
  screen.title('What the shop counted')
  screen.line(`   ${paint.dim(`${'effect'.padEnd(24)}${'requests'.padStart(10)}${'done'.padStart(8)}`)}`)
  for (const row of ledger) screen.line(rowText(row, screen))
  screen.line(`   ${'requests repeated'.padEnd(24)}${String(repeated).padStart(10)}`)
  screen.title('What the workflow gave')
  for (const line of JSON.stringify(execution.output ?? execution.error ?? null, null, 2).split('\n')) screen.line(`   ${line}`)
  screen.line()
  const passed = execution.state === 'completed' && repeated === 0 && ledger.every(({ right }) => right)
  if (passed) screen.step('passed', 'completed, with every effect done exactly once')
  else screen.alarm(`failed: the execution is ${execution.state}, and the marked effects were not done exactly once`)
  return passed
}

function rowText({ effect, calls, done, right }: LedgerRow, { paint }: Screen): string {
  const mark = right ? paint.green('✓') : paint.red('✗')
  const note = effect === 'payments' ? paint.dim(`  away ${paymentFailures} times, as intended`) : ''
  return ` ${mark} ${effect.padEnd(24)}${String(calls).padStart(10)}${String(done).padStart(8)}${note}`
}
