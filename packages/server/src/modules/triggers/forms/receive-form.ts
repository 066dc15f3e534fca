import { Fault } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { collect, malformed, textOf } from '#modules/triggers/webhooks/form-values.ts'
import type { ReceiveDeps, Webhook } from '#modules/triggers/webhooks/receive-deps.ts'
import { type StreamedPart, streamMultipart } from '#modules/triggers/webhooks/stream-multipart.ts'
import { mediaPattern } from '#modules/files/index.ts'
import type { RawHttpRequest } from '#platform/http/index.ts'
import { formBytesMax, takesType } from './file-field.ts'
import { nameFiles } from './file-names.ts'
import { pointerOf } from './read-form.ts'
import { type FormField, type FormShape, trapField } from './form-fields.ts'
import { type FormLocale, formTexts, sizeText, typesText } from './form-texts.ts'

/** A file that was sent for a field. */
export interface SentFile {
  readonly field: FormField
  /** That it gets in the account. */
  readonly name: string
  readonly media: string
  readonly upload: Awaited<ReturnType<ReceiveDeps['files']['receive']>>
}

/** A form of several parts, whose texts were read and whose files were received while it arrived. */
export interface ReceivedForm {
  /** The texts. */
  readonly values: Json
  readonly bytes: number
  readonly files: readonly SentFile[]
  /** Names of the fields for which a file was sent. */
  readonly given: ReadonlySet<string>
  /** What is wrong with files, by the name of the field. */
  readonly problems: ReadonlyMap<string, string>
  readonly hasLongTexts: boolean
  /** Why the form as a whole cannot be taken. */
  readonly fault: Fault | undefined
}

const textsBytesMax = 1024 * 1024
/** Forms that one process receives at once for one webhook, and those of them from one address. */
const receivingMax = 20
const receivingOfAddressMax = 10

/** Receives forms of several parts. */
export function createFormReceiver(deps: Pick<ReceiveDeps, 'files' | 'copyOfInput' | 'randomBytes'>) {
  const receiving = new Map<string, number>()

  /** @param shape undefined for a form that is not taken: nothing of it is stored. */
  async function receive(
    webhook: Webhook,
    { headers, stream }: RawHttpRequest & { readonly stream: NonNullable<RawHttpRequest['stream']> },
    shape: FormShape | undefined,
    locale: FormLocale,
  ): Promise<ReceivedForm> {
    const taking = createTaking(deps, webhook, shape, locale)
    const count = { bytes: 0, textBytes: 0 }
    const pairs: [string, Json][] = []
    let fault: Fault | undefined
    try {
      if (Number(headers['content-length'] ?? 0) > formBytesMax) throw tooLarge()
      for await (const part of streamMultipart(headers['content-type'] ?? '', counted(stream(), count))) {
        if (part.filename !== undefined) await taking.take(part.filename, part)
        else {
          const text = await textIn(part, count)
          if (part.name === trapField && text !== '') taking.stop()
          pairs.push([part.name, text])
        }
      }
    } catch (error) {
      if (!(error instanceof Fault)) {
        // The files that cannot be discarded now have no name, and are deleted later.
        await taking.discard().catch(() => undefined)
        throw error
      }
      // A form that is too large ends within one of its files: the file is not the reason.
      fault = count.bytes > formBytesMax ? tooLarge() : error
    }
    fault = taking.fault() ?? fault
    if (fault?.code === 'request_timeout') {
      await taking.discard().catch(() => undefined)
      throw fault
    }
    const { sent, given, problems } = taking
    const hasLongTexts = count.textBytes > textsBytesMax
    return { values: collect(pairs), bytes: count.bytes, files: sent, given, problems, hasLongTexts, fault }
  }

  /** Faults: `overloaded` if the webhook is receiving too many forms, `request_timeout` for one that arrives too slowly. */
  return async (...args: Parameters<typeof receive>): Promise<ReceivedForm> => {
    const [{ id }, { ip }] = args
    const ofAddress = `${id} ${ip}`
    if ((receiving.get(id) ?? 0) >= receivingMax) throw overloaded(receivingMax)
    // Slow uploads of one address leave room for others.
    if ((receiving.get(ofAddress) ?? 0) >= receivingOfAddressMax) throw overloaded(receivingOfAddressMax)
    for (const key of [id, ofAddress]) receiving.set(key, (receiving.get(key) ?? 0) + 1)
    try {
      return await receive(...args)
    } finally {
      for (const key of [id, ofAddress]) {
        const left = (receiving.get(key) ?? 1) - 1
        if (left === 0) receiving.delete(key)
        else receiving.set(key, left)
      }
    }
  }
}

