import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { VersionNumber } from '#src/version-number.ts'
import { definitionBytesMax, Diagnostic, PublishRequest, Syntax } from './workflow-schemas.ts'

const byId = z.object({ id: typeId('wf') })

const save = operation({
  id: 'workflowDrafts.save',
  method: 'PUT',
  path: '/api/v1/workflows/{id}/draft',
  summary: 'Save the text of a draft',
  description:
    'Takes any text, also one that is not valid or not well formed, so that an editor loses nothing. A valid text becomes the draft. An invalid one is kept beside the last valid draft, and cannot be published. With `If-Match`, a concurrent change is a 409. Not audited, since editors save often.',
  stability: 'beta',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  bodyLimit: 2 * definitionBytesMax,
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byId,
  body: z.strictObject({
    text: z.string().max(definitionBytesMax).describe('Kept as it is written.'),
    syntax: Syntax.default('yaml'),
  }),
  reply: z.object({
    revision: z.int().describe('Also in `ETag`.'),
    valid: z.boolean(),
    diagnostics: z.array(Diagnostic).describe('Errors and warnings, in the order of the text.'),
  }),
  errors: ['workflow_name_taken'],
})

const versions = operation({
  id: 'workflowDrafts.versions',
  method: 'GET',
  path: '/api/v1/workflows/{id}/versions',
  summary: 'List the versions of a workflow',
  description: 'Read one with `GET /api/v1/workflows/{id}?version=`; `POST …/draft/restore` makes it the draft.',
  stability: 'beta',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  params: byId,
  query: z.strictObject(listQuery),
  reply: listPage(
    z
      .object({
        number: z.int(),
        documentVersion: z.string().describe('`document.version` of its definition.'),
        note: z.string().nullable().describe('What changed, as given when it was published.'),
        restores: z
          .int()
          .nullable()
          .describe('The last earlier version with the same definition, which this one restored; null for a new definition.'),
        publishedAt: z.iso.datetime(),
        publishedBy: z.string().describe('Who published it, such as `user:usr_…`.'),
      })
      .meta({ id: 'WorkflowVersion' }),
  ),
  errors: [],
})

const restore = operation({
  id: 'workflowDrafts.restore',
  method: 'POST',
  path: '/api/v1/workflows/{id}/draft/restore',
  summary: 'Restore a version as the draft',
  description:
    'The definition of the version becomes the draft, in place of the one before. It runs once it is published. With `If-Match`, a concurrent change is a 409.',
  stability: 'beta',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.restored',
  idempotency: 'keyed',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byId,
  body: z.strictObject({
    version: VersionNumber.meta({ examples: [3] }).describe('The number of the version.'),
  }),
  reply: z.object({ revision: z.int().describe('Also in `ETag`.') }),
  errors: ['workflow_name_taken'],
})

const askToPublish = operation({
  id: 'workflowDrafts.askToPublish',
  method: 'POST',
  path: '/api/v1/workflows/{id}/publish-request',
  summary: 'Ask for the publication of a draft',
  description:
    'Notifies the administrators and owners of the account. The request is in `publishing` of the workflow until a version is published. The same draft is asked for once: a repetition returns the request and sends no notification.',
  stability: 'beta',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.publish_requested',
  idempotency: 'keyed',
  params: byId,
  body: z.strictObject({ note: z.string().trim().max(2000).optional().describe('What changed, and why.') }).optional(),
  reply: PublishRequest,
  errors: ['conflict'],
})

const publishRequests = operation({
  id: 'workflowDrafts.publishRequests',
  method: 'GET',
  path: '/api/v1/workflow-publish-requests',
  summary: 'List the requests to publish a draft',
  description: 'Those that are open in the account, the newest first, 100 at most.',
  stability: 'beta',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  reply: z.object({
    data: z.array(z.object({ workflowId: typeId('wf'), workflowName: z.string(), request: PublishRequest })),
  }),
  errors: [],
})

const declinePublishRequest = operation({
  id: 'workflowDrafts.declinePublishRequest',
  method: 'POST',
  path: '/api/v1/workflows/{id}/publish-request/decline',
  summary: 'Decline or withdraw a request to publish a draft',
  description:
    'Ends the request; the draft stays as it is. Those who may publish decline it, and the person who asked is notified with the note. That person withdraws it. `not_found` without a request.',
  stability: 'beta',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.publish_declined',
  idempotency: 'keyed',
  params: byId,
  body: z.strictObject({ note: z.string().trim().max(2000).optional().describe('Why, or what is missing.') }).optional(),
  reply: z.object({ workflowId: typeId('wf'), declined: z.literal(true) }),
  errors: ['forbidden'],
})

/** Drafts as an editor saves them, with requests to publish them, and the versions that were published. */
export const workflowDrafts = { save, versions, restore, askToPublish, publishRequests, declinePublishRequest } as const
