import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'
import { guestSource, loadModule } from './guest.ts'
import type { ScriptLimits } from './limits.ts'
import type { ScriptOutcome, ScriptRun } from './messages.ts'

/** JS_EVAL_FLAG_ASYNC of quickjs.h: a classic script in which `await` may stand, and which gives a promise of its last value. */
const CLASSIC = 128
const FILE = 'script.js'
const JOBS_AT_A_TIME = 1_000
/** An error in a full heap has to be described all the same. */
const REPORT_BYTES = 1024 * 1024
/** The message of Node.js when no work is left and the module still waits. */
const UNSETTLED = { code: 13, text: 'Warning: Detected unsettled top-level await\n' }

export interface EvaluateDeps {
  readonly limits: ScriptLimits
  readonly endsAtMs: number
  readonly processorMs: () => number
  /** Whether the memory of the instance has grown as far as a script may fill it. */
  readonly isFull: () => boolean
}

interface Run {
  readonly context: QuickJSContext
  readonly output: OutputBuffer
  /** Why the script is to be stopped, once it is. */
  stop: { readonly kind: 'exit'; readonly code: number } | { readonly kind: 'limit'; readonly limit: 'time' | 'output' } | undefined
}

interface Ending {
  readonly describe: QuickJSHandle
  readonly exitCode: QuickJSHandle
}

/** Runs a script to its end in a fresh runtime. Throws what the WebAssembly instance throws; it is of no use after that. */
export function evaluate(runtime: QuickJSRuntime, { code: program, ...input }: ScriptRun, deps: EvaluateDeps): ScriptOutcome {
  const context = runtime.newContext()
  const run: Run = { context, output: createOutputBuffer(deps.limits.outputBytes), stop: undefined }
  runtime.setInterruptHandler(() => isStopped(run, deps))
  runtime.setModuleLoader(loadModule)
  const ending = installGuest(run, JSON.stringify(input), deps.limits)
  if (ending === undefined) return { kind: 'limit', limit: run.stop?.kind === 'limit' ? run.stop.limit : 'memory' }
  const error = runToEnd(runtime, run, deps, program)
  if (error === 'unsettled' && run.stop === undefined) {
    run.output.write('stderr', UNSETTLED.text)
    return exited(run, UNSETTLED.code)
  }
  if (typeof error === 'object' && run.stop === undefined) return uncaught(runtime, run, deps, ending, error)
  const code = run.stop === undefined ? readExitCode(run, ending) : 0
  return stopped(run) ?? exited(run, code)
}

/** @returns the error that ended the script, if one did. */
function runToEnd(runtime: QuickJSRuntime, run: Run, deps: EvaluateDeps, code: string): QuickJSHandle | 'unsettled' | undefined {
  const { context } = run
  // A classic script says that it cannot be one before anything of it has run; what it raises when it runs is in its promise.
  const classic = context.evalCode(code, FILE, CLASSIC)
  const result = classic.error === undefined ? classic : context.evalCode(code, FILE, { type: 'module' })
  if (result.error !== undefined) return result.error
  while (!isStopped(run, deps) && runtime.hasPendingJob()) {
    const jobs = runtime.executePendingJobs(JOBS_AT_A_TIME)
    if (jobs.error !== undefined) return jobs.error
  }
  if (run.stop !== undefined) return undefined
  const settled = context.getPromiseState(result.value)
  if (settled.type === 'pending') return 'unsettled'
  if (settled.type === 'rejected') return settled.error
  if (classic.error !== undefined) return undefined
  // The last value of a script that ends with `main()` is a promise, which has no other user.
  const last = context.getPromiseState(context.getProp(settled.value, 'value'))
  return last.type === 'rejected' ? last.error : undefined
}

function stopped(run: Run): ScriptOutcome | undefined {
  return run.stop?.kind === 'exit' ? exited(run, run.stop.code) : run.stop
}

function isStopped(run: Run, { endsAtMs, processorMs }: EvaluateDeps): boolean {
  if (run.stop === undefined && processorMs() > endsAtMs) run.stop = { kind: 'limit', limit: 'time' }
  return run.stop !== undefined
}

