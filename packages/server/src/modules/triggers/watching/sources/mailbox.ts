import { type Json, membersOf, standardError, WorkflowError } from '@millrace/engine'
import type { ImapFlow } from 'imapflow'
import { imapOf } from '#modules/connections/index.ts'
import { type LookDeps, withConnection } from '#modules/triggers/watching/look.ts'
import type { Look, Looked, WatchItem, WatchOf } from '#modules/triggers/watching/model.ts'

/** Mails that one look takes: each is read whole. */
const mailsMax = 10
const sourceBytesMax = 4 * 1024 * 1024
/** After so long no further mail is begun: a look that ran out of time would begin again with the same mails. */
const readingMsMax = 20_000

/** The identity of the mailbox and the last number that was seen in it (RFC 9051, section 2.3.1.1). */
interface Position {
  readonly validity: string
  readonly uid: number
}

/** New mails of a mailbox, which is opened for reading alone. */
export function lookAtMailbox(deps: LookDeps, look: Look<WatchOf<'mailbox'>>): Promise<Looked> {
  const { settings, signal } = look
  return withConnection(deps, look, { name: settings.connection, kinds: ['imap'] }, async (connection) => {
    if (connection.settings.kind !== 'imap') throw standardError('configuration', 'The connection is not for IMAP.')
    const client = await imapOf(connection.settings, connection.secrets, deps.address)
    const stop = () => client.close()
    signal.addEventListener('abort', stop)
    try {
      await client.connect()
      const looked = await read(deps, client, look)
      await client.logout()
      return looked
    } catch (error) {
      throw failureOf(error)
    } finally {
      signal.removeEventListener('abort', stop)
      client.close()
    }
  })
}

async function read(deps: LookDeps, client: ImapFlow, look: Look<WatchOf<'mailbox'>>): Promise<Looked> {
  const { settings, position } = look
  const { uidValidity, uidNext } = await client.mailboxOpen(settings.mailbox, { readOnly: true })
  const validity = String(uidValidity)
  const before = positionOf(position)
  // A mailbox with another identity has numbered its mails anew: which of them are new cannot be known.
  if (before?.validity !== validity && (before !== undefined || settings.first === 'new'))
    return { items: [], position: { validity, uid: uidNext - 1 }, more: false }
  const uid = before?.uid ?? 0
  // A range up to * always has the last mail, however small its number.
  const found = await client.search({ uid: `${uid + 1}:*` }, { uid: true })
  const fresh = (found === false || found === undefined ? [] : found).filter((one) => one > uid).toSorted((a, b) => a - b)
  const items: WatchItem[] = []
  const begun = performance.now()
  let last = uid
  for (const one of fresh.slice(0, mailsMax)) {
    if (performance.now() - begun > readingMsMax) break
    last = one
    const mail = await client.fetchOne(String(one), { uid: true, source: { maxLength: sourceBytesMax } }, { uid: true })
    // It was deleted meanwhile.
    if (mail === false || mail.source === undefined) continue
    items.push({ id: `${validity}/${one}`, data: { uid: one, ...(await contentOf(deps, look, mail.source)) } })
  }
  return { items, position: { validity, uid: last }, more: fresh.some((one) => one > last) }
}

/** Anyone can send a mail: one that cannot be read starts with what is wrong, and does not stop those behind it. */
async function contentOf({ readMail }: LookDeps, { accountId, signal }: Pick<Look, 'accountId' | 'signal'>, source: Buffer) {
  try {
    return membersOf(await readMail({ accountId, signal }, { sourceBase64: source.toString('base64') }))
  } catch (error) {
    if (!(error instanceof WorkflowError) || error.data.status !== 400) throw error
    return { problem: error.data.detail ?? error.data.title }
  }
}

function positionOf(position: Json | undefined): Position | undefined {
  if (position === undefined) return undefined
  const { validity, uid } = membersOf(position)
  return { validity: typeof validity === 'string' ? validity : '', uid: typeof uid === 'number' ? uid : 0 }
}

/** What the server or the way to it did wrong, as an error of the watch. */
function failureOf(error: unknown): unknown {
  if (error instanceof WorkflowError || !(error instanceof Error)) return error
  const answer: unknown = Reflect.get(error, 'responseText')
  const detail = typeof answer === 'string' && answer !== '' ? answer : error.message
  const { data } =
    Reflect.get(error, 'authenticationFailed') === true
      ? standardError('authentication', `The mail server refuses the credentials: ${detail}`)
      : standardError('communication', `The mail server cannot be used: ${detail}`)
  return new WorkflowError(data, { cause: error })
}
