import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInFunctions } from '#catalog/built-in-functions.ts'
import { createTemplates } from '#modules/templates/index.ts'
import { type Answer, createTestServer, type TestServer } from '#testing/server.ts'
import { dimensions, questions, version } from './questionnaire.ts'
import { scoreAnswers } from './score.ts'

const all = (value: number | null) => Object.fromEntries(questions.map(({ id }) => [id, value]))

describe('the questionnaire', () => {
  test('has six dimensions whose weights are 100 together, and at least 24 questions with an id of their own', () => {
    expect(dimensions).toHaveLength(6)
    expect(dimensions.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
    expect(questions.length).toBeGreaterThanOrEqual(24)
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
  })

  test('names only templates that exist', async () => {
    const known = new Set((await createTemplates(builtInFunctions).list()).map(({ id }) => id))
    expect(questions.flatMap(({ templates = [] }) => templates).filter((id) => !known.has(id))).toEqual([])
  })
})

describe('the score', () => {
  test.each([
    [0, 0, 'initial'],
    [1, 25, 'developing'],
    [2, 50, 'established'],
    [3, 75, 'advanced'],
    [4, 100, 'leading'],
  ])('of the value %i everywhere is %i: %s', (value, score, level) => {
    expect(scoreAnswers(all(value))).toMatchObject({ score, level })
  })

  test('leaves out what does not apply', () => {
    const answers = { ...all(null), 'data.source': 4, 'data.quality': 0 }
    expect(scoreAnswers(answers)).toMatchObject({ score: 60, steps: [{ question: { id: 'data.quality' }, gain: 40 }] })
  })

  test('lies between 0 and 100 and never falls when an answer rises', () => {
    const value = fc.option(fc.integer({ min: 0, max: 4 }))
    fc.assert(
      fc.property(fc.array(value, { minLength: questions.length, maxLength: questions.length }), (values) => {
        const answers = Object.fromEntries(questions.map(({ id }, index) => [id, values[index] ?? null]))
        const { score } = scoreAnswers(answers)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(100)
        const risen = Object.fromEntries(Object.entries(answers).map(([id, was]) => [id, was === null ? null : Math.min(4, was + 1)]))
        expect(scoreAnswers(risen).score).toBeGreaterThanOrEqual(score)
      }),
    )
  })
})

describe('assessments over HTTP', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer()
  })
  afterAll(() => server.close())
  const path = '/api/v1/dx/assessment'

  async function anonymous(
    method: string,
    to: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Pick<Answer, 'status' | 'body'>> {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${server.url}${to}`, { method, headers: { 'content-type': 'application/json', ...headers }, ...init })
    return { status: response.status, body: await response.json() }
  }

  test('questions are served in the language that the browser asks for, unless the query names one', async () => {
    const arabic = { 'accept-language': 'ar' }
    const inArabic = await anonymous('GET', '/api/v1/dx/questions', undefined, arabic)
    expect(inArabic.body).toMatchObject({ locale: 'ar', version, title: 'الجاهزية الرقمية' })
    const inEnglish = await anonymous('GET', '/api/v1/dx/questions?locale=en', undefined, arabic)
    expect(inEnglish.body).toMatchObject({ locale: 'en', title: 'Digital readiness' })
    expect(JSON.stringify(inEnglish.body)).not.toMatch(/\p{Script=Arabic}/u)
  })

  test('a caller without a credential gets a score with next steps, which is not stored', async () => {
    const { status, body } = await anonymous('POST', path, { version, answers: all(1) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: null, score: 25, level: 'developing', levelLabel: 'Developing' })
    expect(body.nextSteps).toHaveLength(6)
    expect(body.nextSteps.flatMap((step: { templates: unknown[] }) => step.templates)).not.toEqual([])
    expect((await anonymous('GET', path)).status).toBe(401)
  })

  test('every missing and every unknown question is named', async () => {
    const answers = { ...all(2), 'data/odd': 1, 'data.source': undefined }
    expect(await anonymous('POST', path, { version, answers })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/answers/data~1odd' }, { pointer: '/answers/data.source' }] },
    })
    expect((await anonymous('POST', path, { version: '1999', answers: all(2) })).body.errors).toMatchObject([{ pointer: '/version' }])
    expect((await anonymous('POST', path, { version, answers: all(null) })).body.errors).toMatchObject([{ pointer: '/answers' }])
  })

  test('a user sees the own history with its trend, and nothing of others', async () => {
    const account = await server.registerAccount()
    const other = await server.registerAccount()
    for (const value of [1, 3, 2]) expect((await account.send('POST', path, { version, answers: all(value) })).body.id).toMatch(/^rda_/)
    const { body } = await account.send('GET', `${path}?limit=2`)
    expect(body.data.map(({ score }: { score: number }) => score)).toEqual([50, 75])
    expect(body.trend).toMatchObject({ direction: 'up', change: 25, points: [{ score: 25 }, { score: 75 }, { score: 50 }] })
    const rest = await account.send('GET', `${path}?limit=2&cursor=${body.nextCursor}`)
    expect(rest.body).toMatchObject({ data: [{ score: 25 }], nextCursor: null })
    expect((await other.send('GET', path)).body).toEqual({ data: [], nextCursor: null, trend: null })
  })
})
