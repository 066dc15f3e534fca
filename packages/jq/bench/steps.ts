import { compile, JqError, JqLimitError, type Json } from '#src/index.ts'
import stepCases from './step-cases.json' with { type: 'json' }
import { stepInputs } from './step-inputs.ts'

/** 5,000,000 steps in at most about 3 seconds. */
const microsecondsPerStepMax = 0.6
/** Shorter runs say nothing about the price of a step. */
const shortRunMs = 8
/** As long as an interruption may keep waiting. */
const silenceMsMax = 16

/** Milliseconds that this thread was at work, so that other processes do not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e3
}

interface Measured {
  readonly ms: number
  readonly steps: number
  /** The longest time between two looks at the clock. */
  readonly silenceMs: number
  readonly outcome: string
}

/** One run of a program; the clock of its deadline shows how long it is silent. */
function measure(program: string, input: () => Json): Measured {
  let last = 0
  let silenceMs = 0
  const elapsed = (): number => {
    const now = cpuMs()
    silenceMs = Math.max(silenceMs, now - last)
    last = now
    return now
  }
  const limits = { steps: 5_000_000, deadlineMs: 6_000 }
  const compiled = compile(program, { clock: () => 0, elapsed, limits })
  const value = input()
  const start = cpuMs()
  last = start
  let outcome = 'done'
  try {
    compiled.each(value, () => false)
  } catch (error) {
    if (error instanceof JqLimitError) outcome = error.limit
    else if (error instanceof JqError) outcome = 'error'
    else throw error
  }
  const ms = elapsed() - start
  return { ms, steps: compiled.steps(), silenceMs, outcome }
}

interface Verdict extends Measured {
  readonly program: string
  readonly price: number
  readonly isDear: boolean
  readonly isSilent: boolean
}

function judge(program: string, input: () => Json): Verdict {
  const first = measure(program, input)
  // What took long for other reasons does not do so again.
  const second = first.ms > shortRunMs ? measure(program, input) : first
  const ms = Math.min(first.ms, second.ms)
  const silenceMs = Math.min(first.silenceMs, second.silenceMs)
  const price = (ms * 1e3) / Math.max(first.steps, 1)
  const isDear = ms > shortRunMs && price > microsecondsPerStepMax
  return { ...first, program, ms, silenceMs, price, isDear, isSilent: silenceMs > silenceMsMax }
}

function line({ program, price, ms, steps, silenceMs, outcome, isDear, isSilent }: Verdict): string {
  const flags = `${isDear ? 'DEAR' : '    '} ${isSilent ? 'SILENT' : '      '}`
  return `${flags} ${price.toFixed(2)} us/step, ${ms.toFixed(1)} ms, ${steps} steps, silent for ${silenceMs.toFixed(1)} ms, ${outcome}: ${program}\n`
}

const [wanted = ''] = process.argv.slice(2)
let count = 0
let dear = 0
for (const [name, programs] of Object.entries(stepCases)) {
  const input = stepInputs[name]
  if (input === undefined) throw new Error(`There is no input ${name}`)
  for (const program of programs.filter((text) => text.includes(wanted))) {
    const verdict = judge(program, input)
    count++
    if (verdict.isDear) dear++
    if (verdict.isDear || verdict.isSilent || wanted !== '') process.stdout.write(line(verdict))
  }
}
process.stdout.write(`${dear} of ${count} programs take more than ${microsecondsPerStepMax} us for a step\n`)
process.exitCode = dear > 0 ? 1 : 0
