import { setTimeout as pause } from 'node:timers/promises'
import { createAddresses, createApi, isGood, readText, type Reply } from './api.ts'
import { serveHelper } from './helper.ts'
import { type Sample, type Series, summarize } from './series.ts'
import { everyMs, openVictim, type Victim, type VictimAct } from './victim.ts'

export interface Measuring {
  readonly ms: number
  /** Time for open requests after the end. */
  readonly graceMs: number
  readonly acts: readonly VictimAct[]
}

export interface Measured {
  readonly health: Series
  /** The same for the control. */
  readonly control: Series
  readonly victim: Readonly<Partial<Record<VictimAct, Series>>>
}

const healthEveryMs = 25
/** Enough for the victim's operations of a minute with the default limits. */
const requestsOfAddress = 20
const addresses = createAddresses(1, requestsOfAddress)
let open: { readonly victim: Victim; readonly health: () => Promise<Reply>; readonly control: () => Promise<Reply> } | undefined

const handlers = {
  open: async ({
    url,
    token,
    controlUrl,
  }: {
    readonly url: string
    readonly token: string
    readonly controlUrl: string
  }): Promise<void> => {
    const outside = createApi(url, undefined, addresses)
    const control = createApi(controlUrl, undefined, addresses)
    open = {
      victim: await openVictim(createApi(url, token, addresses)),
      health: () => outside.call({ path: '/health' }),
      control: () => control.call({ path: '/' }),
    }
  },
  measure: async ({ ms, graceMs, acts }: Measuring): Promise<Measured> => {
    if (open === undefined) throw new Error('nothing to measure')
    const { victim, health, control } = open
    const window = { endsAt: performance.now() + ms, graceMs }
    const [ofHealth, ofControl, ...ofActs] = await Promise.all([
      askAgainAndAgain(health, healthEveryMs, window),
      askAgainAndAgain(control, healthEveryMs, window),
      ...acts.map((act) => askAgainAndAgain(victim.acts[act], everyMs[act], window)),
    ])
    return { health: ofHealth, control: ofControl, victim: Object.fromEntries(acts.map((act, index) => [act, ofActs[index]])) }
  },
}

export type ObserverHandlers = typeof handlers

serveHelper(handlers)

interface Window {
  readonly endsAt: number
  readonly graceMs: number
}

async function askAgainAndAgain(ask: () => Promise<Reply>, every: number, { endsAt, graceMs }: Window): Promise<Series> {
  const samples: Sample[] = []
  for (let due = performance.now(); due < endsAt; due = Math.max(due + every, performance.now())) {
    await pause(Math.max(0, due - performance.now()))
    samples.push(await sampleOf(ask, endsAt + graceMs))
  }
  return summarize(samples, every)
}

/** A request without a response at the deadline has taken at least that long, and counts as failed. */
async function sampleOf(ask: () => Promise<Reply>, deadline: number): Promise<Sample> {
  const startedAt = performance.now()
  const late = new AbortController()
  const lateReply = pause(Math.max(0, deadline - startedAt), undefined, { signal: late.signal }).then(
    () => undefined,
    () => undefined,
  )
  const reply = await Promise.race([ask(), lateReply])
  late.abort()
  if (reply === undefined) return { ms: performance.now() - startedAt, failure: 'unanswered' }
  if (isGood(reply)) return { ms: reply.ms }
  return {
    ms: reply.ms,
    failure: `${reply.status} ${['title', 'detail'].map((name) => readText(reply, name) ?? '').join(': ')}`.slice(0, 120),
  }
}
