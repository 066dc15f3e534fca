import { expect, test } from 'vitest'
import { beginWith, createDraftSaver, type DraftPorts, type ServerText } from '#src/document/draft-saver.ts'
import type { LocalDraft } from '#src/document/local-drafts.ts'

class Refused extends Error {}

/** A server that keeps one text, and a device. */
function world(start: ServerText) {
  const device = new Map<string, LocalDraft>()
  const log: string[] = []
  const state = { server: start, offline: false, onSend: () => {} }
  const ports: DraftPorts = {
    drafts: {
      async put(draft) {
        log.push(`device ${draft.text}`)
        device.set(draft.workflow, draft)
      },
      async remove(workflow, text) {
        if (device.get(workflow)?.text === text) device.delete(workflow)
      },
      forget: async ({ tab }) => void log.push(`forgot ${tab}`),
    },
    async send(text, revision) {
      state.onSend()
      if (state.offline) throw new TypeError('offline')
      if (revision !== state.server.revision) throw new Refused()
      log.push(`server ${text}`)
      state.server = { text, revision: revision + 1 }
      return revision + 1
    },
    read: () => Promise.resolve(state.server),
    isConflict: (error) => error instanceof Refused,
    later: () => () => undefined,
  }
  return { device, log, state, ports }
}

const start = { text: 'one', revision: 1 }

test('a change is on the device before it is sent, and leaves it when the server has it', async () => {
  const { device, log, state, ports } = world(start)
  const saver = createDraftSaver('wf', start, 'one', ports)
  saver.changed('two')
  expect(device.get('wf')).toEqual({ workflow: 'wf', text: 'two', base: 'one', revision: 1 })
  await saver.flush()
  expect(log).toEqual(['device two', 'server two'])
  expect(state.server).toEqual({ text: 'two', revision: 2 })
  expect(saver.saving.getState().at.kind).toBe('saved')
  expect(device.size).toBe(0)
})

test('a text that another tab of the device keeps is not removed with the own one', async () => {
  const { device, ports } = world(start)
  const saver = createDraftSaver('wf', start, 'one', ports)
  saver.changed('two')
  const other = { workflow: 'wf', text: 'of another tab', base: 'one', revision: 1 }
  device.set('wf', other)
  await saver.flush()
  expect(device.get('wf')).toEqual(other)
})

test('without a connection a text stays on the device, and is sent later', async () => {
  const { device, state, ports } = world(start)
  const saver = createDraftSaver('wf', start, 'one', ports)
  state.offline = true
  saver.changed('two')
  await expect(saver.flush()).rejects.toThrow('offline')
  expect(saver.saving.getState().at.kind).toBe('local')
  expect(device.get('wf')?.text).toBe('two')
  state.offline = false
  await saver.flush()
  expect(state.server.text).toBe('two')
})

test('a text that another person changed is not overwritten before a person decides', async () => {
  const { state, ports } = world(start)
  const saver = createDraftSaver('wf', start, 'one', ports)
  state.server = { text: 'theirs', revision: 2 }
  saver.changed('mine')
  await expect(saver.flush()).rejects.toThrow(Refused)
  expect(saver.saving.getState().at).toEqual({ kind: 'conflict', theirs: { text: 'theirs', revision: 2 }, from: 'server', base: 'one' })
  saver.changed('mine too')
  await expect(saver.flush()).rejects.toThrow('conflict')
  expect(state.server.text).toBe('theirs')
  saver.resolve('both')
  await saver.flush()
  expect(state.server).toEqual({ text: 'both', revision: 3 })
})

test('texts of closed tabs are decided on one after the other before anything is sent, and forgotten when the result is on the device', async () => {
  const { log, state, ports } = world(start)
  const other = { workflow: 'wf', base: 'one', revision: 1 }
  const saver = createDraftSaver('wf', start, 'mine', ports, [
    { ...other, text: 'theirs', tab: 'a' },
    { ...other, text: 'third', tab: 'b' },
  ])
  expect(saver.saving.getState().at).toEqual({ kind: 'conflict', theirs: { text: 'theirs', revision: 1 }, from: 'tab' })
  await expect(saver.flush()).rejects.toThrow('conflict')
  saver.resolve('mine and theirs')
  expect(saver.saving.getState().at).toMatchObject({ kind: 'conflict', theirs: { text: 'third' } })
  await expect(saver.flush()).rejects.toThrow('conflict')
  saver.resolve('all')
  await saver.flush()
  expect(state.server).toEqual({ text: 'all', revision: 2 })
  await expect.poll(() => log).toContain('forgot b')
  expect(log.indexOf('forgot a')).toBeGreaterThan(log.indexOf('device mine and theirs'))
  expect(log.indexOf('forgot b')).toBeGreaterThan(log.indexOf('device all'))
})

test('a revision that changed without the text is no conflict', async () => {
  const { state, ports } = world(start)
  const saver = createDraftSaver('wf', start, 'one', ports)
  state.server = { text: 'one', revision: 7 }
  saver.changed('two')
  await saver.flush()
  expect(state.server).toEqual({ text: 'two', revision: 8 })
})

test('what is typed while a text is being sent is kept and sent afterwards', async () => {
  const { device, state, ports } = world(start)
  const saver = createDraftSaver('wf', start, 'one', ports)
  saver.changed('two')
  state.onSend = () => saver.changed('three')
  await saver.flush()
  expect([state.server.text, device.get('wf')?.text]).toEqual(['two', 'three'])
  await saver.flush()
  expect(state.server.text).toBe('three')
})

test.each([
  ['nothing on the device', undefined, start, 'one', false],
  ['a text that was not sent', { workflow: 'wf', text: 'two', base: 'one', revision: 1 }, start, 'two', false],
  [
    'a new revision of the same text',
    { workflow: 'wf', text: 'two', base: 'one', revision: 1 },
    { text: 'one', revision: 3 },
    'two',
    false,
  ],
  ['another text on the server', { workflow: 'wf', text: 'two', base: 'one', revision: 1 }, { text: 'other', revision: 2 }, 'two', true],
  [
    'a change that was undone before it was sent, while another person worked',
    { workflow: 'wf', text: 'one', base: 'one', revision: 1 },
    { text: 'other', revision: 2 },
    'other',
    false,
  ],
  ['the same text on both', { workflow: 'wf', text: 'two', base: 'one', revision: 1 }, { text: 'two', revision: 2 }, 'two', false],
])('an editor begins with %s', (_name, local, server, text, conflict) => {
  expect(beginWith(local, server)).toEqual({ text, conflict })
})

test('nothing is sent while a request about the text of the server is on its way', async () => {
  const { log, ports } = world(start)
  const saver = createDraftSaver('wf', start, 'one', ports)
  const request = Promise.withResolvers<void>()
  saver.after(request.promise.then(() => log.push('found')))
  saver.changed('two')
  const flushed = saver.flush()
  request.reject(new TypeError('offline'))
  await flushed
  saver.after(Promise.resolve().then(() => log.push('found again')))
  saver.changed('three')
  await saver.flush()
  expect(log).toEqual(['device two', 'server two', 'device three', 'found again', 'server three'])
})
