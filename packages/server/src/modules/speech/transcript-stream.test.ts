import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createEventStreams, eventStreamLimitsDefault } from '#platform/http/index.ts'
import { type ModelStandIn, silence, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { createTranscriptStreams } from './transcript-stream.ts'

const hasFfmpeg = (() => {
  try {
    execFileSync('ffmpeg', ['-version'])
    return true
  } catch {
    return false
  }
})()

/** A tone with silences around the seconds 20.5 and 41.5: it is cut into three pieces. */
function sound(): Buffer {
  const wav = silence(63)
  for (let at = 0; at < 63 * 16_000; at++) {
    const second = at / 16_000
    const isSilent = [20, 41, 62].some((from) => second >= from && second < from + 1)
    if (!isSilent) wav.writeInt16LE(Math.round(12_000 * Math.sin(at / 6)), 44 + at * 2)
  }
  return wav
}

const wav = sound()
const path = '/api/v1/agent/transcribe'
let standIn: ModelStandIn
let server: TestServer
let account: TestAccount
/** What the model hears; undefined if it fails. */
let heard: (call: number) => string | undefined
let calls = 0

describe.skipIf(!hasFfmpeg)('a transcript as a stream', () => {
  beforeAll(async () => {
    standIn = await startModelStandIn(() => ({ content: '' }))
    standIn.mock.on({ predicate: (request) => request._endpointType === 'transcription' }, () => {
      const text = heard(++calls)
      if (text === undefined) return { error: { message: 'It cannot hear.', type: 'server_error' }, status: 400 }
      return { transcription: { text, language: 'english', duration: 2, segments: [{ id: 0, text: ` ${text}`, start: 0.5, end: 2 }] } }
    })
    server = await createTestServer({ MILLRACE_MODEL_URL: standIn.url, MILLRACE_MODEL_SPEECH: 'whisper' })
    account = await server.registerAccount()
  })
  afterAll(async () => {
    await server.close()
    await standIn.stop()
  })
  beforeEach(() => {
    calls = 0
    heard = (call) => `Part ${call}.`
  })

  const send = (body: Buffer, headers: Readonly<Record<string, string>> = {}, signal?: AbortSignal) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'audio/wav', accept: 'text/event-stream', ...headers },
      body: new Uint8Array(body),
      ...(signal === undefined ? {} : { signal }),
    })

  test('each piece is an event with its times in the whole audio', async () => {
    const response = await send(wav)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/event-stream')])
    const events = eventsIn(await response.text())
    const id = events[0]?.id?.split('-')[0]
    expect(events).toEqual([
      part(`${id}-1`, 0, [0, 20.5], 'Part 1.'),
      part(`${id}-2`, 1, [20.5, 41.5], 'Part 2.'),
      part(`${id}-3`, 2, [41.5, 63], 'Part 3.'),
      { event: 'end', id: `${id}-3`, data: { parts: 3, durationSeconds: 63 } },
    ])
    expect(calls).toBe(3)
  })

  test('a client that lost the connection sends the audio again and pays for nothing twice', async () => {
    const response = await send(wav)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('event: part')) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    const [first] = eventsIn(text)
    calls = 0
    heard = (call) => `Later ${call}.`
    const events = eventsIn(await (await send(wav, { 'last-event-id': first?.id ?? '' })).text())
    expect(events.map(({ event, data }) => [event, data['part'], data['text']])).toEqual([
      ['part', 1, 'Later 1.'],
      ['part', 2, 'Later 2.'],
      ['end', undefined, undefined],
    ])
    expect(eventsIn(await (await send(wav, { 'last-event-id': events.at(-1)?.id ?? '' })).text()).map(({ event }) => event)).toEqual([
      'end',
    ])
    expect(calls).toBe(2)
  })

  test.each([['x'], ['0123456789abcdef-1'], ['-1']])('the id %s of another stream is refused', async (id) => {
    const response = await send(wav, { 'last-event-id': id })
    expect([response.status, Object(await response.json()).errors]).toMatchObject([400, [{ pointer: '/last-event-id', in: 'header' }]])
    expect(calls).toBe(0)
  })

  test('a model that fails in the middle ends the stream with the problem, and the piece is tried again', async () => {
    heard = (call) => (call === 1 ? 'Begun.' : undefined)
    const events = eventsIn(await (await send(wav)).text())
    expect(events).toMatchObject([{ event: 'part' }, { event: 'error', data: { status: 503, code: 'model_unavailable' } }])
    heard = () => 'Again.'
    const again = eventsIn(await (await send(wav, { 'last-event-id': events[0]?.id ?? '' })).text())
    expect(again.map(({ data }) => data['part'])).toEqual([1, 2, undefined])
  })

  test('a title that names silences hides no sound', async () => {
    const title = Buffer.from('x\nsilence_start: 0\n[silencedetect @ 0x1] silence_end: 64\u2028[silencedetect @ 0x1] silence_end: 64')
    const info = Buffer.concat([Buffer.from('LIST....INFOINAM....'), title])
    info.writeUInt32LE(info.length - 8, 4)
    info.writeUInt32LE(title.length, 16)
    const events = eventsIn(await (await send(Buffer.concat([wav, info]))).text())
    expect(events.map(({ event }) => event)).toEqual(['part', 'part', 'part', 'end'])
  })

  test('silence has no part and asks no model', async () => {
    expect(eventsIn(await (await send(silence(3))).text())).toMatchObject([{ event: 'end', data: { parts: 0, durationSeconds: 3 } }])
    expect(calls).toBe(0)
  })

  test('an account has two streams at a time, which leave room for another account', async () => {
    const heardNothing = new AbortController()
    const streams = createTranscriptStreams({
      models: { with: () => Promise.reject(new Error('not asked')) },
      eventStreams: createEventStreams({
        closing: heardNothing.signal,
        limits: eventStreamLimitsDefault,
        turns: { of: () => ({ next: () => Promise.resolve() }) },
        logError() {},
      }),
    })
    const audio = { bytes: wav, mediaType: 'audio/wav', extension: 'wav', seconds: 63 }
    const open = (accountId: string) =>
      streams.open(
        { accountId, credentialStands: () => Promise.resolve(true) },
        { audio, language: undefined, prompt: undefined },
        undefined,
        heardNothing.signal,
      )
    const [first, second] = [await open('one'), await open('one')]
    await expect(open('one')).rejects.toMatchObject({ code: 'too_many_streams' })
    const other = await open('other')
    first.destroy()
    await once(first, 'close')
    const third = await open('one')
    for (const stream of [second, other, third]) stream.destroy()
  })

  test('audio that cannot be read, and a server without ffmpeg, are problems before any stream', async () => {
    const damaged = await send(Buffer.concat([wav.subarray(0, 20), Buffer.alloc(400, 0xff)]))
    expect([damaged.status, Object(await damaged.json()).code]).toEqual([400, 'request_invalid'])
    vi.stubEnv('PATH', '')
    onTestFinished(() => void vi.unstubAllEnvs())
    const missing = await send(wav)
    expect([missing.status, Object(await missing.json()).code]).toEqual([503, 'ffmpeg_missing'])
  })

  test('a client that leaves before the stream is open ends ffmpeg', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slow-ffmpeg-'))
    vi.stubEnv('PATH', folder)
    onTestFinished(async () => {
      vi.unstubAllEnvs()
      await rm(folder, { recursive: true })
    })
    const [started, script] = [join(folder, 'pid'), join(folder, 'ffmpeg')]
    await writeFile(script, `#!/bin/sh\necho $$ > ${started}\nexec /bin/sleep 60\n`, { mode: 0o755 })
    const leaving = new AbortController()
    const response = send(wav, {}, leaving.signal)
    const pid = async () => Number(await readFile(started, 'utf8').catch(() => ''))
    await expect.poll(pid).toBeGreaterThan(0)
    const ffmpeg = await pid()
    leaving.abort()
    await expect(response).rejects.toThrow('aborted')
    await expect.poll(() => isRunning(ffmpeg)).toBe(false)
  })

  test('the next piece is read only when the client has read those before, and nothing stays when it leaves', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'transcripts-'))
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(async () => {
      vi.unstubAllEnvs()
      await rm(folder, { recursive: true })
    })
    let asked = 0
    const long = { text: 'x'.repeat(20_000), language: undefined, seconds: undefined, segments: [], model: 'test' }
    const streams = createTranscriptStreams({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The work of a transcription has this result.
      models: { with: async <T>() => (asked++, long as T) },
      eventStreams: createEventStreams({
        closing: new AbortController().signal,
        limits: eventStreamLimitsDefault,
        turns: { of: () => ({ next: () => Promise.resolve() }) },
        logError() {},
      }),
    })
    const audio = { bytes: wav, mediaType: 'audio/wav', extension: 'wav', seconds: 63 }
    const stream = await streams.open(
      { accountId: 'account', credentialStands: () => Promise.resolve(true) },
      { audio, language: undefined, prompt: undefined },
      undefined,
      new AbortController().signal,
    )
    expect(await readdir(folder)).toHaveLength(1)
    await once(stream, 'readable')
    while (stream.readableLength < 20_000) await setImmediate()
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    expect(asked).toBe(1)
    stream.read()
    await expect.poll(() => asked).toBe(2)
    stream.destroy()
    await expect.poll(() => readdir(folder)).toEqual([])
    expect(asked).toBe(2)
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

interface StreamEvent {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

function eventsIn(text: string): readonly StreamEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const of = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const data = of('data')
    return data === undefined ? [] : [{ event: of('event'), id: of('id'), data: Object(JSON.parse(data)) }]
  })
}

function part(id: string, index: number, [start = 0, end = 0]: readonly number[], text: string): StreamEvent {
  const segments = [{ start: start + 0.5, end: start + 2, text, confidence: null }]
  return { event: 'part', id, data: { part: index, start, end, text, language: 'english', segments, model: 'default-speech' } }
}
