import * as z from 'zod'
import { deadlineActions } from '#src/groups/deadline-actions.ts'
import { typeId } from '#src/ids.ts'
import { JsonObject, JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { ShownFile } from '#src/shown-file.ts'

const ApprovalState = z
  .enum(['open', 'approved', 'rejected', 'expired', 'closed'])
  .describe(
    '`expired`: the deadline decided. `closed`: there was no decision, because the task was cancelled, timed out or lost to another branch.',
  )

const Decision = z.enum(['approve', 'reject'])

const ApprovalAnswer = z
  .object({
    by: z.string().describe('Mail address of who answered.'),
    user: typeId('usr').optional().describe('Absent for an approver without an account.'),
    name: z.string().optional(),
    role: z.string().optional().describe('The role that made the user an approver, if any.'),
    decision: Decision,
    reason: z.string().optional(),
    data: JsonValue.optional().describe('The data of the form.'),
    at: z.iso.datetime(),
    via: z.enum(['api', 'link']),
  })
  .meta({ id: 'ApprovalAnswer' })

const ApprovalSummary = z
  .object({
    id: typeId('apr'),
    executionId: typeId('exec'),
    position: z.string().describe('Position in the execution.'),
    title: z.string(),
    state: ApprovalState,
    openedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    deadlineAt: z.iso.datetime().nullable(),
    onDeadline: z
      .enum(deadlineActions)
      .nullable()
      .describe(
        'What happens without a decision at the deadline: it counts as approved or rejected, or the task fails. Null without a deadline.',
      ),
  })
  .meta({ id: 'ApprovalSummary' })

const ListedApproval = ApprovalSummary.extend({
  workflowId: typeId('wf').nullable().optional().describe('The workflow of the execution; null once the execution is gone.'),
  workflowName: z.string().nullable().optional().describe('Null for a workflow that was deleted for good.'),
  executionCreatedAt: z.iso.datetime().optional().describe('Absent once the execution is gone.'),
  labels: z.record(z.string(), z.string()).optional().describe('The labels of the execution, by name. Absent if it has none.'),
}).meta({ id: 'ListedApproval' })

const Approval = ApprovalSummary.extend({
  description: z.string().nullable().describe('Markdown.'),
  details: JsonValue.optional().describe('Data to decide by.'),
  files: z
    .array(ShownFile)
    .optional()
    .describe('The files that `details` names and that belong to the execution, up to 100; `approvals.file` reads one.'),
  form: JsonObject.nullable().describe('JSON Schema of the form that an approver fills in.'),
  approvers: z.array(z.string()).describe('The current approvers: mail addresses, ids of users, roles as `role:admin`.'),
  escalations: z
    .array(
      z.object({
        at: z.iso.datetime(),
        approvers: z.array(z.string()).describe('Who is asked from then on; as `approvers`.'),
        notify: z.array(z.string()).describe('Mail addresses that get a notice.'),
      }),
    )
    .optional()
    .describe(
      'What happens before the deadline while there is no decision, in chronological order; also what has happened. Absent without an escalation.',
    ),
  required: z.union([z.int(), z.literal('all')]).describe('How many approvals are required; `all`: of every approver.'),
  reasonFor: z.array(Decision).describe('Decisions that need a reason.'),
  excludeStarter: z.boolean().describe('Whether the user who started the execution is not allowed to answer.'),
  answers: z.array(ApprovalAnswer).describe('In the order of their arrival.'),
  mayDecide: z.boolean().optional().describe('Whether the caller, as a user, can still answer it.'),
  obstacle: z
    .enum(['no_one', 'too_few'])
    .optional()
    .describe(
      'Why people cannot approve it. `no_one`: no person who may decide now can be reached. `too_few`: fewer people can approve than are required, those of later escalations included. Absent if they can.',
    ),
  mails: z
    .array(
      z.object({
        to: z.string(),
        kind: z.enum(['link', 'notice']).describe('`link`: a request to answer. `notice`: information only.'),
        state: z.enum(['pending', 'sent', 'failed', 'dropped']).describe('`dropped`: no longer needed.'),
        attempts: z.int(),
        sentAt: z.iso.datetime().nullable(),
        failure: z.string().nullable().describe('Why the last attempt failed.'),
      }),
    )
    .describe('What was sent to whom.'),
}).meta({ id: 'Approval' })

const LinkedApproval = z
  .object({
    title: z.string(),
    description: z.string().nullable().describe('Markdown; null once it has ended or this approver has answered.'),
    details: JsonValue.optional().describe('Data for the decision; absent once it has ended or this approver has answered.'),
    files: z
      .array(ShownFile)
      .optional()
      .describe('The files that `details` names and that belong to the execution, up to 100; `approvals.linkedFile` reads one.'),
    form: JsonObject.nullable().describe('JSON Schema of the form.'),
    reasonFor: z.array(Decision).describe('Decisions that need a reason.'),
    state: ApprovalState,
    openedAt: z.iso.datetime(),
    deadlineAt: z.iso.datetime().nullable(),
    email: z.string().describe('Who is asked by this link.'),
    answer: ApprovalAnswer.nullable().describe('The answer of this approver; null without one.'),
  })
  .meta({ id: 'LinkedApproval' })

const AnswerBody = z.strictObject({
  decision: Decision,
  reason: z.string().trim().min(1).max(5000).optional().describe('Required for the decisions in `reasonFor`.'),
  data: JsonValue.optional().describe('What `form` asks for.'),
})

// Decisions stay small: all answers together become the output of a task.
const bodyLimit = 64 * 1024

const list = operation({
  id: 'approvals.list',
  method: 'GET',
  path: '/api/v1/approvals',
  summary: 'List the approvals that wait for you',
  description:
    'Open approvals that ask the caller, who has not answered; with another `state`, those that asked the caller or that the caller has answered. `for=all` lists those of all users, `for=unassigned` open ones that no person can answer any more, and `onlyBy` open ones that one user alone can still answer; these are for administrators.',
  stability: 'stable',
  auth: { scope: 'approvals:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject({
    ...listQuery,
    state: ApprovalState.default('open'),
    for: z.enum(['me', 'all', 'unassigned']).default('me'),
    onlyBy: typeId('usr').optional().describe('Only open approvals that no person but this user can answer.'),
  }),
  reply: listPage(ListedApproval),
  errors: ['insufficient_role'],
})

