import { validateDefinition } from '@millrace/dsl'
import { compileSchema } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import { catalog } from '#catalog/catalog.ts'
import { documentOf } from '#testing/definitions.ts'
import { manifest } from './manifest.ts'

const faultsOf = compileSchema({ document: manifest.input })
const plain = { title: 'Release', approvers: ['ada@example.com'] }

describe('the schema takes', () => {
  test.each([
    ['the least that there is to ask', {}],
    ['an address with a name', { approvers: ['Ada Lovelace <ada@example.com>'] }],
    ['a user by id', { approvers: ['usr_01jd0000000000000000000000'] }],
    ['a role', { approvers: [{ role: 'admin' }] }],
    ['two of three', { approvers: ['a@b.c', 'd@e.f', { role: 'owner' }], required: 2 }],
    ['all approvers', { required: 'all' }],
    ['a veto of two', { veto: 2 }],
    ['no veto', { veto: false }],
    ['details of any shape', { details: [1, { a: null }] }],
    ['a deadline of days and hours', { deadline: 'P1DT12H', onDeadline: 'approve' }],
    ['a deadline of weeks', { deadline: 'P2W' }],
    ['a deadline of seconds', { deadline: 'PT90S' }],
    ['an escalation', { escalation: [{ after: 'PT1H', approvers: [{ role: 'admin' }], replace: true, notify: ['boss@example.com'] }] }],
    ['a form', { form: { type: 'object' } }],
    ['the starter', { excludeStarter: false }],
  ])('%s', (_what, more) => {
    expect(faultsOf({ ...plain, ...more })).toEqual([])
  })
})

describe('the schema refuses', () => {
  test.each([
    ['no approvers', { approvers: [] }],
    ['no title', { title: '' }],
    ['a title of two lines', { title: 'a\nBcc: eve@evil.example' }],
    ['an invalid address', { approvers: ['ada'] }],
    ['two addresses in one', { approvers: ['a@b.c, d@e.f'] }],
    ['a second line in an address', { approvers: ['Ada\nBcc: eve@evil.example <a@b.c>'] }],
    ['the id of something else', { approvers: ['wf_01jd0000000000000000000000'] }],
    ['a role that there is not', { approvers: [{ role: 'king' }] }],
    ['none of them', { required: 0 }],
    ['half of them', { required: 0.5 }],
    ['a veto of none', { veto: 0 }],
    ['a deadline of months', { deadline: 'P1M' }],
    ['a deadline that no calendar has', { deadline: 'P100000000D' }],
    ['an escalation that no calendar has', { escalation: [{ after: 'P100000000D', notify: ['a@b.c'] }] }],
    ['a deadline of nothing', { deadline: 'P' }],
    ['a deadline without its time', { deadline: 'P1DT' }],
    ['a deadline in words', { deadline: '2 days' }],
    ['a deadline that decides nothing', { onDeadline: 'wait' }],
    ['an escalation that does nothing', { escalation: [{ after: 'PT1H' }] }],
    ['an escalation at no time', { escalation: [{ notify: ['a@b.c'] }] }],
    ['an invalid form', { form: 'name' }],
    ['an argument that there is not', { approver: 'a@b.c' }],
  ])('%s', (_what, more) => {
    expect(faultsOf({ ...plain, ...more })).not.toEqual([])
  })
})

test('invalid arguments are reported when the definition is saved', () => {
  const diagnosticsOf = (args: string) =>
    validateDefinition(documentOf(`do:\n  - ask: { call: approve, with: ${args} }\n`), {
      functions: catalog,
      checkValue: (schema, value) => compileSchema({ document: schema })(value),
    }).diagnostics
  expect(diagnosticsOf('{ title: Release, approvers: [ada@example.com] }')).toEqual([])
  expect(diagnosticsOf('{ title: Release, approvers: "${ .approvers }" }')).toEqual([])
  expect(diagnosticsOf('{ title: Release }')).toMatchObject([{ code: 'invalid_argument', severity: 'error' }])
  expect(diagnosticsOf('{ title: Release, approvers: [ada] }')).toMatchObject([
    { code: 'invalid_argument', severity: 'error', message: expect.stringContaining('must be a mail address or the id of a user') },
  ])
})
