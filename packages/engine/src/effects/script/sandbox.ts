import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import { evaluate } from './evaluate.ts'
import type { ScriptLimits } from './limits.ts'
import type { ScriptOutcome, ScriptRun } from './messages.ts'
import { quickjs } from './quickjs.ts'

const PAGE_BYTES = 64 * 1024
const INITIAL_PAGES = 256
/** Beside the heap of the script: the machine's own data and stack, and texts on their way in and out. */
const MACHINERY_BYTES = 64 * 1024 * 1024

export interface SandboxDeps {
  readonly wasm: WebAssembly.Module
  readonly limits: ScriptLimits
  /** Milliseconds that this thread has worked. */
  readonly processorMs: () => number
}

/**
 * Runs scripts in QuickJS, each in an instance of its own, so that none finds memory that another has written.
 *
 * An instance costs a millisecond. It is left to the garbage collector as it stands: what hostile code was in cannot be trusted to be orderly.
 */
export function createSandbox({ wasm, limits, processorMs }: SandboxDeps): (run: ScriptRun) => Promise<ScriptOutcome> {
  return async (run) => {
    const maximum = INITIAL_PAGES + Math.ceil((limits.memoryBytes + MACHINERY_BYTES) / PAGE_BYTES)
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
    const machine = await newQuickJSWASMModuleFromVariant(newVariant(quickjs, { wasmModule: wasm, wasmMemory: memory }))
    const runtime = machine.newRuntime()
    runtime.setMemoryLimit(limits.memoryBytes)
    runtime.setMaxStackSize(limits.stackBytes)
    const isFull = () => memory.buffer.byteLength >= limits.memoryBytes
    try {
      return evaluate(runtime, run, { limits, endsAtMs: processorMs() + limits.timeoutMs, processorMs, isFull })
    } catch (error) {
      if (error instanceof RangeError) return { kind: 'limit', limit: 'stack' }
      return isFull() ? { kind: 'limit', limit: 'memory' } : { kind: 'crashed', reason: String(error) }
    }
  }
}
