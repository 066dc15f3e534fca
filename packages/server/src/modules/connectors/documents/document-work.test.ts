import { expect, test } from 'vitest'
import type { Proposal } from '#modules/connectors/model.ts'
import { createDocumentWork } from './document-work.ts'

const openapi = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '2.0' },
  servers: [{ url: 'https://api.weather.example/v2' }],
  paths: { '/now': { get: { operationId: 'now', summary: 'The weather now.', responses: { 200: { description: 'It.' } } } } },
}

/** Each of 30 schemas refers to the next one twice. */
function multiplying(): object {
  const ref = (index: number) => ({ $ref: `#/components/schemas/s${index}` })
  const schemas = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`s${index}`, { allOf: [ref(index + 1), ref(index + 1)] }]))
  const content = { 'application/json': { schema: ref(0) } }
  const paths = { '/x': { get: { operationId: 'x', responses: { 200: { description: 'x', content } } } } }
  return { ...openapi, paths, components: { schemas: { ...schemas, s30: { type: 'string' } } } }
}

const proposalOf = (document: object): Proposal => ({
  name: 'weather',
  kind: 'openapi',
  summary: 'The weather of today.',
  licence: 'MIT',
  homepage: undefined,
  document: JSON.stringify(document),
})

test('references that multiply are refused in bounded time, and the documents of other accounts are read meanwhile', async () => {
  const work = createDocumentWork({ processorMsMax: 1_500 })
  let isRefused = false
  const refused = work.check('one', proposalOf(multiplying())).catch((error: unknown) => {
    isRefused = true
    return error
  })
  expect((await work.check('other', proposalOf(openapi))).title).toBe('Weather')
  expect(isRefused).toBe(false)
  expect(await refused).toMatchObject({ code: 'connector_invalid', details: { errors: [{ pointer: '/document' }] } })
})
