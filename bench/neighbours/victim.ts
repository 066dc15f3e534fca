import { setTimeout as pause } from 'node:timers/promises'
import { type Api, isGood, readText, type Reply } from './api.ts'

/** The operations of another account during the attack. */
export const victimActs = ['run', 'read', 'list', 'event', 'script'] as const
export type VictimAct = (typeof victimActs)[number]

/** The interval of each operation. */
export const everyMs: Readonly<Record<VictimAct, number>> = { run: 40, read: 50, list: 100, event: 250, script: 250 }

export interface Victim {
  /** Performs it once, and resolves with its response and duration. */
  readonly acts: Readonly<Record<VictimAct, () => Promise<Reply>>>
}

const fiveSets = {
  do: Array.from({ length: 5 }, (_, n) => ({ [`set${n}`]: { set: { n: '${ (.n // 0) + 1 }', text: '${ "\\(.text // "")!" }' } } })),
}
const correlate = { order: { from: '.data.order', expect: '${ .order }' } }
const hears = {
  do: [{ hear: { listen: { to: { one: { with: { type: 'com.victim.paid' }, correlate } } } } }],
}
const script = {
  do: [{ add: { run: { script: { language: 'js', code: 'let n = 0; for (let i = 0; i < 1000; i++) n += i; n' } } } }],
}

let created = 0

export async function openVictim(api: Api): Promise<Victim> {
  const ids = { fiveSets: await create(api, fiveSets), hears: await create(api, hears), script: await create(api, script) }
  const first = await api.call({ method: 'POST', path: `/workflows/${ids.fiveSets}/execute`, body: {}, headers: { prefer: 'wait=30' } })
  const execution = String(readText(first, 'id'))
  const run = (id: string, input: unknown) => api.call({ method: 'POST', path: `/execute/${id}/run`, body: { input } })
  let orders = 0
  return {
    acts: {
      run: () => run(ids.fiveSets, { n: 1 }),
      read: () => api.call({ path: `/workflows/executions/${execution}` }),
      list: () => api.call({ path: '/workflows?limit=20' }),
      script: () => run(ids.script, {}),
      event: async () => {
        const order = `${ids.hears}-${orders++}`
        const answered = run(ids.hears, { order })
        // By then the execution listens, unless the server is late; an earlier event is kept for it.
        await pause(30)
        const startedAt = performance.now()
        const event = { specversion: '1.0', id: order, source: '/victim', type: 'com.victim.paid', data: { order } }
        const published = await api.call({ method: 'POST', path: '/events', body: event, type: 'application/cloudevents+json' })
        const reply = isGood(published) ? await answered : published
        return { ...reply, ms: performance.now() - startedAt }
      },
    },
  }
}

/** Names are new each time, as the account may exist from before a restart. */
async function create(api: Api, tasks: Readonly<Record<string, unknown>>): Promise<string> {
  const document = { dsl: '1.0.3', namespace: 'victim', name: `victim-${created++}`, version: '1.0.0' }
  const reply = await api.call({ method: 'POST', path: '/workflows', body: { definition: { document, ...tasks } } })
  if (!isGood(reply)) throw new Error(`the victim's workflow was answered ${reply.status}: ${reply.text.slice(0, 500)}`)
  return String(readText(reply, 'id'))
}
