import { type ByteRange, type RequestContext, respondDownload, respondShown } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { AccountFiles } from './file-service.ts'
import type { AccountFile } from './model.ts'

type Downloaded = Pick<Parameters<typeof respondDownload>[1], 'media' | 'bytes' | 'sha256'> & {
  readonly name: string
  readonly accountId: string
  readonly where?: Shown['where']
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

/** Responds with a file for a page that shows it if it is a picture, and else saves it. `where` is what names the file, for the audit log. */
export function show(ctx: RequestContext, { file, where }: Shown, open: AccountFiles['open']) {
  return responded(respondShown, ctx, toTypeId('file', file.id), { ...file, where }, (range) => open(file, range))
}

export interface Shown {
  readonly file: AccountFile
  readonly where: Readonly<Record<string, string>>
}

function responded(
  respond: typeof respondDownload,
  ctx: RequestContext,
  target: string | undefined,
  file: Downloaded,
  open: (range: ByteRange) => ReturnType<AccountFiles['open']>,
) {
  const { name, accountId, media, bytes, sha256, where } = file
  const fullName = name.slice(name.lastIndexOf('/') + 1)
  const shortName = fullName.replaceAll(/[^\w.-]+/g, '-')
  const response = respond(ctx.askedRange, { media, name: shortName, fullName, bytes, sha256, open })
  const range = response.headers['content-range']
  const isShown = response.headers['content-disposition']?.startsWith('inline') === true
  const opened = where === undefined ? {} : { state: isShown ? 'shown' : 'saved', ...where }
  const details = { name, ...opened, ...(range === undefined ? {} : { range }) }
  ctx.audit({ accountId, ...(target === undefined ? {} : { target }), details })
  return response
}
