import { groups } from '@millrace/contract'
import { describe, expect, test } from 'vitest'
import { auditWords as arabic } from '#src/messages/ar/audit-words.ts'
import { auditWords as english } from '#src/messages/en/audit-words.ts'
import { type Entry, type Names, sentenceOf, type Words } from './sentence-of.ts'

const user = 'usr_01h455vb4pex5vsknk084sn02q'
const workflow = 'wf_01h455vb4pex5vsknk084sn02q'
const names = { [user]: 'Sara Lind', [workflow]: 'Invoices' }

function read(entry: Partial<Entry>, known: Names = names, words: Words = english): string {
  const { pattern, parts } = sentenceOf({ actor: `user:${user}`, event: '', target: workflow, details: {}, ...entry }, known, words)
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '')
}

describe('an entry of the audit log', () => {
  test('reads as who did what to what', () => {
    const published = { revision: 9, version: 4, changes: { version: { before: 'a', after: 'b' } } }
    expect(read({ event: 'workflow.updated', details: published })).toBe('Sara Lind published Invoices (version 4)')
    expect(read({ event: 'workflow.updated', details: { revision: 9, version: 4 } })).toBe('Sara Lind changed the workflow Invoices')
    expect(read({ event: 'session.opened', target: null })).toBe('Sara Lind signed in')
    expect(read({ event: 'execution.ended', actor: 'system:engine', target: 'exec_1', details: { workflow, state: 'faulted' } })).toBe(
      'A run of Invoices ended: failed',
    )
    expect(read({ event: 'workflow.deleted' }, names, arabic)).toBe('حذف سير العمل Invoices: Sara Lind')
  })

  test('without names shows ids, and an event without words as it is', () => {
    expect(read({ event: 'workflow.deleted' }, {})).toBe(`user:${user} deleted the workflow`)
    expect(read({ event: 'future.thing' })).toBe('Sara Lind: future.thing')
  })

  test('has words for every event of the contract', () => {
    const events = Object.values(groups).flatMap((group) => Object.values(group).map(({ audit }: { readonly audit: string }) => audit))
    const wordless = [...new Set(events)].filter((event) => event !== 'none' && read({ event }).endsWith(`: ${event}`))
    expect(wordless).toEqual([])
  })
})
