import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { ConnectionName } from './connection-schemas.ts'

const folder = z
  .string()
  .max(200)
  .regex(/^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*)?$/, {
    error: 'Must be a folder of the repository, such as workflows, without a slash at either end.',
  })

const members = {
  url: z
    .url({ protocol: /^https?$/, error: 'Must be an address with https or http.' })
    .max(500)
    .meta({ description: 'Of the repository, without credentials.', examples: ['https://git.example.com/shop/workflows.git'] }),
  branch: z
    .string()
    .min(1)
    .max(200)
    // What `git check-ref-format --branch` takes, of these characters.
    .regex(/^(?!HEAD$)(?!.*(?:\.\.|\/[/.]|\.lock(?:\/|$)|[/.]$))[A-Za-z0-9_][A-Za-z0-9_./-]*$/, {
      error:
        'Must be a name that Git allows for a branch, such as release/2026.1, of letters, digits and _ . / -. No part between slashes begins with a dot, ends with .lock or is empty, and the name does not end with a dot.',
    }),
  folder: folder.describe('Where the definitions are: one file each, in YAML or JSON. Empty for the root.'),
  connection: ConnectionName.describe(
    'Credentials, of the kind `basic`, `bearer` or `oauth2`, whose `url` is that of the repository or above it.',
  ),
  pull: z
    .enum(['draft', 'publish'])
    .describe('What a pull makes of changed files: drafts, or published versions. `publish` suits the branch that changes are merged to.'),
  authors: z
    .boolean()
    .describe(
      'Whether commits name who pushed or changed the workflows as author and co-authors, by name and e-mail address. False: the server is the author.',
    ),
  automatic: z.boolean().describe('Pull every five minutes, and with `pull: publish` push what was published here.'),
} as const

const settings = {
  ...members,
  branch: members.branch.default('main'),
  folder: members.folder.default('workflows'),
  connection: members.connection.optional(),
  pull: members.pull.default('draft'),
  authors: members.authors.default(true),
  automatic: members.automatic.default(false),
} as const

const GitRepository = z
  .object({
    id: typeId('repo'),
    ...settings,
    connection: z.string().nullable(),
    commit: z.string().nullable().describe('The commit of the last pull or push.'),
    syncedAt: z.iso.datetime().nullable(),
    problem: z.string().nullable().describe('Why the last pull or push failed.'),
    conflicts: z.array(z.string()).describe('Paths of files that have changed on both sides since they were equal.'),
    files: z.int().describe('Files that are linked to a workflow.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'GitRepository' })

const GitChange = z
  .object({
    path: z.string(),
    workflowId: typeId('wf').nullable(),
    outcome: z
      .enum(['created', 'updated', 'published', 'pushed', 'unchanged', 'conflict', 'invalid', 'removed', 'skipped'])
      .describe('`removed`: the file is gone; the workflow stays. `skipped`: not a regular file, or too large.'),
    detail: z.string().nullable(),
  })
  .meta({ id: 'GitChange' })

const GitResult = z.object({ id: typeId('repo'), commit: z.string().nullable(), changes: z.array(GitChange) }).meta({ id: 'GitResult' })

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const
const path = '/api/v1/git/repositories'
const byId = z.object({ id: typeId('repo') })

const list = operation({
  ...base,
  id: 'git.list',
  method: 'GET',
  path,
  summary: 'List the linked repositories',
  auth: { scope: 'workflows:read' },
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject(listQuery),
  reply: listPage(GitRepository),
})

const create = operation({
  ...base,
  id: 'git.create',
  method: 'POST',
  path,
  summary: 'Link a repository',
  description: 'Nothing is read until the first pull. Link a repository once for each branch that stands for an environment.',
  auth: { scope: 'workflows:write' },
  role: 'admin',
  audit: 'git.linked',
  idempotency: 'keyed',
  body: z.strictObject(settings),
  reply: GitRepository,
  errors: ['conflict'],
})

const update = operation({
  ...base,
  id: 'git.update',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Change a linked repository',
  description:
    'A member that is not given stays as it is. With another `url`, `branch` or `folder`, no file is linked to a workflow until the next pull or push, as after linking anew: files with the same text are linked again, others are conflicts. The workflows stay. Refused while a pull or push is in progress.',
  auth: { scope: 'workflows:write' },
  role: 'admin',
  audit: 'git.updated',
  idempotency: 'natural',
  params: byId,
  body: z.strictObject({
    url: members.url.optional(),
    branch: members.branch.optional(),
    folder: members.folder.optional(),
    connection: members.connection.nullable().optional().describe('Null: without credentials.'),
    pull: members.pull.optional(),
    authors: members.authors.optional(),
    automatic: members.automatic.optional(),
  }),
  reply: GitRepository,
  errors: ['conflict'],
})

const remove = operation({
  ...base,
  id: 'git.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Unlink a repository',
  description: 'The workflows and the repository stay as they are.',
  auth: { scope: 'workflows:write' },
  role: 'admin',
  audit: 'git.unlinked',
  idempotency: 'natural',
  params: byId,
  reply: z.object({ id: typeId('repo'), deleted: z.literal(true) }),
})

const syncs = {
  ...base,
  method: 'POST',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'execution',
  idempotency: 'keyed',
  transaction: 'own',
  params: byId,
  reply: GitResult,
  errors: ['conflict', 'git_failed'],
} as const

const Resolve = z
  .record(z.string().max(500), z.enum(['repository', 'workflow']))
  .optional()
  .meta({ description: 'Which side wins, by the path of a file in conflict.', examples: [{ 'workflows/orders.yaml': 'repository' }] })

const pull = operation({
  ...syncs,
  id: 'git.pull',
  path: `${path}/{id}/pull`,
  summary: 'Pull definitions from a repository',
  description:
    'Files that changed become drafts or published versions. A file is in conflict if the draft has changed too since both were equal: then nothing happens to it until `resolve` names a side.',
  audit: 'git.pulled',
  body: z.strictObject({ resolve: Resolve }),
})

const push = operation({
  ...syncs,
  id: 'git.push',
  path: `${path}/{id}/push`,
  summary: 'Push definitions to a repository',
  description:
    'One commit with every linked workflow that has changed, in the name of the user who pushes, or of those who made the changes: its published version with `pull: publish`, otherwise its draft. Files in conflict are left out. A branch that does not exist begins with this commit.',
  audit: 'git.pushed',
  body: z.strictObject({
    workflowIds: z.array(typeId('wf')).max(500).default([]).describe('Further workflows, which get a file.'),
    message: z.string().min(1).max(500).optional().describe('Of the commit; a list of the workflows unless given.'),
    resolve: Resolve,
  }),
})

/** Definitions in repositories of Git. */
export const git = { list, create, update, delete: remove, pull, push } as const
