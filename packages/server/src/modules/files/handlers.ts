import { Fault, fileBytesMax, fileNameProblem, type files as fileOperations } from '@millrace/contract'
import * as z from 'zod'
import { actorOf } from '#platform/auth/principal.ts'
import { type HandlersFor, type RequestContext, withPreparation } from '#platform/http/index.ts'
import { idOf } from '#platform/ids.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { download } from './file-response.ts'
import type { AccountFiles, Upload } from './file-service.ts'
import { type FileDetails, lifeMsOf, mediaPattern } from './model.ts'
import { fileView, shownFileView } from './views.ts'

const cursorShape = z.tuple([z.string().refine((name) => fileNameProblem(name) === undefined)])
const uploadsMax = 10

/** Handlers of the group `files`. */
export function fileHandlers(service: AccountFiles): HandlersFor<typeof fileOperations> {
  const receiving = new Map<string, number>()

  /** Counts the uploads of an account that this process receives: each may need much room before it is compared with the limit. */
  async function inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const count = receiving.get(accountId) ?? 0
    if (count >= uploadsMax)
      throw new Fault('overloaded', { detail: `${uploadsMax} uploads of the account are being received.`, retryAfterSeconds: 5 })
    receiving.set(accountId, count + 1)
    try {
      return await work()
    } finally {
      const left = (receiving.get(accountId) ?? 1) - 1
      if (left === 0) receiving.delete(accountId)
      else receiving.set(accountId, left)
    }
  }

  async function receive(ctx: RequestContext, name: string, expiresIn: string | undefined) {
    const details = { name, media: mediaOf(ctx), writtenBy: actorOf(ctx.principal), expiresInMs: lifeOf(expiresIn) }
    const { content, bytes = 0 } = ctx.streamedBody
    if (bytes > fileBytesMax) throw new Fault('payload_too_large', { detail: `A file has at most ${fileBytesMax} bytes.` })
    const upload = await inTurn(ctx.accountId, () => service.receive(ctx.accountId, details, { content, bytes, bytesMax: fileBytesMax }))
    return { upload, details }
  }

  async function publish(ctx: RequestContext, upload: Upload, details: FileDetails) {
    try {
      return await service.publish(ctx.tx, ctx.accountId, upload, details)
    } catch (error) {
      await service.discard(ctx.accountId, upload)
      throw error
    }
  }

  return {
    async list(ctx, { query: { prefix = '', limit, cursor } }) {
      const after = cursor === undefined ? undefined : decodeCursor(cursor, cursorShape)[0]
      const found = await service.list(ctx.tx, ctx.accountId, { prefix, after, limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, ({ name }) => encodeCursor([name]))
      return { data: data.map(fileView), nextCursor }
    },
    get: async (ctx, { params }) => fileView(await service.find(ctx.tx, ctx.accountId, idOf('file', params.id))),
    async ofExecution(ctx, { params }) {
      const found = await service.ofWhole(ctx.tx, ctx.accountId, idOf('exec', params.executionId))
      return { files: found.map(shownFileView) }
    },
    put: withPreparation<typeof fileOperations.put, Awaited<ReturnType<typeof receive>>>(
      (ctx, { query: { name, expiresIn } }) => receive(ctx, name, expiresIn),
      async (ctx, _input, { upload, details }) => {
        const file = fileView(await publish(ctx, upload, details))
        const { id, name, size, sha256 } = file
        ctx.audit({ target: id, details: { name, size, sha256 } })
        return file
      },
    ),
    async content(ctx, { params }) {
      const file = await service.find(ctx.tx, ctx.accountId, idOf('file', params.id))
      return download(ctx, params.id, file, (range) => service.open(file, range))
    },
    async link(ctx, { params }) {
      const file = await service.find(ctx.tx, ctx.accountId, idOf('file', params.id))
      const { token, expiresAt } = await service.link(ctx.tx, file)
      ctx.audit({ target: params.id, details: { name: file.name } })
      return { url: `/api/v1/files/links/${token}/content`, expiresAt: expiresAt.toISOString() }
    },
    async linkContent(ctx, { params }) {
      const file = await service.follow(params.token)
      return download(ctx, undefined, file, (range) => service.openStored(file, range))
    },
    async delete(ctx, { params }) {
      const { name } = await service.remove(ctx.tx, ctx.accountId, idOf('file', params.id))
      ctx.audit({ target: params.id, details: { name } })
      return { id: params.id, deleted: true as const }
    },
  }
}

function mediaOf(ctx: RequestContext): string {
  const given = ctx.raw.headers['content-type'] ?? ''
  return given.length <= 200 && mediaPattern.test(given) ? given : 'application/octet-stream'
}

function lifeOf(expiresIn: string | undefined): number | undefined {
  if (expiresIn === undefined) return undefined
  const life = lifeMsOf(expiresIn)
  if (life !== undefined) return life
  throw new Fault('request_invalid', {
    errors: [{ pointer: '/expiresIn', detail: 'Must be a duration of up to 100 years, such as P30D.', in: 'query' }],
  })
}
