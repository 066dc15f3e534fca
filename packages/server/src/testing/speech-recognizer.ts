import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listenLocally } from './listen-locally.ts'

const run = promisify(execFile)

/** Programs of Debian that speak, convert and understand; undefined if they are all there, otherwise the names of those that are missing. */
export function missingSpeechPrograms(): string | undefined {
  const missing = ['flite', 'ffmpeg', 'pocketsphinx_continuous'].filter((program) => {
    try {
      execFileSync('sh', ['-c', `command -v ${program}`])
      return false
    } catch {
      return true
    }
  })
  return missing.length === 0 ? undefined : missing.join(', ')
}

/** A text as speech of the voice `rms`, which the recognizer understands well, in the format of the extension. */
export async function spoken(text: string, extension: string): Promise<Uint8Array<ArrayBuffer>> {
  return inFolder(async (folder) => {
    const [wav, file] = [join(folder, 'speech.wav'), join(folder, `converted.${extension}`)]
    await run('flite', ['-voice', 'rms', '-t', text, '-o', wav])
    await run('ffmpeg', ['-loglevel', 'error', '-y', '-i', wav, '-ar', '48000', '-ac', '1', file])
    return new Uint8Array(await readFile(file))
  })
}

/** An endpoint in the form of OpenAI's `/v1/audio/transcriptions` that really listens, with the recognizer pocketsphinx. */
export async function startSpeechRecognizer() {
  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
    const headers = { 'content-type': incoming.headers['content-type'] ?? '' }
    const form = await new Response(new Uint8Array(Buffer.concat(chunks)), { headers }).formData()
    const file = form.get('file')
    const isRequest = incoming.url === '/v1/audio/transcriptions' && file instanceof File && typeof form.get('model') === 'string'
    if (!isRequest) return void outgoing.writeHead(400).end()
    const text = await recognized(new Uint8Array(await file.arrayBuffer()), file.name)
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text, language: 'english' }))
  }
  const server = await listenLocally(respond)
  return { url: `${server.url}/v1`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

function recognized(audio: Uint8Array, name: string): Promise<string> {
  return inFolder(async (folder) => {
    const [given, wav] = [join(folder, `given-${name.replaceAll(/[^\w.]/g, '')}`), join(folder, 'mono.wav')]
    await writeFile(given, audio)
    await run('ffmpeg', ['-loglevel', 'error', '-y', '-i', given, '-ar', '16000', '-ac', '1', wav])
    const { stdout } = await run('pocketsphinx_continuous', ['-infile', wav, '-logfn', '/dev/null'])
    return stdout.trim().replaceAll(/\s+/g, ' ')
  })
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'speech-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Words that are to be inserted, removed or replaced to make one text of the other, by those of the first. */
export function wordErrorRate(expected: string, actual: string): number {
  const [wanted, got] = [expected, actual].map((text) => text.toLowerCase().split(/\s+/).filter(Boolean))
  if (wanted === undefined || got === undefined || wanted.length === 0) return 1
  let row = Array.from({ length: got.length + 1 }, (_, index) => index)
  for (const [index, word] of wanted.entries()) {
    const next = [index + 1]
    for (const [place, other] of got.entries())
      next.push(Math.min((next[place] ?? 0) + 1, (row[place + 1] ?? 0) + 1, (row[place] ?? 0) + (word === other ? 0 : 1)))
    row = next
  }
  return (row.at(-1) ?? 0) / wanted.length
}