/** @returns undefined when there is no room even for what every script has. */
function installGuest(run: Run, input: string, limits: ScriptLimits): Ending | undefined {
  const { context } = run
  const program = context.evalCode(guestSource, 'millrace.js')
  if (program.error !== undefined) return undefined
  const ending = context.callFunction(program.value, context.undefined, ...hostFunctions(run, limits), context.newString(input))
  if (ending.error !== undefined) return undefined
  return { describe: context.getProp(ending.value, 'describe'), exitCode: context.getProp(ending.value, 'exitCode') }
}

/** The two functions of the host. They accept only numbers and texts of a bounded length, whatever the script passes. */
function hostFunctions(run: Run, { outputBytes }: ScriptLimits): readonly QuickJSHandle[] {
  const { context } = run
  const write = context.newFunction('write', (descriptor, text) => {
    if (run.stop !== undefined) return context.false
    const written = readText(context, text, outputBytes)
    const isWritten = written !== undefined && run.output.write(context.getNumber(descriptor) === 2 ? 'stderr' : 'stdout', written)
    if (!isWritten) run.stop = { kind: 'limit', limit: 'output' }
    return isWritten ? context.true : context.false
  })
  const exit = context.newFunction('exit', (code) => {
    run.stop ??= { kind: 'exit', code: exitStatus(context.getNumber(code)) }
  })
  return [write, exit]
}

/** A text that came as JSON, made well-formed. @returns undefined when it is not a text, or longer than all permitted output. */
function readText(context: QuickJSContext, handle: QuickJSHandle | undefined, bytesMax: number): string | undefined {
  if (handle === undefined || context.typeof(handle) !== 'string') return undefined
  // JSON writes at most six characters for one.
  if (context.getNumber(context.getProp(handle, 'length')) > 6 * bytesMax + 2) return undefined
  try {
    const text: unknown = JSON.parse(context.getString(handle))
    return typeof text === 'string' ? text.toWellFormed() : undefined
  } catch {
    return undefined
  }
}

function uncaught(runtime: QuickJSRuntime, run: Run, deps: EvaluateDeps, { describe }: Ending, error: QuickJSHandle): ScriptOutcome {
  const { context } = run
  runtime.setMemoryLimit(deps.limits.memoryBytes + REPORT_BYTES)
  const described = context.callFunction(describe, context.undefined, error)
  if (run.stop?.kind === 'limit') return run.stop
  const text = described.error === undefined ? readText(context, described.value, REPORT_BYTES) : undefined
  // QuickJS throws null where there is no room for an error.
  const isFull = text === undefined || /^Uncaught null$/m.test(text) ? deps.isFull() : false
  if (isFull || text?.startsWith('Uncaught InternalError: out of memory') === true) return { kind: 'limit', limit: 'memory' }
  if (!run.output.write('stderr', text ?? 'Uncaught error that cannot be described\n')) return { kind: 'limit', limit: 'output' }
  return exited(run, 1)
}

function readExitCode({ context }: Run, { exitCode }: Ending): number {
  const code = context.callFunction(exitCode, context.undefined)
  return code.error === undefined ? exitStatus(context.getNumber(code.value)) : 1
}

/** A status as a process has it: eight bits. What is no whole number is a mistake, and so no success. */
function exitStatus(code: number): number {
  return Number.isInteger(code) ? code & 255 : 1
}

function exited({ output }: Run, code: number): ScriptOutcome {
  return { kind: 'exited', code, stdout: output.stdout(), stderr: output.stderr() }
}

export interface OutputBuffer {
  /** @returns false when the text does not fit any more; nothing of it is kept then. */
  readonly write: (descriptor: 'stdout' | 'stderr', text: string) => boolean
  readonly stdout: () => string
  readonly stderr: () => string
}

/** Collects the output of a script, up to a number of bytes for both streams together. */
export function createOutputBuffer(bytesMax: number): OutputBuffer {
  const texts = { stdout: '', stderr: '' }
  let bytes = 0
  return {
    write(descriptor, text) {
      const size = Buffer.byteLength(text)
      if (bytes + size > bytesMax) return false
      bytes += size
      texts[descriptor] += text
      return true
    },
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
  }
}
