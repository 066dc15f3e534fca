import { createAddresses, createApi, isGood, read, readText } from './api.ts'
import type { Attack } from './attack.ts'
import type { AttackerHandlers } from './attacker.ts'
import { startHelper } from './helper.ts'
import type { ControlHandlers } from './control.ts'
import type { AttackOutcome, TerminationOutcome } from './verdict.ts'
import type { ObserverHandlers } from './observer.ts'
import { type AttackedServer, startAttackedServer } from './server.ts'
import { type VictimAct, victimActs } from './victim.ts'

export interface StageOptions {
  readonly limits: 'delivered' | 'raised'
  readonly quietMs: number
  readonly attackMs: number
  /** Time for open requests at the end of an attack. */
  readonly graceMs: number
  readonly settleMs: number
  readonly shutdownSeconds: number
}

/** A server with two accounts, one of which attacks. The clients of each and the control are separate processes. */
export interface Stage extends AsyncDisposable {
  attack(attack: Attack): Promise<AttackOutcome>
  /** SIGTERM during the attack, and a restart with the same data. */
  terminateDuring(attack: Attack): Promise<TerminationOutcome>
}

/** Clients choose their address, so that the victim's requests stay within the rate limits. */
const trusting = { MILLRACE_TRUST_PROXY: '127.0.0.1' }
const free = '100000000/60'
const raised = { MILLRACE_RATE_LIMIT_GLOBAL: free, MILLRACE_RATE_LIMIT_AUTH: free, MILLRACE_RATE_LIMIT_EXECUTION: free }
const usual: readonly VictimAct[] = victimActs.filter((act) => act !== 'script')
const niceness = 5
/** In addition to the server's own deadline: PostgreSQL must stop as well. */
const stopGraceMs = 5_000
const deadLettersMs = 5_000

export function openStage(options: StageOptions): Stage {
  let set: Promise<Scene> | undefined
  const scene = () => (set ??= openScene(options))
  const clear = async () => {
    const old = await set?.catch(() => undefined)
    set = undefined
    await old?.close()
  }
  return {
    async attack(attack) {
      const outcome = await (await scene()).attack(attack)
      // A damaged server must not distort the next attack.
      if (isHurt(outcome)) await clear()
      return outcome
    },
    async terminateDuring(attack) {
      try {
        return await (await scene()).terminateDuring(attack)
      } finally {
        await clear()
      }
    },
    [Symbol.asyncDispose]: clear,
  }
}

function isHurt({ died, deadLetters, settled, under, quiet }: AttackOutcome): boolean {
  const failed = Object.values(under.victim).some((series) => series.failed > 0)
  return died || failed || deadLetters > 0 || settled.left !== 0 || under.health.p50 > 10 * quiet.health.p50 || under.health.max > 1_000
}

interface Scene {
  attack(attack: Attack): Promise<AttackOutcome>
  terminateDuring(attack: Attack): Promise<TerminationOutcome>
  close(): Promise<void>
}

async function openScene(options: StageOptions): Promise<Scene> {
  await using opening = new AsyncDisposableStack()
  const shutdown = { MILLRACE_SHUTDOWN_SECONDS: String(options.shutdownSeconds) }
  const server = await startAttackedServer({ ...trusting, ...shutdown, ...(options.limits === 'raised' ? raised : {}) })
  opening.defer(() => server.remove())
  const [victim, assailant] = [await register(server.url, 'victim'), await register(server.url, 'attacker')]
  const control = startHelper<ControlHandlers>('control.ts')
  opening.defer(() => control.stop())
  const observer = startHelper<ObserverHandlers>('observer.ts')
  opening.defer(() => observer.stop())
  const attacker = startHelper<AttackerHandlers>('attacker.ts', niceness)
  opening.defer(() => attacker.stop())
  const controlUrl = await control.ask('listen', undefined)
  const openClients = async () => {
    await observer.ask('open', { url: server.url, token: victim.key, controlUrl })
    await attacker.ask('open', { url: server.url, token: assailant.key, session: assailant.session })
  }
  await openClients()
  const measureQuiet = (acts: readonly VictimAct[]) => observer.ask('measure', { ms: options.quietMs, graceMs: 1_000, acts })
  // Warm-up of compilers and caches, including those of the clients.
  await measureQuiet(victimActs)
  const quiet = await measureQuiet(victimActs)
  const failure = victimActs.map((act) => quiet.victim[act]?.failures[0]).find((one) => one !== undefined)
  if (failure !== undefined) throw new Error(`the victim fails without an attack: ${failure}`)
  const moved = opening.move()

  async function attack(one: Attack): Promise<AttackOutcome> {
    const acts = one.aimsAt === undefined ? usual : [...usual, one.aimsAt]
    const { attackMs: ms, graceMs } = options
    const prepared = await attacker.ask('prepare', { name: one.name }).then(() => undefined, messageOf)
    const [under, assailed] = await Promise.all([observer.ask('measure', { ms, graceMs, acts }), attacker.ask('assail', { ms })])
    const settled = await attacker.ask('settle', { ms: options.settleMs })
    const deadLetters = server.isUp() ? await countDeadLetters(server, [victim.key, assailant.key]) : 0
    return { attack: one, unprepared: prepared, quiet, under, assailed, settled, deadLetters, died: !server.isUp() }
  }

  async function terminateDuring(one: Attack): Promise<TerminationOutcome> {
    await attacker.ask('prepare', { name: one.name })
    const assailing = attacker.ask('assail', { ms: options.attackMs })
    await observer.ask('measure', { ms: Math.min(2_000, options.attackMs / 2), graceMs: 0, acts: [] })
    const ending = await server.terminate(options.shutdownSeconds * 1000 + stopGraceMs)
    await assailing
    const startedAt = performance.now()
    await server.start()
    const restartMs = performance.now() - startedAt
    await openClients()
    const afterwards = await observer.ask('measure', { ms: options.attackMs, graceMs: options.graceMs, acts: usual })
    return { ending, restartMs, quiet, afterwards }
  }

  return { attack, terminateDuring, close: () => moved.disposeAsync() }
}

async function register(url: string, name: string): Promise<{ readonly key: string; readonly session: string }> {
  const addresses = createAddresses(3, 5)
  const api = createApi(url, undefined, addresses)
  const person = { email: `${name}@example.org`, password: 'plum tractor eleven moons', accountName: name }
  const registered = await api.call({ method: 'POST', path: '/auth/register', body: person })
  const session = String(readText(registered, 'accessToken'))
  const scopes = ['workflows:read', 'workflows:write', 'executions:read', 'executions:run', 'executions:control', 'approvals:read']
  const more = ['events:read', 'events:write', 'events:subscribe', 'queue:read', 'queue:write']
  const body = { name, scopes: [...scopes, ...more] }
  const signed = createApi(url, session, addresses)
  const issued = await signed.call({ method: 'POST', path: '/api-keys', body })
  if (!isGood(issued)) throw new Error(`no key for ${name}: ${registered.status}, ${issued.status} ${issued.text}`)
  api.close()
  signed.close()
  return { key: String(readText(issued, 'secret')), session }
}

async function countDeadLetters({ url }: AttackedServer, keys: readonly string[]): Promise<number> {
  let count = 0
  for (const key of keys) {
    const api = createApi(url, key, createAddresses(4, 5), deadLettersMs)
    const data = read(await api.call({ path: '/queue/dead-letter?limit=100' }), 'data')
    count += Array.isArray(data) ? data.length : 0
    api.close()
  }
  return count
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
