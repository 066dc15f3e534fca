import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { missingSpeechPrograms, spoken, startSpeechRecognizer, wordErrorRate } from '#testing/speech-recognizer.ts'

const missing = missingSpeechPrograms()
const sentences = [
  'go forward ten meters',
  'the weather is good today and we will go to the park',
  'please send the letter to the new office',
]
/** Of the words of all sentences. */
const errorRateMax = 0.25

describe.skipIf(missing !== undefined)(`speech that is really recognized${missing === undefined ? '' : ` (missing: ${missing})`}`, () => {
  let recognizer: Awaited<ReturnType<typeof startSpeechRecognizer>>
  let server: TestServer
  let account: TestAccount
  beforeAll(async () => {
    recognizer = await startSpeechRecognizer()
    server = await createTestServer({ MILLRACE_MODEL_URL: recognizer.url, MILLRACE_MODEL_SPEECH: 'pocketsphinx' })
    account = await server.registerAccount()
  })
  afterAll(async () => {
    await server.close()
    await recognizer[Symbol.asyncDispose]()
  })

  test.each([
    ['wav', 'audio/wav'],
    ['webm', 'audio/webm'],
    ...(inject('deep')
      ? [
          ['mp3', 'audio/mpeg'],
          ['ogg', 'audio/ogg'],
          ['m4a', 'audio/mp4'],
        ]
      : []),
  ])('sentences as %s are understood but for a quarter of the words', async (extension, contentType) => {
    const texts: string[] = []
    const said = inject('deep') || extension === 'wav' ? sentences : sentences.slice(0, 1)
    for (const sentence of said) {
      const response = await fetch(`${server.url}/api/v1/agent/transcribe?language=en`, {
        method: 'POST',
        headers: { authorization: `Bearer ${account.token}`, 'content-type': contentType },
        body: await spoken(sentence, extension),
      })
      const body = Object(await response.json())
      expect([response.status, body.model]).toEqual([200, 'default-speech'])
      expect(body.durationSeconds).toBeGreaterThan(0.5)
      texts.push(String(body.text))
    }
    expect({ texts, rate: wordErrorRate(said.join(' '), texts.join(' ')) }).toEqual({
      texts,
      rate: expect.toSatisfy((rate) => Number(rate) <= errorRateMax),
    })
  })
})

test('the rate counts words that were replaced, removed and added', () => {
  expect(wordErrorRate('one two three four', 'one too three four')).toBe(0.25)
  expect(wordErrorRate('one two three four', 'one three four five')).toBe(0.5)
  expect(wordErrorRate('one two', 'one two')).toBe(0)
})
