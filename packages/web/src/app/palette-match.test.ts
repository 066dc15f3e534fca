import { expect, test } from 'vitest'
import { isMeant } from '#src/app/palette-match.ts'
import { pageWords } from '#src/app/palette-words.ts'

test.each([
  ['secret', '/variables'],
  ['password', '/settings/security'],
  ['Schedule', '/triggers'],
  ['invite', '/settings/team'],
  ['log', '/audit'],
])('"%s" leads to %s', (query, path) => {
  expect(isMeant(query, 'Name', pageWords[path])).toBe(true)
})

test('an Arabic word leads to a page, and every word of a search has to fit', () => {
  expect(isMeant('دعوة', 'الفريق', pageWords['/settings/team'])).toBe(true)
  expect([isMeant('team inv', 'Team', 'invite'), isMeant('team log', 'Team', 'invite')]).toEqual([true, false])
})
