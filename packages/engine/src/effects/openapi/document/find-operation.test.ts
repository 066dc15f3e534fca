import { expect, test } from 'vitest'
import { findOperation } from './find-operation.ts'
import { parseDocument } from './parse-document.ts'

const documentOf = (paths: unknown) => parseDocument(Buffer.from(JSON.stringify({ openapi: '3.0.0', paths })), 'http://documents.test/')

test('an operation is found with its method and path', () => {
  const document = documentOf({ '/a': { get: { operationId: 'a' } }, '/b': { put: { operationId: 'b' } } })
  expect(findOperation(document, 'b')).toMatchObject({ method: 'PUT', path: '/b' })
})

test.each([
  [{ '/a': { get: { operationId: 'getThing' } } }, 'getthings', 'Did you mean "getThing"?'],
  [{ '/a': { get: { operationId: 'getThing' } } }, 'other', 'has no operation "other".'],
  [{ '/a': { get: {} } }, 'other', 'None of its operations has an operationId.'],
  [{ '/a': { $ref: 'a.yaml' } }, 'other', 'The path "/a" cannot be read: it refers to another document'],
  [
    { '/a': { get: { operationId: 'x' } }, '/b': { put: { operationId: 'x' } } },
    'x',
    'calls both GET /a and PUT /b "x"; an operationId must be unique.',
  ],
])('in %j, %s is refused with what to do', (paths, id, reason) => {
  expect(() => findOperation(documentOf(paths), id)).toThrow(reason)
})
