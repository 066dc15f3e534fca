import { readText } from './api.ts'
import { again, type Attack, type Attacker, sets } from './attack.ts'

const twoSeconds = '("a" * 100000) | [match("a.*b|a"; "g")] | length'
const waitMs = 20_000

/** Reading an execution's timeline repeats its computations. */
async function executed(attacker: Attacker, tasks: readonly unknown[]): Promise<string> {
  const workflow = await attacker.define({ do: tasks })
  const reply = await attacker.start(String(workflow))
  const id = String(readText(reply, 'id'))
  for (const endsAt = performance.now() + waitMs; performance.now() < endsAt; ) {
    const now = await attacker.call({ path: `/workflows/${workflow}/executions?limit=1` })
    if (/"state":"(completed|faulted|cancelled)"/.test(now.text)) break
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return id
}

function reads(tasks: readonly unknown[], query: string): Attack['open'] {
  return async (attacker) => {
    const id = await executed(attacker, tasks)
    return () => attacker.call({ path: `/workflows/executions/${id}${query}` })
  }
}

const computed = again(4, sets(twoSeconds))
const many = [{ each: { for: { each: 'i', in: '${ [range(100000)] }' }, do: [{ act: { set: { n: '${ $i }' } } }] } }]
const large = again(100, sets('"x" * 1000000'))

/** Timelines are computed by replay, not stored: each reading repeats the computations. */
export const timelineAttacks: readonly Attack[] = [
  { name: 'timelines of computed executions', family: 'timelines', open: reads(computed, '') },
  { name: 'one entry of a computed timeline', family: 'timelines', open: reads(computed, '?limit=1') },
  { name: 'streams of computed executions', family: 'timelines', open: reads(computed, '/stream') },
  { name: 'the first page of 100,000 tasks', family: 'timelines', open: reads(many, '?limit=1000') },
  { name: 'one task of 100,000', family: 'timelines', open: reads(many, '?task=%2Fdo%2F0%2Feach&limit=1') },
  { name: 'streams of 100,000 tasks', family: 'timelines', lanes: 4, open: reads(many, '/stream') },
  { name: 'every page of 100,000 tasks', family: 'timelines', open: everyPage },
  { name: 'timelines with values of 1 MB inline', family: 'timelines', open: reads(large, '?values=inline&limit=100') },
  { name: 'retries of computed executions', family: 'timelines', open: retries },
]

async function everyPage(attacker: Attacker): ReturnType<Attack['open']> {
  const id = await executed(attacker, many)
  let cursor: string | undefined
  return async () => {
    const reply = await attacker.call({ path: `/workflows/executions/${id}?limit=1000${cursor === undefined ? '' : `&cursor=${cursor}`}` })
    const next = readText(reply, 'timelineNextCursor')
    cursor = next === undefined ? undefined : encodeURIComponent(next)
    return reply
  }
}

/** Each retry fails again, and the next one retries it. */
async function retries(attacker: Attacker): ReturnType<Attack['open']> {
  const fails = [...again(4, sets(twoSeconds)), { fail: { raise: { error: { type: 'https://x.example/e', status: 500, title: 'no' } } } }]
  let id = await executed(attacker, fails)
  return async () => {
    const reply = await attacker.call({
      method: 'POST',
      path: `/workflows/executions/${id}/retry`,
      body: {},
      headers: { prefer: 'wait=2' },
    })
    id = readText(reply, 'id') ?? id
    return reply
  }
}
