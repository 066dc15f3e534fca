import { expect, test } from 'vitest'
import { parseFilter, passes } from './scim-filter.ts'

const ada = {
  userName: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Love"lace' },
  active: true,
  emails: [
    { type: 'work', value: 'ada@example.com', primary: true },
    { type: 'home', value: 'ada@home.example' },
  ],
  meta: { lastModified: '2026-05-01T00:00:00.000Z' },
}

test.each([
  ['userName eq "ADA@example.com"', true],
  ['userName Eq "other@example.com"', false],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ada"', true],
  ['name.familyName co "E\\"L"', true],
  ['emails[type eq "work" and value ew "@example.com"]', true],
  ['emails[type eq "home" and primary eq true]', false],
  ['emails.value eq "ada@home.example"', true],
  ['emails co "home.example"', true],
  ['active eq true', true],
  ['active eq "True"', true],
  ['active eq false', false],
  ['title pr', false],
  ['name pr and not (title pr)', true],
  ['title eq null', true],
  ['title ne "x"', true],
  ['meta.lastModified ge "2026-05-01T00:00:00Z" or title pr', false],
  ['meta.lastModified gt "2026-04-30T00:00:00Z"', true],
  ['title pr and active eq true or userName pr', true],
  ['title pr and (active eq true or userName pr)', false],
])('%s: %s', (filter, expected) => {
  expect(passes(parseFilter(filter), ada)).toBe(expected)
})

test.each([
  '',
  'userName',
  'userName eq',
  'userName is "a"',
  'userName eq ada',
  '(userName pr',
  'userName pr)',
  'emails[type eq "work"',
  'userName eq "a" "b"',
  'userName eq "unterminated',
  `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
  `userName eq "${'a'.repeat(2_000)}"`,
])('%s is refused as invalidFilter', (filter) => {
  expect(() => parseFilter(filter)).toThrow(expect.objectContaining({ status: 400, scimType: 'invalidFilter' }))
})
