import { parseDefinition } from '@millrace/dsl'
import { outlineOf, type OutlineState } from '@millrace/dsl/outline'
import { parseDocument } from 'yaml'
import { rehearse, rehearseParsed } from '#src/rehearse/rehearse.ts'

const rounds = 25

/** Times of what the editor computes of a text, in this process: the outline from scratch and after one edit, and a rehearsal, beside the parser alone. */
export async function measureText(text: string, print: (line: string) => void): Promise<void> {
  const state: { before: OutlineState } = { before: { text, syntax: 'yaml', outline: outlineOf(text, 'yaml') } }
  const pins = new Map([...state.before.outline.places.values()].map(({ pointer }) => [pointer, { name: 'a', total: 7 }] as const))
  const options = { input: { id: 7 }, pins, startedAtMs: 0, elapsed: () => performance.now() }
  print(`yaml alone: ${timesOf(() => parseDocument(text, { keepSourceTokens: true }))}`)
  print(`outline from scratch: ${timesOf(() => outlineOf(text, 'yaml'))}`)
  print(`outline after one edit: ${timesOf(edit)}`)
  const parsed = parseDefinition(text, { format: 'yaml' })
  print(`rehearsal: ${timesOf(() => rehearseParsed(parsed, options))}`)
  print(
    `rehearsal with reading and checks: ${timesOf(() => rehearse(text, 'yaml', options))}, ends as ${rehearse(text, 'yaml', options)?.end}`,
  )

  function edit(round: number): void {
    const changed = state.before.text.replace(/(- price20: \{ set: \{ id: )\d+/, `$1${round + 100}`)
    state.before = { text: changed, syntax: 'yaml', outline: outlineOf(changed, 'yaml', state.before) }
  }
}

function timesOf(act: (round: number) => unknown): string {
  for (let round = 0; round < 5; round++) act(round)
  const found = Array.from({ length: rounds }, (_, round) => {
    const began = performance.now()
    act(round)
    return performance.now() - began
  }).toSorted((one, other) => one - other)
  return `median ${found[Math.floor(rounds / 2)]?.toFixed(1)} ms, fastest ${found[0]?.toFixed(1)} ms, slowest ${found.at(-1)?.toFixed(1)} ms`
}
