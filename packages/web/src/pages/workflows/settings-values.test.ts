import { expect, test } from 'vitest'
import { changedSettings, settingsOf } from './settings-values.ts'

const before = settingsOf({ name: 'Orders', description: null, tags: ['shop', 'daily'], minutesPerRun: 5, state: 'published' })

test('the form shows the settings as texts', () => {
  expect(before).toEqual({ name: 'Orders', description: '', tags: 'shop, daily', minutes: '5', enabled: true })
  expect(settingsOf({ name: 'Orders', description: 'All', tags: [], minutesPerRun: null, state: 'disabled' })).toEqual({
    name: 'Orders',
    description: 'All',
    tags: '',
    minutes: '',
    enabled: false,
  })
})

test.each([
  ['nothing', {}, {}],
  ['the name', { name: 'New orders' }, { name: 'New orders' }],
  ['the description', { description: 'All of them' }, { description: 'All of them' }],
  ['the tags', { tags: ' shop ,, new' }, { tags: ['shop', 'new'] }],
  ['no tag any more', { tags: '' }, { tags: [] }],
  ['no minutes any more', { minutes: ' ' }, { minutesPerRun: null }],
  ['the minutes', { minutes: '2.5' }, { minutesPerRun: 2.5 }],
  ['the switch', { enabled: false }, { enabled: false }],
])('a person who changed %s sends that alone', (_name, typed, sent) => {
  expect(changedSettings(before, { ...before, ...typed })).toEqual(sent)
})

test('an emptied description is removed', () => {
  expect(changedSettings({ ...before, description: 'All' }, before)).toEqual({ description: null })
})
