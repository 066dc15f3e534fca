import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Api, type Call, createAddresses, createApi, isGood, readText, type Reply } from './api.ts'
import { type Attacker, documentHead, type Send } from './attack.ts'
import { attacks } from './catalogue.ts'
import { serveHelper } from './helper.ts'
import { type Settled, settle } from './settle.ts'

export interface Assailed {
  /** Number of responses by status; 0 is no response. */
  readonly statuses: Readonly<Record<string, number>>
  /** Number of requests, including those without a response at the end of the attack. */
  readonly sent: number
}

const lanesUsual = 8
/** Minimum time between the requests of a lane: the bench measures the cost of single requests for others, not the capacity of the machine. */
const paceMs = 100
/** Pause after a rejection by a rate limit, or without a server. */
const backOffMs = 200
const prepareMs = 40_000
/** Preparation uses other addresses than the attack, so that no rate limit applies. */
const patient = createAddresses(2, 8)
const aborted = { status: 0, ms: 0, text: 'aborted' }

let attackNumber = 0
let address = '192.0.2.1'
let preparing = false
let over = new AbortController()
let send: Send | undefined
let lanes = lanesUsual
const started = new Set<string>()
let apis: { readonly key: Api; readonly person: Api } | undefined

const addressOf = () => (preparing ? patient() : address)

const handlers = {
  open: ({ url, token, session }: { readonly url: string; readonly token: string; readonly session: string }): void => {
    apis = { key: createApi(url, token, addressOf), person: createApi(url, session, addressOf) }
  },
  prepare: async ({ name }: { readonly name: string }): Promise<void> => {
    const attack = attacks.find((one) => one.name === name)
    if (attack === undefined) throw new Error(`there is no attack called ${name}`)
    attackNumber += 1
    address = `192.0.${2 + Math.floor(attackNumber / 250)}.${(attackNumber % 250) + 1}`
    started.clear()
    over = new AbortController()
    // Every open request listens to this signal.
    setMaxListeners(0, over.signal)
    preparing = true
    lanes = attack.lanes ?? lanesUsual
    send = undefined
    send = await Promise.race([attack.open(attackerOf(over.signal)), pause(prepareMs, undefined, { ref: false })])
    preparing = false
    if (send === undefined) throw new Error(`${name} was not prepared within ${prepareMs} ms`)
  },
  assail: async ({ ms }: { readonly ms: number }): Promise<Assailed> => {
    const statuses: Record<string, number> = {}
    const act = send
    if (act === undefined) return { statuses, sent: 0 }
    const endsAt = performance.now() + ms
    let n = 0
    const lane = async () => {
      while (performance.now() < endsAt) {
        const startedAt = performance.now()
        const reply = await Promise.race([act(n++), pause(Math.max(0, endsAt - performance.now()), aborted)])
        if (reply === aborted) return
        statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
        const unwanted = reply.status === 429 || reply.status === 0
        await pause(Math.max(0, unwanted ? backOffMs : startedAt + paceMs - performance.now()))
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return { statuses, sent: n }
  },
  /** Closes the connections, and waits for the end of all started executions. */
  settle: async ({ ms }: { readonly ms: number }): Promise<Settled> => {
    over.abort()
    if (apis === undefined) throw new Error('there is no server')
    preparing = true
    return await settle(apis.key, started, ms)
  },
}

export type AttackerHandlers = typeof handlers

serveHelper(handlers)

function attackerOf(signal: AbortSignal): Attacker {
  let definitions = 0
  const by = (kind: 'key' | 'person', call: Call): Promise<Reply> =>
    apis === undefined ? Promise.resolve(aborted) : apis[kind].call({ signal, ...call })
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    by('key', { method: 'POST', path, body, headers })
  return {
    call: (call) => by('key', call),
    asPerson: (call) => by('person', call),
    define: async (definition) => {
      const document = documentHead(`attack-${attackNumber}-${definitions++}`)
      const whole = typeof definition === 'string' ? definition : { document, ...Object(definition) }
      const reply = await post('/workflows', { definition: whole })
      return isGood(reply) ? readText(reply, 'id') : undefined
    },
    start: (id, input) => {
      started.add(id)
      return post(`/workflows/${id}/execute`, input === undefined ? {} : { input })
    },
    run: (id, input) => {
      started.add(id)
      return post(`/execute/${id}/run`, input === undefined ? {} : { input }, { prefer: 'wait=2' })
    },
  }
}
