import jqjs from '@michaelhomer/jqjs'
import { loadJq } from 'jq-wasm'
import { compile } from '#src/index.ts'
import type { Json } from '#src/values/value.ts'
import { benchCases, type BenchCase } from './cases.ts'

const sampleMs = 120
const samples = 5

/** Nanoseconds for one call, the best of several samples: whatever disturbs a measurement only makes it slower. */
function nanoseconds(call: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  let rounds = 1
  for (let sample = 0; sample < samples; sample++) {
    for (;;) {
      const start = performance.now()
      for (let round = 0; round < rounds; round++) keep = call()
      const elapsed = performance.now() - start
      if (elapsed >= sampleMs) {
        best = Math.min(best, (elapsed * 1e6) / rounds)
        break
      }
      rounds = Math.ceil(rounds * Math.min(10, Math.max(1.5, sampleMs / Math.max(elapsed, 0.01))))
    }
  }
  return best
}

/** What a call gives goes here, so that no call can be left out. */
let keep: unknown

async function measure(item: BenchCase): Promise<boolean> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the inputs of the cases are JSON.
  const input = item.input as Json
  const program = compile(item.program)
  const ours = nanoseconds(() => program.first(input))
  const hand = nanoseconds(() => item.byHand(item.input))
  const filter = jqjs.compile(item.program)
  const peer = nanoseconds(() => [...filter(item.input)])
  const handle = await loadJq()
  let calls = 0
  const text = JSON.stringify(item.input)
  // An instance dies of too many calls; forty are enough for a time that is a thousand times longer than ours.
  const start = performance.now()
  while (calls < 40) {
    keep = handle.json(JSON.parse(text), item.program)
    calls++
  }
  const wasm = ((performance.now() - start) * 1e6) / calls
  const rows = [
    ['against jq-wasm', wasm / ours, `at least ${item.overWasm}`, wasm / ours >= item.overWasm],
    ['against jqjs', peer / ours, 'at least 1', peer / ours >= 1],
    ['time over handwritten', ours / hand, `at most ${item.overHand}`, ours / hand <= item.overHand],
  ] as const
  process.stdout.write(
    `${item.name}: ${ours.toFixed(1)} ns, by hand ${hand.toFixed(1)} ns, jqjs ${peer.toFixed(0)} ns, jq-wasm ${wasm.toFixed(0)} ns\n`,
  )
  for (const [what, ratio, bar, met] of rows) process.stdout.write(`  ${met ? 'ok  ' : 'MISS'} ${what}: ${ratio.toFixed(2)} (${bar})\n`)
  return rows.every(([, , , met]) => met)
}

let met = true
// One after the other, so that no measurement disturbs another.
for (const item of benchCases) met = (await measure(item)) && met
process.exitCode = keep !== undefined && met ? 0 : 1
