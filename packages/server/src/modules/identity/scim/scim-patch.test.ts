import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { expect, test } from 'vitest'
import { applyPatch } from './scim-patch.ts'
import { groupAttributes, userAttributes } from './scim-resources.ts'

const user = { userName: 'ada@example.com', name: { givenName: 'Ada' }, active: true, emails: [{ type: 'work', value: 'ada@example.com' }] }
const group = { displayName: 'Staff', members: [{ value: 'one' }, { value: 'two' }] }
const patch = (...Operations: readonly object[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })

test.each<[string, object, object]>([
  ['Entra deactivates', patch({ op: 'Replace', path: 'active', value: 'False' }), { active: 'False' }],
  ['Okta deactivates', patch({ op: 'replace', value: { active: false } }), { active: false }],
  [
    'a member of a value is a path',
    patch({ op: 'replace', value: { 'name.familyName': 'Lovelace' } }),
    { name: { givenName: 'Ada', familyName: 'Lovelace' } },
  ],
  [
    'a path with a filter changes the item',
    patch({ op: 'replace', path: 'emails[type eq "work"].value', value: 'new@example.com' }),
    { emails: [{ type: 'work', value: 'new@example.com' }] },
  ],
  [
    'Entra adds an item by a filter that none passes',
    patch({ op: 'Add', path: 'emails[type eq "home"].value', value: 'home@example.com' }),
    {
      emails: [
        { type: 'work', value: 'ada@example.com' },
        { type: 'home', value: 'home@example.com' },
      ],
    },
  ],
  [
    'a path may name its schema',
    patch({ op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', value: 'L' }),
    { name: { givenName: 'Ada', familyName: 'L' } },
  ],
  [
    'attributes that are not kept are ignored',
    patch(
      { op: 'add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'X' },
      { op: 'replace', path: 'title', value: 'Y' },
    ),
    {},
  ],
  ['an attribute is removed', patch({ op: 'remove', path: 'name.givenName' }), { name: {} }],
])('of a user: %s', (_name, body, changed) => {
  expect(applyPatch(user, body, userAttributes)).toEqual({ ...user, ...changed })
})

test.each<[string, object, readonly string[]]>([
  ['a member is added once', patch({ op: 'Add', path: 'members', value: [{ value: 'two' }, { value: 'three' }] }), ['one', 'two', 'three']],
  ['Entra removes a member by its value', patch({ op: 'Remove', path: 'members', value: [{ value: 'one' }] }), ['two']],
  ['Okta removes a member by a filter', patch({ op: 'remove', path: 'members[value eq "one"]' }), ['two']],
  ['all members are removed', patch({ op: 'remove', path: 'members' }), []],
  ['the members are replaced', patch({ op: 'replace', path: 'members', value: [{ value: 'three' }] }), ['three']],
])('of a group: %s', (_name, body, members) => {
  const { members: result } = applyPatch(group, body, groupAttributes)
  expect(result).toEqual(members.map((value) => ({ value })))
})

test.each<[string, unknown, string]>([
  ['no list of operations', {}, 'invalidSyntax'],
  ['an unknown operation', patch({ op: 'move', path: 'active', value: true }), 'invalidSyntax'],
  ['a removal without a path', patch({ op: 'remove' }), 'noTarget'],
  ['a text without a path', patch({ op: 'replace', value: 'x' }), 'invalidValue'],
  ['a path that cannot be read', patch({ op: 'replace', path: 'emails[type eq', value: 'x' }), 'invalidPath'],
  ['a removal of what is not there', patch({ op: 'remove', path: 'emails[type eq "home"].value' }), 'noTarget'],
])('%s is refused', (_name, body, scimType) => {
  expect(() => applyPatch(user, body, userAttributes)).toThrow(expect.objectContaining({ status: 400, scimType }))
})

test('operations whose lists and filters multiply are refused', () => {
  const members = Array.from({ length: 20_000 }, (_, index) => ({ value: String(index) }))
  const filter = Array.from({ length: 100 }, () => 'a pr').join(' or ')
  const many = Array.from({ length: 500 }, () => ({ op: 'replace', path: `members[${filter} or value eq "1"].x`, value: 1 }))
  const begun = startProcessorTime()
  expect(() => applyPatch(group, patch({ op: 'add', path: 'members', value: members }, ...many), groupAttributes)).toThrow(
    expect.objectContaining({ status: 413 }),
  )
  expect(begun()).toBeLessThan(10_000)
})

test('as many members as a request names leave a large group', () => {
  const members = Array.from({ length: 10_000 }, (_, index) => ({ value: String(index) }))
  const removals = members.slice(0, 100).map(({ value }) => ({ op: 'remove', path: `members[value eq "${value}"]` }))
  expect(applyPatch({ ...group, members }, patch(...removals), groupAttributes)['members']).toHaveLength(9_900)
})
