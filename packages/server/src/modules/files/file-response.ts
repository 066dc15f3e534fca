import { type ByteRange, type RequestContext, respondDownload, respondShown } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { AccountFiles } from './file-service.ts'
import type { AccountFile } from './model.ts'

type Downloaded = Pick<Parameters<typeof respondDownload>[1], 'media' | 'bytes' | 'sha256'> & {
  readonly name: string
  readonly accountId: string
}

/** Responds with a file for saving. */
export function download(
  ctx: RequestContext,
  target: string | undefined,
  file: Downloaded,
  open: (range: ByteRange) => ReturnType<AccountFiles['open']>,
) {
  return responded(respondDownload, ctx, target, file, open)
}

/** Responds with a file for a page that shows it if it is a picture. */
export function show(ctx: RequestContext, file: AccountFile, open: AccountFiles['open']) {
  return responded(respondShown, ctx, toTypeId('file', file.id), file, (range) => open(file, range))
}

function responded(
  respond: typeof respondDownload,
  ctx: RequestContext,
  target: string | undefined,
  file: Downloaded,
  open: (range: ByteRange) => ReturnType<AccountFiles['open']>,
) {
  const { name, accountId, media, bytes, sha256 } = file
  const fullName = name.slice(name.lastIndexOf('/') + 1)
  const shortName = fullName.replaceAll(/[^\w.-]+/g, '-')
  const response = respond(ctx.askedRange, { media, name: shortName, fullName, bytes, sha256, open })
  const range = response.headers['content-range']
  ctx.audit({ accountId, ...(target === undefined ? {} : { target }), details: { name, ...(range === undefined ? {} : { range }) } })
  return response
}
