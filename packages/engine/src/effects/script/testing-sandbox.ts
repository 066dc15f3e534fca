import type { ScriptLimits } from './limits.ts'
import { defaultScriptLimits } from './limits.ts'
import type { ScriptOutcome, ScriptRun } from './messages.ts'
import { compileQuickjs } from './quickjs.ts'
import { createSandbox } from './sandbox.ts'

let wasm: ReturnType<typeof compileQuickjs> | undefined

/** The sandbox in this thread, whose stack is smaller than a worker's: so is the script's. */
const limitsHere = { ...defaultScriptLimits, stackBytes: 48 * 1024, timeoutMs: 3_000 }

export async function runHere(code: string, given: Partial<ScriptRun> = {}, limits: Partial<ScriptLimits> = {}): Promise<ScriptOutcome> {
  wasm ??= compileQuickjs()
  const sandbox = createSandbox({ wasm: await wasm, limits: { ...limitsHere, ...limits }, processorMs: () => performance.now() })
  return sandbox({ code, stdin: '', arguments: [], environment: {}, ...given })
}

/** What a script writes to standard output; fails when it does not end well. */
export async function outputOf(code: string, given: Partial<ScriptRun> = {}): Promise<string> {
  const outcome = await runHere(code, given)
  if (outcome.kind === 'exited' && outcome.code === 0) return outcome.stdout
  throw new Error(`The script did not end well: ${JSON.stringify(outcome)}`)
}
