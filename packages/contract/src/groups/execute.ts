import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { operation } from '#src/operation.ts'
import { VersionNumber } from '#src/version-number.ts'

const run = operation({
  id: 'execute.run',
  method: 'POST',
  path: '/api/v1/execute/{id}/run',
  summary: 'Run a workflow and answer with its output',
  description:
    'Starts an execution, waits for its end, and answers with its output and nothing else; a workflow that answers by `call: respond` is answered with that, at once, and goes on. Waits for 60 seconds, or for N with `Prefer: wait=N` (at most 300); an execution that takes longer goes on, and the answer is a 409 that names it.',
  stability: 'stable',
  auth: { scope: 'executions:run' },
  role: 'member',
  rateLimit: 'execution',
  // A start leaves no row in the audit log: the row of the execution says who started what and when, and a second write would halve the speed.
  audit: 'none',
  idempotency: 'execution',
  transaction: 'own',
  requestHeaders: ['Prefer'],
  replyHeaders: ['Location', 'Preference-Applied'],
  params: z.object({ id: typeId('wf') }),
  body: z.strictObject({
    input: JsonValue.optional().describe('Input of the execution; an empty object unless given.'),
    version: VersionNumber.optional().describe('Published version to run; the latest unless given.'),
  }),
  reply: JsonValue,
  errors: [
    'workflow_not_published',
    'workflow_disabled',
    'input_invalid',
    'execution_faulted',
    'execution_cancelled',
    'execution_unfinished',
    'quota_exceeded',
    'overloaded',
  ],
})

/** Running a workflow like a function. */
export const execute = { run } as const
