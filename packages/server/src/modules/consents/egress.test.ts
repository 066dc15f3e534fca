import { describe, expect, test } from 'vitest'
import { type EgressRequest, verdictOf } from './egress.ts'
import { preferencesDefault } from './model.ts'

const terms = { purposes: ['Orders'], categories: ['email'], recipients: [], regions: [] }
const request: EgressRequest = {
  destination: { kind: 'connector', host: 'api.example.com', region: 'US' },
  categories: ['email', 'phone'],
  actor: 'user:usr_1',
}
const basis = (connectors: 'allow' | 'redact' | 'refuse') => ({
  consent: { state: 'given' as const, terms },
  preferences: { ...preferencesDefault, connectors },
  region: 'SA',
})

test('a consent to a host covers it however its name is written', () => {
  const { consent, ...others } = basis('allow')
  const to = (recipient: string) => ({ ...others, consent: { ...consent, terms: { ...terms, categories: [], recipients: [recipient] } } })
  expect(verdictOf(request, to('API.Example.com')).action).toBe('allow')
  expect(verdictOf(request, to('example.com')).action).toBe('refuse')
})

describe('personal data of which a consent to transfers covers a part', () => {
  test.each(['allow', 'redact'] as const)('is redacted where the preferences say %s', (choice) => {
    expect(verdictOf(request, basis(choice))).toMatchObject({ action: 'redact', reason: expect.stringContaining('phone') })
  })

  test('is refused where the preferences refuse, as is what the consent covers', () => {
    expect(verdictOf(request, basis('refuse')).action).toBe('refuse')
    expect(verdictOf({ ...request, categories: ['email'] }, basis('refuse')).action).toBe('refuse')
  })
})
