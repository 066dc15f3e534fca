import { createHash } from 'node:crypto'
import { Fault, type JsonValue } from '@millrace/contract'
import type { Workflows } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Tx } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import {
  countRecording,
  findByToken,
  findListed,
  findSession,
  insertEvents,
  insertSession,
  lockSession,
  markStopped,
  markStopping,
  readEvents,
} from './capture-store.ts'
import { draftOf } from './draft/draft-of.ts'
import { type CapturedEvent, type CaptureSession, type DraftSummary, eventsMax, sessionsMax, type StoredEvent } from './model.ts'
import { changedElements, maskEvents } from './read/mask.ts'
import { readRecording } from './read/read-recording.ts'
import { readRrweb } from './read/read-rrweb.ts'

export interface CapturesDeps {
  readonly database: Pick<Database, 'account' | 'system'>
  readonly workflows: Pick<Workflows, 'prepareCreate' | 'create'>
  readonly now: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
}

/** Events in one of the three forms. */
export interface GivenEvents {
  readonly events: readonly CapturedEvent[] | undefined
  readonly recording: JsonValue | undefined
  readonly rrweb: readonly JsonValue[] | undefined
  readonly firstSequence: number
}

export interface AddedEvents {
  readonly accepted: number
  readonly known: number
  readonly ignored: number
  readonly lastSequence: number | undefined
}

export interface StoppedSession {
  readonly session: CaptureSession
  readonly workflowId: string
  readonly draft: DraftSummary
}

export type Captures = ReturnType<typeof createCaptures>

const dayMs = 24 * 60 * 60 * 1000
const tokenBytes = 32
const none: ReadonlyMap<number, boolean> = new Map()

/** Captures what people do in browsers, and makes drafts of it. */
export function createCaptures(deps: CapturesDeps) {
  const { database, workflows } = deps
  const nowDate = () => new Date(deps.now())

  async function start(tx: Tx, accountId: string, given: { readonly name: string; readonly maskInputs: boolean }, actor: string) {
    if ((await countRecording(tx, accountId, nowDate())) >= sessionsMax)
      throw new Fault('conflict', { detail: `The account captures in ${sessionsMax} sessions already. Stop those that are not needed.` })
    const id = deps.newId()
    const token = Buffer.from(deps.randomBytes(tokenBytes)).toString('base64url')
    const at = nowDate()
    await insertSession(tx, accountId, { id, ...given, tokenHash: hashOf(token), at, by: actor, expiresAt: new Date(at.getTime() + dayMs) })
    return { session: await get(tx, accountId, id), token }
  }

  async function add(tx: Tx, accountId: string, id: string, given: GivenEvents): Promise<AddedEvents> {
    const read = await readGiven(given, nowDate().toISOString())
    const session = await lock(tx, accountId, id)
    if (session.state !== 'recording') throw new Fault('conflict', { detail: 'The session was stopped. Start another one.' })
    if (session.expiresAt <= nowDate()) throw new Fault('conflict', { detail: 'The session has expired. Start another one.' })
    const meant = read.filter((event) => event !== undefined)
    const { maskInputs: masks } = session
    const listed = masks ? none : await findListed(tx, accountId, id, changedElements(meant))
    const accepted = await insertEvents(tx, accountId, id, maskEvents(meant, { masks, listed }))
    const { events, lastSequence } = await get(tx, accountId, id)
    // Counted afterwards: those of a repeated request are known.
    if (events > eventsMax)
      throw new Fault('conflict', { detail: `A session has ${eventsMax} events at most. Stop it, and capture the rest in another one.` })
    return { accepted, known: meant.length - accepted, ignored: read.length - meant.length, lastSequence }
  }

  /**
   * Ends the session first, so that the draft has all of its events; a stop that was interrupted is continued by the next one. A session without any step
   * does not end, since its first ones may still be on their way.
   */
  async function stop(accountId: string, id: string, actor: string): Promise<StoppedSession> {
    const { session, drafted } = await database.account(accountId, async (tx) => {
      const locked = await lock(tx, accountId, id)
      if (locked.state === 'stopped') return { session: locked, drafted: undefined }
      const events = await readEvents(tx, accountId, id, { after: 0, limit: eventsMax })
      const made = draftOf({ sessionId: toTypeId('cap', id), name: locked.name, events })
      if (locked.state === 'recording') await markStopping(tx, accountId, id)
      return { session: locked, drafted: made }
    })
    if (drafted === undefined) return stoppedOf(session)
    const { definition, summary } = drafted
    const given = { definition, name: session.name, description: 'Captured in a browser.', tags: ['captured'], publish: false }
    const prepared = await workflows.prepareCreate(accountId, given)
    return database.account(accountId, async (tx) => {
      const latest = await lock(tx, accountId, id)
      if (latest.state === 'stopped') return stoppedOf(latest)
      const workflow = await workflows.create(tx, accountId, given, prepared, { actor })
      await markStopped(tx, accountId, { id, workflowId: workflow.id, draft: summary, at: nowDate() })
      return stoppedOf(await get(tx, accountId, id))
    })
  }

  return {
    start,
    add,
    stop,
    get,

    async read(tx: Tx, accountId: string, id: string, page: { readonly after: number; readonly limit: number }) {
      const session = await get(tx, accountId, id)
      return { session, events: await readEvents(tx, accountId, id, page) }
    },

    /** The session of a recorder's token; undefined for an unknown one. */
    bySecret: (token: string) => findByToken(database.system, hashOf(token)),

    /** Makes a draft of events that are known at once, as those of a video. */
    async ofEvents(
      accountId: string,
      given: { readonly name: string; readonly maskInputs: boolean },
      events: readonly StoredEvent[],
      actor: string,
    ) {
      draftOf({ sessionId: '', name: given.name, events })
      const session = await database.account(accountId, async (tx) => {
        const started = await start(tx, accountId, given, actor)
        await insertEvents(tx, accountId, started.session.id, maskEvents(events, { masks: given.maskInputs, listed: none }))
        return started.session
      })
      return stop(accountId, session.id, actor)
    },
  }
}

async function get(tx: Tx, accountId: string, id: string): Promise<CaptureSession> {
  return found(await findSession(tx, accountId, id))
}

async function lock(tx: Tx, accountId: string, id: string): Promise<CaptureSession> {
  return found(await lockSession(tx, accountId, id))
}

function found(session: CaptureSession | undefined): CaptureSession {
  if (session === undefined) throw new Fault('not_found', { detail: 'There is no such capture session.' })
  return session
}

function stoppedOf(session: CaptureSession): StoppedSession {
  const { workflowId, draft } = session
  if (workflowId === undefined || draft === undefined) throw new Error(`the session ${session.id} was stopped and has no draft`)
  return { session, workflowId, draft }
}

function readGiven({ events, recording, rrweb, firstSequence }: GivenEvents, at: string) {
  const forms = { events, recording, rrweb }
  const [first, second] = Object.entries(forms).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (first === undefined) throw invalid('', 'Needs one of events, recording and rrweb.')
  if (second !== undefined) throw invalid(`/${second}`, `Cannot be sent together with ${first}.`)
  if (rrweb !== undefined) return readRrweb(rrweb, firstSequence)
  if (recording !== undefined) return readRecording(recording, firstSequence, at)
  for (const [index, event] of (events ?? []).entries())
    if (event.kind === 'request' && event.request === undefined)
      throw invalid(`/events/${index}/request`, 'Is required by the kind request.')
  return events ?? []
}

const invalid = (pointer: string, detail: string) => new Fault('request_invalid', { errors: [{ pointer, detail }] })

const hashOf = (token: string) => createHash('sha256').update(token).digest()
