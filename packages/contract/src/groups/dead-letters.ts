import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'

/** The largest number of dead letters that one request replays. */
export const replaysMax = 100

const Kind = z
  .enum(['execution', 'event_delivery'])
  .describe(
    '`execution`: an execution that crashed too many processes. `event_delivery`: an event that could not be delivered to a subscription.',
  )

const filters = {
  kind: Kind.optional(),
  workflow: typeId('wf').optional().describe('Only executions of this workflow.'),
  from: Timestamp.optional().describe('Created at this time or later.'),
  to: Timestamp.optional().describe('Created before this time.'),
} as const

const Letter = z
  .object({
    id: typeId('dlt'),
    kind: Kind,
    reason: z.string().describe('Why it is not retried any more.'),
    attempts: z.int(),
    executionId: typeId('exec').nullable(),
    workflowId: typeId('wf').nullable(),
    subscriptionId: typeId('evsub').nullable(),
    deliveryId: typeId('dlv').nullable(),
    createdAt: z.iso.datetime().describe('When its last attempt failed.'),
    replayedAt: z.iso.datetime().nullable(),
    replayedBy: z.string().nullable().describe('Who replayed it, as `kind:id`.'),
    replayedAs: typeId('exec').nullable().describe('The execution that continues it.'),
  })
  .meta({ id: 'DeadLetter' })

const LetterWithPayload = Letter.extend({
  payload: JsonValue.meta({ description: 'The complete work: the input of the execution, or the event and its destination.' }),
}).meta({ id: 'DeadLetterWithPayload' })

const base = { stability: 'beta', rateLimit: 'default' } as const
const byId = z.object({ id: typeId('dlt') })

const list = operation({
  ...base,
  id: 'queue.deadLetters',
  method: 'GET',
  path: '/api/v1/queue/dead-letter',
  summary: 'List the dead letters',
  description:
    'Work that is not retried any more. It is kept for 90 days, complete, so that it can be repaired and replayed. An item matches all given filters.',
  auth: { scope: 'queue:read' },
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject({
    ...listQuery,
    ...filters,
    replayed: z.enum(['true', 'false']).optional().describe('Only replayed ones, or only those that were not replayed.'),
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
    'An execution continues from where it failed, as a new execution; `patch` changes its input first (JSON merge patch, RFC 7396). A delivery is sent again with the same `webhook-id` and as many attempts as a new one. A dead letter is replayed once: a second replay is a 409 that names the execution.',
  audit: 'dead_letter.replayed',
  params: byId,
  body: z.strictObject({ patch: JsonValue.optional().describe('JSON merge patch of the input; for executions only.') }),
  reply: Letter,
  errors: [
    'dead_letter_replayed',
    'conflict',
    'input_invalid',
    'personal_data_blocked',
    'quota_exceeded',
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
  description: `Replays the dead letters that match the filter and were not replayed, oldest first, at most ${replaysMax} in a request, and returns the result of each. Send \`nextCursor\` as \`cursor\` to continue.`,
  audit: 'dead_letter.replayed_all',
  body: z.strictObject({
    filter: z.strictObject(filters).default({}).describe('A dead letter matches all given filters; all dead letters unless given.'),
    cursor: z.string().min(1).max(512).optional().describe('`nextCursor` of the previous response.'),
    except: z.array(typeId('dlt')).max(1000).default([]).describe('Dead letters to leave out.'),
  }),
  reply: z.object({
    items: z.array(
      z.object({
        id: typeId('dlt'),
        replayed: z.boolean(),
        replayedAs: typeId('exec').nullable(),
        code: z.string().nullable().describe('Error code, if it was not replayed.'),
        detail: z.string().nullable(),
      }),
    ),
    nextCursor: z.string().nullable().describe('Null when there are no more.'),
  }),
  errors: [],
})

/** Work that was abandoned after its last attempt, and its replay. */
export const deadLetters = { list, get, replay, replayAll } as const
