import { httpConnectionKinds } from '@millrace/contract'
import { itemsOf, type Json, type JsonObject, membersOf, standardError, textOf, WorkflowError } from '@millrace/engine'
import { type LookDeps, withConnection } from '#modules/triggers/watching/look.ts'
import type { Look, Looked, WatchOf } from '#modules/triggers/watching/model.ts'
import { digestOf, unseen } from '#modules/triggers/watching/seen.ts'

const bytesMax = 8 * 1024 * 1024
const entriesMax = 500
const timeoutMs = 30_000

/** New entries of a feed, the oldest first. */
export async function lookAtFeed(deps: LookDeps, look: Look<WatchOf<'feed'>>): Promise<Looked> {
  const { url, connection } = look.settings
  if (connection === undefined) return read(deps, look, url, deps.http)
  return withConnection(deps, look, { name: connection, kinds: httpConnectionKinds }, ({ http }) => read(deps, look, url, http))
}

async function read(deps: LookDeps, look: Look<WatchOf<'feed'>>, url: string, http: LookDeps['http']): Promise<Looked> {
  const { accountId, position, signal } = look
  const { etag, modified } = membersOf(position ?? {})
  const headers = {
    accept: 'application/rss+xml, application/atom+xml, application/feed+json, application/xml, */*;q=0.5',
    ...(typeof etag === 'string' ? { 'if-none-match': etag } : {}),
    ...(typeof modified === 'string' ? { 'if-modified-since': modified } : {}),
  }
  const reply = await http.request({ method: 'GET', url, headers, followRedirects: true, timeoutMs, maxResponseBytes: bytesMax }, signal)
  if (reply.status === 304 && position !== undefined) return { items: [], position, more: false }
  if (reply.status < 200 || reply.status > 299) {
    const { data } = standardError('communication', `The server of the feed answered ${reply.status}.`)
    throw new WorkflowError({ ...data, status: reply.status })
  }
  const text = Buffer.from(reply.body).toString('utf8')
  const feed = await deps.readFeed({ accountId, signal }, { text, itemsMax: entriesMax })
  const entries = itemsOf(membersOf(feed)['items']).map((data) => ({ id: idOf(membersOf(data)), data }))
  const looked = unseen(look, entries.toReversed())
  return looked.more ? looked : { ...looked, position: { ...membersOf(looked.position), ...validators(reply.headers) } }
}

/** What the server recognises an unchanged feed by. */
function validators(headers: Readonly<Record<string, string>>): JsonObject {
  const [etag, modified] = [headers['etag'], headers['last-modified']]
  return { etag: etag ?? null, modified: modified ?? null }
}

/** Entries without an id are known by what they say. */
function idOf({ id, link, title, publishedAt }: JsonObject): string {
  const given = [id, link].map((value: Json | undefined) => textOf(value)).find((value) => value !== undefined && value !== '')
  return given ?? digestOf(JSON.stringify([title ?? null, publishedAt ?? null]))
}
