import * as z from 'zod'
import { fileNameMax, fileNameProblem } from '#src/file-name.ts'
import { typeId } from '#src/ids.ts'
import { cursorOf, listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { ShownFile } from '#src/shown-file.ts'

/** Bytes of one file. */
export const fileBytesMax = 1024 ** 3

const Name = z
  .string()
  .normalize('NFC')
  .superRefine((name, ctx) => {
    const problem = fileNameProblem(name)
    if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
  })
  .meta({ description: 'A path of up to 512 characters. It is kept in the Unicode form NFC.', examples: ['reports/2026-11.csv'] })

const File = z
  .object({
    id: typeId('file'),
    name: z.string(),
    contentType: z.string(),
    size: z.int().describe('In bytes.'),
    sha256: z.string().describe('Of the content, as hexadecimal digits; also the `ETag` of downloads.'),
    writtenBy: z
      .string()
      .describe('Who wrote the content: `user:usr_…`, `key:key_…`, `execution:exec_…`, or `trigger:trg_…` for a start form.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable().describe('When the file is deleted; null: it is kept.'),
  })
  .meta({ id: 'File' })

const base = { stability: 'beta', rateLimit: 'default', idempotency: 'natural', errors: [] } as const
const reads = { ...base, auth: { scope: 'files:read' }, audit: 'none' } as const
const writes = { ...base, auth: { scope: 'files:write' }, role: 'member' } as const
const path = '/api/v1/files'
const byId = z.object({ id: typeId('file') })

const list = operation({
  ...reads,
  id: 'files.list',
  method: 'GET',
  path,
  summary: 'List files',
  description: 'In the order of their names.',
  query: z.strictObject({
    prefix: z.string().normalize('NFC').max(fileNameMax).optional().describe('Only names that begin with this text.'),
    limit: listQuery.limit,
    // It has the name of the last file.
    cursor: cursorOf(4_096),
  }),
  reply: listPage(File, 'in the order of their names'),
})

const get = operation({
  ...reads,
  id: 'files.get',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a file without its content',
  params: byId,
  reply: File,
})

const ofExecution = operation({
  ...reads,
  id: 'files.ofExecution',
  method: 'GET',
  path: '/api/v1/workflows/executions/{executionId}/files',
  summary: 'List the files of an execution',
  description:
    'Those that were sent with its start or that it wrote; and of those that its input and its output name the ones that an execution that it called wrote, that the user or API key that started it wrote, or that an execution that called it has. Up to 100.',
  params: z.object({ executionId: typeId('exec') }),
  reply: z.object({ files: z.array(ShownFile) }),
})

const put = operation({
  ...writes,
  id: 'files.put',
  method: 'PUT',
  path,
  summary: 'Upload a file',
  description:
    'The body is the content, up to 1 GiB, with its media type in `Content-Type`. A file with this name is replaced as a whole: who reads it gets the old content or the new one. What breaks off leaves nothing. At most ten uploads of an account are received at once.',
  audit: 'file.written',
  bodyLimit: fileBytesMax,
  streamedBody: true,
  query: z.strictObject({
    name: Name,
    expiresIn: z.iso
      .duration({ error: 'Must be an ISO 8601 duration, such as P30D.' })
      .max(40)
      .optional()
      .describe('After which time the file is deleted, such as `P30D`; it is kept unless given.'),
  }),
  reply: File,
  errors: ['conflict', 'quota_exceeded', 'overloaded', 'malformed_request'],
})

const content = operation({
  ...base,
  id: 'files.content',
  method: 'GET',
  path: `${path}/{id}/content`,
  summary: 'Download a file',
  auth: { scope: 'files:read' },
  requestHeaders: ['Range', 'If-Range'],
  replyHeaders: ['Accept-Ranges', 'ETag'],
  audit: 'file.downloaded',
  media: '*/*',
  params: byId,
  reply: z.string().describe('The bytes of the file, with its own media type.'),
})

const link = operation({
  ...base,
  id: 'files.link',
  auditors: true,
  method: 'POST',
  path: `${path}/{id}/link`,
  summary: 'Make a link for one download of a file',
  auth: { scope: 'files:read' },
  audit: 'file.link_made',
  idempotency: 'keyed',
  params: byId,
  reply: z.object({
    url: z.string().describe('Path of the file. It works once, within 15 minutes, and needs no credential.'),
    expiresAt: z.iso.datetime(),
  }),
})

const linkContent = operation({
  ...base,
  id: 'files.linkContent',
  method: 'GET',
  path: `${path}/links/{token}/content`,
  summary: 'Download a file by a link',
  description: 'The link is in the response of `files.link`. It works once.',
  auth: 'public',
  requestHeaders: ['Range', 'If-Range'],
  replyHeaders: ['Accept-Ranges', 'ETag'],
  audit: 'file.downloaded',
  media: '*/*',
  params: z.object({ token: z.string() }),
  reply: z.string().describe('The bytes of the file, with its own media type.'),
  errors: ['not_found'],
})

const remove = operation({
  ...writes,
  id: 'files.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a file',
  audit: 'file.deleted',
  params: byId,
  reply: z.object({ id: typeId('file'), deleted: z.literal(true) }),
})

/** Files that the platform keeps for an account. */
export const files = { list, get, ofExecution, put, content, link, linkContent, delete: remove } as const
