import { spawn } from 'node:child_process'
import { text as readAll } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describeLoad, describeMachine } from './machine.ts'
import { spread } from './spread.ts'

/**
 * `node bench/compare.ts OTHER [seconds] [rounds] [pairs]`: `npm run bench` of the checkout at OTHER and of this one in turns, and row by row how this
 * one compares, as the median of the pairs with the least and the most. A machine's bad minute hits both of a pair, or shows in the spread.
 * Compare a checkout with itself to know what differences are noise.
 */
const [other = '', seconds = '3', rounds = '3', pairs = '3'] = process.argv.slice(2)
const here = fileURLToPath(new URL('..', import.meta.url))

/** A row by its name: its median, and whether more is better. */
type Rows = ReadonlyMap<string, { readonly figure: number; readonly isRate: boolean }>

if (other === '') throw new Error('say which checkout to compare with: node bench/compare.ts /path/to/other [seconds] [rounds] [pairs]')
process.stdout.write(`${describeMachine()}\n${other} and ${here} in turns, ${pairs} pairs of ${rounds} rounds of ${seconds} s\n`)
const runs: { readonly theirs: Rows; readonly ours: Rows }[] = []
for (let pair = 0; pair < Number(pairs); pair++) {
  // Who is first changes, so that a machine that grows warm favours neither.
  if (pair % 2 === 0) {
    const theirs = await bench(other)
    runs.push({ theirs, ours: await bench(here) })
  } else {
    const ours = await bench(here)
    runs.push({ theirs: await bench(other), ours })
  }
  process.stdout.write(`pair ${pair + 1} of ${pairs} done, ${describeLoad()}\n`)
}

process.stdout.write(
  `\n${'row'.padEnd(80)} ${'other'.padStart(10)} ${'this'.padStart(10)}   this to other (least to most); above 1 is better\n`,
)
for (const [name, { isRate }] of runs[0]?.ours ?? []) {
  const both = runs.flatMap(({ theirs, ours }) => {
    const [before, now] = [theirs.get(name)?.figure, ours.get(name)?.figure]
    return before === undefined || now === undefined ? [] : [{ before, now, ratio: isRate ? now / before : before / now }]
  })
  if (both.length === 0) continue
  const ratio = spread(both.map((one) => one.ratio))
  const [before, now] = [spread(both.map((one) => one.before)).median, spread(both.map((one) => one.now)).median]
  const verdict = ratio.max < 0.97 ? '  slower in every pair' : ratio.median < 0.97 ? '  slower by the median' : ''
  const shown = `${ratio.median.toFixed(3)} (${ratio.min.toFixed(3)} to ${ratio.max.toFixed(3)})`
  process.stdout.write(`${name.padEnd(80)} ${show(before, isRate)} ${show(now, isRate)}   ${shown}${verdict}\n`)
}

function show(figure: number, isRate: boolean): string {
  return (isRate ? `${Math.round(figure)}/s` : `${figure.toFixed(2)} ms`).padStart(10)
}

/** What `npm run bench` prints of a checkout, by the code of that checkout. */
async function bench(folder: string): Promise<Rows> {
  const child = spawn('npm', ['run', '-s', 'bench', '--', seconds, rounds], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const text = await readAll(child.stdout)
  const code = await ended
  if (code !== 0) throw new Error(`the bench of ${folder} ended with ${code}:\n${text}`)
  const rows = new Map<string, { figure: number; isRate: boolean }>()
  let last = ''
  for (const line of text.split('\n')) {
    const match = /^(\S.*?) {2,}([\d.]+)(\/s| ms) \(/.exec(line) ?? /^(.*?) ([\d.]+)(\/s| ms) \(/.exec(line)
    if (match === null) continue
    const [, what = '', figure = '', unit] = match
    // Rows that say "the same" are those of the row before.
    const name = what.startsWith('the same') ? `${last}: ${what}` : what
    if (!what.startsWith('the same')) last = what.split(',')[0] ?? what
    rows.set(name, { figure: Number(figure), isRate: unit === '/s' })
  }
  return rows
}
