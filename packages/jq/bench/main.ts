import jqjs from '@michaelhomer/jqjs'
import { loadJq } from 'jq-wasm'
import { compile } from '#src/index.ts'
import type { Json } from '#src/values/value.ts'
import { benchCases, type BenchCase } from './cases.ts'

/** Contenders take turns in rounds, so that whatever else the machine does falls on all of them; each sample is short. */
const rounds = 40
const sampleMs = 4

/** What a call gives goes here, so that no call can be left out. */
let keep: unknown

/** How many calls fill a sample, found after the code has been optimised. */
function calibrate(call: () => unknown): number {
  let calls = 1
  for (
    let warm = 0;
    warm < 200;
    calls = Math.max(1, Math.round(calls * Math.min(10, sampleMs / Math.max(sample(call, calls) / 1e6, 0.001))))
  ) {
    warm += 10
  }
  return calls
}

/** Nanoseconds of so many calls. */
function sample(call: () => unknown, calls: number): number {
  const start = performance.now()
  for (let round = 0; round < calls; round++) keep = call()
  return (performance.now() - start) * 1e6
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
}

interface Race {
  readonly ours: number
  readonly hand: number
  readonly peer: number
  /** Medians of the ratios within a round. */
  readonly overHand: number
  readonly overPeer: number
}

/** Nanoseconds for one call of each contender. */
function race(ours: () => unknown, hand: () => unknown, peer: () => unknown): Race {
  const contenders = [ours, hand, peer].map((call) => ({ call, calls: calibrate(call) }))
  const times = Array.from({ length: rounds }, () => contenders.map(({ call, calls }) => sample(call, calls) / calls))
  const column = (at: number): number[] => times.map((row) => row[at] ?? Number.NaN)
  const ratio = (over: number, under: number): number => median(times.map((row) => (row[over] ?? Number.NaN) / (row[under] ?? Number.NaN)))
  return { ours: median(column(0)), hand: median(column(1)), peer: median(column(2)), overHand: ratio(0, 1), overPeer: ratio(2, 0) }
}

async function measure(item: BenchCase): Promise<boolean> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the inputs of the cases are JSON.
  const input = item.input as Json
  const program = compile(item.program)
  const filter = jqjs.compile(item.program)
  const { ours, hand, peer, overHand, overPeer } = race(
    () => program.first(input),
    () => item.byHand(item.input),
    () => [...filter(item.input)],
  )
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
    ['against jqjs', overPeer, 'at least 1', overPeer >= 1],
    ['time over handwritten', overHand, `at most ${item.overHand}`, overHand <= item.overHand],
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

/** Many small programs, as a validator compiles them. */
const sources = Array.from({ length: 500 }, (_none, at) => benchCases[at % benchCases.length]?.program ?? '.')
const compiling = (): unknown => sources.map((source) => compile(source.replace('.a', `.a${sources.length}`)))
calibrate(compiling)
process.stdout.write(`500 compiles: ${median(Array.from({ length: 20 }, () => sample(compiling, 1) / 1e6)).toFixed(2)} ms\n`)