/** The files of one form. What is not taken is skipped by the reader of the parts. */
function createTaking(
  { files, ...naming }: Pick<ReceiveDeps, 'files' | 'copyOfInput' | 'randomBytes'>,
  webhook: Webhook,
  shape: FormShape | undefined,
  locale: FormLocale,
) {
  const { accountId } = webhook
  const nameOf = nameFiles(naming, webhook)
  const texts = formTexts[locale]
  const sent: SentFile[] = []
  const given = new Set<string>()
  const problems = new Map<string, string>()
  let fault: Fault | undefined
  let isStopped = shape === undefined

  return {
    sent,
    given,
    problems,
    fault: () => fault,
    stop: () => {
      isStopped = true
    },
    discard: () => Promise.all(sent.map(({ upload }) => files.discard(accountId, upload))),

    async take(named: string, { name, type, content }: StreamedPart): Promise<void> {
      const field = shape?.fields.find((one) => one.name === name)
      // Without a name, no file was chosen.
      if (isStopped || field?.file === undefined || named === '') return
      if (given.has(name)) {
        fault = new Fault('request_invalid', {
          errors: [{ pointer: pointerOf(field), detail: 'Takes one file, and several were sent.' }],
        })
        isStopped = true
        return
      }
      given.add(name)
      const filename = spelled(named)
      if (!takesType(field.file, { filename, type })) {
        problems.set(name, texts.wrongType(typesText(field.file.types, locale)))
        return
      }
      const media = mediaPattern.test(type) ? type : 'application/octet-stream'
      const { bytesMax } = field.file
      const fileName = await nameOf(field, filename)
      try {
        const upload = await files.receive(accountId, { name: fileName, media }, { content, bytes: 0, bytesMax })
        sent.push({ field, name: fileName, media, upload })
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        if (error.code === 'payload_too_large') problems.set(name, texts.fileTooLarge(sizeText(bytesMax, locale)))
        else {
          fault ??= error
          isStopped = true
        }
      }
    },
  }
}

/** Browsers write these characters so that they do not end the name. */
function spelled(filename: string): string {
  return filename.replaceAll(/%22|%0D|%0A/gi, (code) => decodeURIComponent(code))
}

async function textIn({ content }: StreamedPart, count: { textBytes: number }): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of content) {
    count.textBytes += chunk.length
    if (count.textBytes > textsBytesMax)
      throw new Fault('payload_too_large', { detail: `The texts of a form have at most ${textsBytesMax} bytes.` })
    chunks.push(chunk)
  }
  const text = textOf(Buffer.concat(chunks))
  if (text === undefined) throw malformed('The form has a text that is not UTF-8, or that contains the character NUL.')
  return text
}

async function* counted(body: AsyncIterable<Uint8Array>, count: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    count.bytes += chunk.length
    if (count.bytes > formBytesMax) throw tooLarge()
    yield chunk
  }
}

const overloaded = (max: number) =>
  new Fault('overloaded', { detail: `${max} entries of the form are being received.`, retryAfterSeconds: 10 })

const tooLarge = () => new Fault('payload_too_large', { detail: `A form has at most ${formBytesMax} bytes.` })
