import { type Json, type JsonObject, membersOf, standardError, WorkflowError } from '@millrace/engine'
import type { ImapFlow } from 'imapflow'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { imapOf } from '#modules/connections/index.ts'
import { type LookDeps, withConnection } from '#modules/triggers/watching/look.ts'
import type { Look, Looked, WatchOf } from '#modules/triggers/watching/model.ts'

/** Mails that one look takes: each is read whole. */
const mailsMax = 10
const sourceBytesMax = 4 * 1024 * 1024
const textMax = 100_000
const attachmentBytesMax = 256 * 1024

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
      const looked = await read(client, look)
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

async function read(client: ImapFlow, { settings, position }: Look<WatchOf<'mailbox'>>): Promise<Looked> {
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
  const taken = fresh.slice(0, mailsMax)
  const items = []
  for (const one of taken) {
    const mail = await client.fetchOne(String(one), { uid: true, source: { maxLength: sourceBytesMax } }, { uid: true })
    // It was deleted meanwhile.
    if (mail === false || mail.source === undefined) continue
    const email = await PostalMime.parse(mail.source, { maxNestingDepth: 32 })
    items.push({ id: `${validity}/${one}`, data: dataOf(email, one) })
  }
  return { items, position: { validity, uid: taken.at(-1) ?? uid }, more: fresh.length > taken.length }
}

function positionOf(position: Json | undefined): Position | undefined {
  if (position === undefined) return undefined
  const { validity, uid } = membersOf(position)
  return { validity: typeof validity === 'string' ? validity : '', uid: typeof uid === 'number' ? uid : 0 }
}

function dataOf(mail: Email, uid: number): JsonObject {
  const at = Date.parse(mail.date ?? '')
  return {
    uid,
    messageId: mail.messageId ?? null,
    inReplyTo: mail.inReplyTo ?? null,
    from: mail.from === undefined ? null : addressOf(mail.from),
    to: (mail.to ?? []).map(addressOf),
    cc: (mail.cc ?? []).map(addressOf),
    replyTo: (mail.replyTo ?? []).map(addressOf),
    subject: mail.subject ?? null,
    date: Number.isNaN(at) ? null : new Date(at).toISOString(),
    text: mail.text?.slice(0, textMax) ?? null,
    html: mail.html?.slice(0, textMax) ?? null,
    attachments: attachmentsOf(mail.attachments),
  }
}

const addressOf = ({ name, address }: Address): JsonObject => ({
  name: name === undefined || name === '' ? null : name,
  address: address ?? null,
})

/** The contents of attachments that are small together; of the others their names and sizes. */
function attachmentsOf(attachments: readonly Attachment[]): JsonObject[] {
  const bytes = attachments.map(({ content }) =>
    typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
  )
  const isSmall = bytes.reduce((total, { length }) => total + length, 0) <= attachmentBytesMax
  return attachments.map(({ filename, mimeType }, index) => ({
    filename: filename ?? null,
    contentType: mimeType,
    size: bytes[index]?.length ?? 0,
    contentBase64: isSmall ? (bytes[index]?.toString('base64') ?? null) : null,
  }))
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
