import { itemsOf, type JsonObject, membersOf } from '@millrace/engine'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { bytesOf } from './limits.ts'

const textMax = 100_000
const shortTextMax = 10_000
const lineMax = 1_000
const nameMax = 200
const addressesMax = 100
const fewAddresses = 10
const attachmentsMax = 100
const attachmentBytesMax = 256 * 1024
/** Bytes of a mail as JSON; less than an execution carries. */
const mailBytesMax = 400 * 1024

/** `mail.read`: the parts of a mail as a workflow gets them. Of a large one the least important parts are left out. */
export async function readMail({ sourceBase64 }: JsonObject): Promise<JsonObject> {
  const mail = dataOf(await PostalMime.parse(bytesOf(sourceBase64, '/sourceBase64'), { maxNestingDepth: 32 }))
  return reductions.reduce((data, reduced) => (Buffer.byteLength(JSON.stringify(data)) > mailBytesMax ? reduced(data) : data), mail)
}

const reductions: readonly ((data: JsonObject) => JsonObject)[] = [
  (data) => ({ ...data, attachments: itemsOf(data['attachments']).map((one) => ({ ...membersOf(one), contentBase64: null })) }),
  (data) => ({ ...data, html: null }),
  (data) => ({ ...data, text: cut(data['text'], shortTextMax) }),
  (data) => ({ ...data, ...Object.fromEntries(['to', 'cc', 'replyTo'].map((list) => [list, itemsOf(data[list]).slice(0, fewAddresses)])) }),
]

function dataOf(mail: Email): JsonObject {
  const at = Date.parse(mail.date ?? '')
  const addresses = (given: readonly Address[] | undefined) => (given ?? []).slice(0, addressesMax).map(addressOf)
  return {
    messageId: cut(mail.messageId, lineMax),
    inReplyTo: cut(mail.inReplyTo, lineMax),
    from: mail.from === undefined ? null : addressOf(mail.from),
    to: addresses(mail.to),
    cc: addresses(mail.cc),
    replyTo: addresses(mail.replyTo),
    subject: cut(mail.subject, lineMax),
    date: Number.isNaN(at) ? null : new Date(at).toISOString(),
    text: cut(mail.text, textMax),
    html: cut(mail.html, textMax),
    attachments: attachmentsOf(mail.attachments.slice(0, attachmentsMax)),
  }
}

function cut(text: unknown, charactersMax: number): string | null {
  return typeof text === 'string' ? text.slice(0, charactersMax) : null
}

const addressOf = ({ name, address }: Address): JsonObject => ({
  name: name === undefined || name === '' ? null : cut(name, nameMax),
  address: cut(address, nameMax),
})

/** The contents of attachments that are small together; of the others their names and sizes. */
function attachmentsOf(attachments: readonly Attachment[]): JsonObject[] {
  const bytes = attachments.map(({ content }) =>
    typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
  )
  const isSmall = bytes.reduce((total, { length }) => total + length, 0) <= attachmentBytesMax
  return attachments.map(({ filename, mimeType }, index) => ({
    filename: cut(filename, nameMax),
    contentType: cut(mimeType, nameMax),
    size: bytes[index]?.length ?? 0,
    contentBase64: isSmall ? (bytes[index]?.toString('base64') ?? null) : null,
  }))
}