const ofExecution = operation({
  id: 'approvals.ofExecution',
  method: 'GET',
  path: '/api/v1/workflows/executions/{executionId}/approvals',
  summary: 'List the approvals of an execution',
  description: 'Open and ended ones, each with its answers and the state of its mails.',
  stability: 'stable',
  auth: { scope: 'approvals:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  params: z.object({ executionId: typeId('exec') }),
  query: z.strictObject({ ...listQuery, state: ApprovalState.optional() }),
  reply: listPage(Approval),
  errors: [],
})

const answer = operation({
  id: 'approvals.answer',
  method: 'POST',
  path: '/api/v1/workflows/executions/{executionId}/approvals/{approvalId}',
  summary: 'Approve or reject',
  description:
    'Answers as the signed-in user; an answer is final. It is durable when the server responds, as is the decision that it leads to. API keys cannot call this: approvals are given by people.',
  stability: 'stable',
  auth: { scope: 'approvals:decide' },
  rateLimit: 'default',
  audit: 'approval.answered',
  idempotency: 'keyed',
  bodyLimit,
  params: z.object({ executionId: typeId('exec'), approvalId: typeId('apr') }),
  body: AnswerBody,
  reply: Approval,
  errors: ['forbidden', 'approval_answered', 'approval_decided', 'approval_closed', 'answer_invalid'],
})

const reassign = operation({
  id: 'approvals.reassign',
  method: 'POST',
  path: '/api/v1/workflows/executions/{executionId}/approvals/{approvalId}/reassign',
  summary: 'Let another user answer an approval',
  description:
    'The user becomes an approver in place of `from`, or without it of all approvers for whom no person can answer any more, such as users who were removed. The user is notified and gets a mail; answers that were given stay. Only a user with the role of a role entry, or a stronger one, may replace it, and no user may take the place of an approver who can still answer. API keys cannot call this.',
  stability: 'beta',
  auth: { scope: 'approvals:decide' },
  role: 'admin',
  rateLimit: 'default',
  audit: 'approval.reassigned',
  idempotency: 'keyed',
  params: z.object({ executionId: typeId('exec'), approvalId: typeId('apr') }),
  body: z.strictObject({
    to: typeId('usr'),
    from: z.string().min(1).max(400).optional().describe('An entry of `approvers` of the approval.'),
  }),
  reply: Approval,
  errors: ['forbidden', 'approval_decided', 'approval_closed', 'conflict'],
})

const fileReply = {
  requestHeaders: ['Range', 'If-Range'],
  replyHeaders: ['Accept-Ranges', 'ETag'],
  stability: 'beta',
  rateLimit: 'default',
  audit: 'file.opened',
  idempotency: 'natural',
  media: '*/*',
  reply: z.string().describe('The bytes of the file, with its own media type. Only pictures are shown by browsers, all else is saved.'),
} as const

const file = operation({
  ...fileReply,
  id: 'approvals.file',
  method: 'GET',
  path: '/api/v1/workflows/executions/{executionId}/approvals/{approvalId}/files/{fileId}',
  summary: 'Download a file that an approval names',
  description: 'One of `files` of the approval; any other file is a 404.',
  auth: { scope: 'approvals:read' },
  params: z.object({ executionId: typeId('exec'), approvalId: typeId('apr'), fileId: typeId('file') }),
  errors: [],
})

const params = z.object({ token: z.string().max(100).describe('Out of the link in the mail.') })

const show = operation({
  id: 'approvals.show',
  method: 'GET',
  path: '/api/v1/approvals/{token}',
  summary: 'Show what a link asks',
  description:
    'Has no effect, however often it is called: programs that scan mails follow links. 404 also once the recipient was removed or is no approver any more.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'auth',
  audit: 'none',
  idempotency: 'natural',
  params,
  reply: LinkedApproval,
  errors: [],
})

const answerByLink = operation({
  id: 'approvals.answerByLink',
  method: 'POST',
  path: '/api/v1/approvals/{token}',
  summary: 'Approve or reject by a link',
  description: 'Answers as the recipient of the link. A link works once: a second use is a 409 with the answer.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'auth',
  audit: 'approval.answered',
  idempotency: 'keyed',
  bodyLimit,
  params,
  body: AnswerBody,
  reply: LinkedApproval,
  errors: ['forbidden', 'approval_answered', 'approval_decided', 'approval_closed', 'answer_invalid'],
})

const linkedFile = operation({
  ...fileReply,
  id: 'approvals.linkedFile',
  method: 'GET',
  path: '/api/v1/approvals/{token}/files/{fileId}',
  summary: 'Download a file that an approval names, by its link',
  description:
    'One of `files` that the link shows. It ends as they do: once this approver has answered, or the approval has ended, it is a 404.',
  auth: 'public',
  params: params.extend({ fileId: typeId('file') }),
  errors: ['not_found'],
})

/** Questions of waiting tasks to people, and their answers. */
export const approvals = { list, ofExecution, answer, reassign, file, show, answerByLink, linkedFile } as const
