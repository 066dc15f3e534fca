import * as z from 'zod'
import { severalOf } from '#src/list.ts'
import { operation } from '#src/operation.ts'

export const changeKinds = [
  'execution.started',
  'execution.waiting',
  'execution.suspended',
  'execution.resumed',
  'execution.ended',
  'approval.opened',
  'approval.decided',
  'trigger.paused',
  'notification',
  'workflow.published',
] as const

export type ChangeKind = (typeof changeKinds)[number]

const stream = operation({
  id: 'changes.stream',
  method: 'GET',
  path: '/api/v1/stream',
  summary: 'Watch an account live',
  description:
    'Server-sent events about what happens in the account: executions that start, wait, are suspended or resumed, and end; approvals that are opened and decided; triggers that are paused; the own notifications; published versions. The data of an event has the ids and the new state, and no values of executions. The first event is `ready`: with `resumed: false`, read again what you show. A stream requested with the last `id` as `Last-Event-ID` within 15 minutes, from any process, continues after it without gaps or repetitions. An event is sent once all transactions that began before its own have ended, usually within half a second. Only kinds that the scopes of the credential allow are sent. A comment is sent after 15 seconds without an event. The server closes a stream after 15 minutes, or after `seconds`; within seconds after its session or key is revoked; when it shuts down; and when the client does not read.',
  stability: 'beta',
  auth: { scope: 'account:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  media: 'text/event-stream',
  requestHeaders: ['Last-Event-ID'],
  query: z.strictObject({
    kinds: severalOf(changeKinds, 'Kinds of events, separated by commas; every kind that the credential allows unless given.').optional(),
    lastEventId: z.string().max(100).optional().describe('Replaces the header `Last-Event-ID`, for clients that cannot send it.'),
    seconds: z.coerce.number<number>().int().min(1).max(900).default(900).describe('After which the server closes the stream.'),
  }),
  reply: z.string().meta({
    examples: [
      'event: execution.ended\nid: 7421-19-1700000000000\ndata: {"at":"2026-01-31T09:30:00.000Z","id":"exec_01h455vb4pex5vsknk084sn02q","state":"completed"}\n\n',
    ],
  }),
  errors: ['too_many_streams', 'overloaded'],
})

/** What happens in the account, live. */
export const changes = { stream } as const
