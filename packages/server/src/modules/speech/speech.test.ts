import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelStandIn, silence, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let standIn: ModelStandIn
let server: TestServer
let account: TestAccount
const path = '/api/v1/agent/transcribe'

beforeAll(async () => {
  standIn = await startModelStandIn(() => ({ content: '' }))
  const segments = [{ id: 0, text: ' Two tons of tea.', start: 0, end: 1.5 }]
  standIn.mock.onTranscription({ transcription: { text: 'Two tons of tea.', language: 'english', duration: 1.5, segments } })
  server = await createTestServer({ MILLRACE_MODEL_URL: standIn.url, MILLRACE_MODEL_SPEECH: 'whisper' })
  account = await server.registerAccount()
})
afterAll(async () => {
  await server.close()
  await standIn.stop()
})

async function send(body: string | Uint8Array<ArrayBuffer> | FormData, contentType?: string, query = '') {
  const response = await fetch(`${server.url}${path}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.token}`, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
    body,
  })
  return { status: response.status, body: await response.json() }
}

const wav = silence(0.5)
const form = (name: string, files = 1) => {
  const data = new FormData()
  for (let file = 0; file < files; file++) data.append(name, new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'note.wav')
  return data
}

test.each<[string, () => ReturnType<typeof send>]>([
  ['the body itself', () => send(new Uint8Array(wav), 'audio/wav', '?language=en')],
  ['a body of another type', () => send(new Uint8Array(wav), 'application/octet-stream')],
  ['a form', () => send(form('file'))],
  ['JSON', () => send(JSON.stringify({ audio: wav.toString('base64') }), 'application/json')],
])('audio as %s becomes text with times', async (_case, request) => {
  const { status, body } = await request()
  expect([status, body]).toEqual([
    200,
    {
      text: 'Two tons of tea.',
      language: 'english',
      durationSeconds: 1.5,
      segments: [{ start: 0, end: 1.5, text: 'Two tons of tea.', confidence: null }],
      model: 'default-speech',
    },
  ])
})

test.each<[string, () => ReturnType<typeof send>, number, string]>([
  ['text', () => send('not audio at all', 'audio/wav'), 415, 'unsupported_media_type'],
  ['an empty body', () => send('', 'audio/wav'), 400, 'request_invalid'],
  ['a form without the field', () => send(form('audio')), 400, 'request_invalid'],
  ['a form with two files', () => send(form('file', 2)), 400, 'request_invalid'],
  ['a form that is cut', () => send('--x\r\nContent-Dis', 'multipart/form-data; boundary=x'), 400, 'malformed_request'],
  ['JSON without audio', () => send('{}', 'application/json'), 400, 'request_invalid'],
  ['JSON with another text', () => send('{"audio":"%%"}', 'application/json'), 400, 'request_invalid'],
  ['JSON with spaces and another text', () => send(`{"audio":"${' '.repeat(1_000_000)}!"}`, 'application/json'), 400, 'request_invalid'],
  ['too much', () => send(new Uint8Array(26 * 1024 * 1024), 'audio/wav'), 413, 'payload_too_large'],
])('%s is refused', async (_case, request, status, code) => {
  expect((await request()).body).toMatchObject({ status, code })
})

test('many requests at once succeed, or are refused for want of room', async () => {
  const answers = await Promise.all(Array.from({ length: 24 }, () => send(new Uint8Array(wav), 'audio/wav')))
  const codes = answers.map(({ body }): unknown => Object(body).code)
  expect(codes.filter((code) => code !== undefined && code !== 'overloaded')).toEqual([])
})

test('without a model for speech it says what to configure', async () => {
  await using bare = await createTestServer()
  const user = await bare.registerAccount()
  expect((await user.send('POST', path, { audio: wav.toString('base64') })).body).toMatchObject({
    code: 'model_not_configured',
    detail: expect.stringContaining('MILLRACE_MODEL_SPEECH'),
  })
})
