import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'

/** Letters that one request replays at most. */
export const replaysMax = 100

const Kind = z
  .enum(['execution', 'event_delivery'])
  .describe('`execution`: one that kept killing its process. `event_delivery`: an event that a subscription could not be given.')

const filters = {
  kind: Kind.optional(),
  workflow: typeId('wf').optional().describe('Letters of executions of this workflow.'),
  from: Timestamp.optional().describe('Given up at this time or later.'),
  to: Timestamp.optional().describe('Given up before this time.'),
} as const

const Letter = z
  .object({
    id: typeId('dlt'),
    kind: Kind,
    reason: z.string().describe('Why it was given up.'),
    attempts: z.int(),
    executionId: typeId('exec').nullable(),
    workflowId: typeId('wf').nullable(),
    subscriptionId: typeId('evsub').nullable(),
    deliveryId: typeId('dlv').nullable(),
    createdAt: z.iso.datetime().describe('When it was given up.'),
    replayedAt: z.iso.datetime().nullable(),
    replayedBy: z.string().nullable().describe('Who replayed it, as `kind:id`.'),
    replayedAs: typeId('exec').nullable().describe('The execution that goes on from it.'),
  })
  .meta({ id: 'DeadLetter' })

const LetterWithPayload = Letter.extend({
  payload: JsonValue.meta({ description: 'What was to be done, whole: the input of the execution, or the event and where it was to go.' }),
}).meta({ id: 'DeadLetterWithPayload' })

const base = { stability: 'beta', rateLimit: 'default' } as const
const byId = z.object({ id: typeId('dlt') })

const list = operation({
  ...base,
  id: 'queue.deadLetters',
  method: 'GET',
  path: '/api/v1/queue/dead-letter',
  summary: 'List the dead letters',
  description: 'Work that Millrace has given up on, kept whole to be repaired and replayed, for 90 days. All filters given have to hold.',
  auth: { scope: 'queue:read' },
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject({
    ...listQuery,
    ...filters,
    replayed: z.enum(['true', 'false']).optional().describe('Only those that were replayed, or only those that were not.'),
  }),
  reply: listPage(Letter),
  errors: [],
})

const get = operation({
  ...base,
  id: 'queue.deadLetter',
  method: 'GET',
  path: '/api/v1/queue/dead-letter/{id}',
  summary: 'Read a dead letter with its payload',
  auth: { scope: 'queue:read' },
  audit: 'none',
  idempotency: 'natural',
  params: byId,
  reply: LetterWithPayload,
  errors: [],
})

const writes = { ...base, auth: { scope: 'queue:write' }, role: 'member', idempotency: 'keyed', transaction: 'own' } as const

const replay = operation({
  ...writes,
  id: 'queue.replay',
  method: 'POST',
  path: '/api/v1/queue/dead-letter/{id}/replay',
  summary: 'Replay a dead letter',
  description:
    'An execution goes on from where it was given up as a new execution; with `patch`, its input is changed first (JSON merge patch, RFC 7396). A delivery is sent again with the same `webhook-id`, and tried as often as a new one. A letter is replayed once: after that the answer is a 409 that names the execution.',
  audit: 'dead_letter.replayed',
  params: byId,
  body: z.strictObject({ patch: JsonValue.optional().describe('JSON merge patch of the input; for executions only.') }),
  reply: Letter,
  errors: [
    'dead_letter_replayed',
    'conflict',
    'input_invalid',
    'workflow_deleted',
    'workflow_disabled',
    'execution_not_ended',
    'execution_completed',
  ],
})

const replayAll = operation({
  ...writes,
  id: 'queue.replayAll',
  method: 'POST',
  path: '/api/v1/queue/dead-letter/replay',
  summary: 'Replay many dead letters',
  description: `Replays the letters that the filter finds and that were not replayed, oldest first, at most ${replaysMax} in a request, and answers for each. Give \`nextCursor\` as \`cursor\` for the next ones.`,
  audit: 'dead_letter.replayed_all',
  body: z.strictObject({
    filter: z.strictObject(filters).default({}).describe('All that is given has to hold; all letters unless given.'),
    cursor: z.string().min(1).max(512).optional().describe('`nextCursor` of the answer before.'),
    except: z.array(typeId('dlt')).max(1000).default([]).describe('Letters that are left as they are.'),
  }),
  reply: z.object({
    items: z.array(
      z.object({
        id: typeId('dlt'),
        replayed: z.boolean(),
        replayedAs: typeId('exec').nullable(),
        code: z.string().nullable().describe('Why not, as the code of an error.'),
        detail: z.string().nullable(),
      }),
    ),
    nextCursor: z.string().nullable().describe('Null when no letters were left after these.'),
  }),
  errors: [],
})

/** Work that was abandoned after its last attempt, and its replay. */
export const deadLetters = { list, get, replay, replayAll } as const
