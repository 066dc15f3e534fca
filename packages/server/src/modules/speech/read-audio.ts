import { Fault } from '@millrace/contract'
import { readJson } from '#platform/http/index.ts'
import type { AudioContent } from './duration-of.ts'

/** Audio of a known format. */
export interface Audio {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly extension: string
  /** Undefined where the container does not say it. */
  readonly seconds: number | undefined
}

const formats: Readonly<Record<string, string>> = {
  wav: 'wav',
  mp3: 'mp3',
  m4a: 'm4a',
  mp4: 'm4a',
  ogg: 'ogg',
  oga: 'ogg',
  opus: 'ogg',
  webm: 'webm',
}
const mediaTypes: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  webm: 'audio/webm',
}
/** The longest audio. */
export const secondsMax = 2 * 60 * 60

/** Takes the audio out of a body and recognizes its format. Faults: `request_invalid`, `malformed_request`, `unsupported_media_type`. */
export async function readAudio(
  contentType: string,
  body: Buffer,
  durationOf: (content: AudioContent) => Promise<number | undefined>,
): Promise<Audio> {
  const bytes = await contentOf(contentType, body)
  if (bytes.length === 0) throw invalid('The request contains no audio.')
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes)
  const extension = formats[found?.ext ?? '']
  const mediaType = mediaTypes[extension ?? '']
  if (extension === undefined || mediaType === undefined)
    throw new Fault('unsupported_media_type', { detail: 'The content is not audio as WAV, MP3, M4A, Ogg or WebM.' })
  const seconds = await durationOf({ bytes, mediaType })
  if (seconds !== undefined && seconds > secondsMax)
    throw invalid(`The audio is ${Math.round(seconds / 60)} minutes long. Send at most 120.`)
  return { bytes, mediaType, extension, seconds }
}

async function contentOf(contentType: string, body: Buffer): Promise<Uint8Array> {
  const essence = contentType.split(';')[0]?.trim().toLowerCase()
  if (essence === 'multipart/form-data') return fileOf(contentType, body)
  if (essence !== 'application/json') return body
  const { audio } = Object(readJson(body))
  if (typeof audio !== 'string') throw invalid('JSON needs the member "audio" with the content in base64.')
  const compact = audio.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) throw invalid('The member "audio" is not base64.')
  return Buffer.from(compact, 'base64')
}

async function fileOf(contentType: string, body: Buffer): Promise<Uint8Array> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData().catch((cause: unknown) => {
    throw new Fault('malformed_request', { detail: 'The form cannot be read.', cause })
  })
  const [file, ...others] = form.getAll('file')
  if (others.length > 0) throw invalid('The field "file" takes one file, and several were sent.')
  if (file instanceof Blob) return new Uint8Array(await file.arrayBuffer())
  throw invalid('The form needs the field "file" with the audio.')
}

function invalid(detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer: '', detail }] })
}
