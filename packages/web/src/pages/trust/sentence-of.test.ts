import { groups } from '@millrace/contract'
import { describe, expect, test } from 'vitest'
import { auditWords as arabic } from '#src/messages/ar/audit-words.ts'
import { auditWords as english } from '#src/messages/en/audit-words.ts'
import { frame } from '#src/messages/en/frame.ts'
import { auditKinds } from './audit-kinds.ts'
import { type Entry, markFormer, type Names, namesAt, sentenceOf, type Words } from './sentence-of.ts'

const user = 'usr_01h455vb4pex5vsknk084sn02q'
const dana = 'usr_01h455vb4pex5vsknk084sn03r'
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
    const ofDraft = { workflow, state: 'completed', version: -1 }
    expect(read({ event: 'execution.ended', actor: 'system:engine', target: 'exec_1', details: ofDraft })).toBe(
      'A run of Invoices ended: completed (test of a draft)',
    )
    expect(read({ event: 'workflow.deleted' }, names, arabic)).toBe('حذف سير العمل Invoices: Sara Lind')
  })

  test('has the name that a thing had then, and its name today', () => {
    const entry = { event: 'workflow.updated', earlierNames: { [workflow]: '$& Bills', [user]: 'Sara' } }
    expect(read(entry, namesAt(entry, { [workflow]: 'Invoices' }, english))).toBe('Sara changed the workflow $& Bills, now Invoices')
    expect(read({ event: 'workflow.updated' }, namesAt({}, names, english))).toBe('Sara Lind changed the workflow Invoices')
  })

  test('of an approval has its title, its workflow, what was decided, the option and the reason', () => {
    const approval = 'apr_01h455vb4pex5vsknk084sn02q'
    const run = 'exec_01h455vb4pex5vsknk084sn02q'
    const known = { ...names, [approval]: 'Take the pump back', [run]: 'Returns' }
    const decided = { event: 'approval.answered', target: approval }
    const approved = { executionId: run, decision: 'approve', state: 'approved', via: 'api', chosen: { choice: 'warehouse' } }
    const rejected = { executionId: run, decision: 'reject', state: 'open', via: 'link', email: 'ada@example.com', reason: 'No receipt.' }
    expect(read({ ...decided, details: approved }, known)).toBe('Sara Lind approved Take the pump back in Returns with choice: warehouse')
    expect(read({ ...decided, actor: 'anonymous', details: rejected }, known)).toBe(
      'ada@example.com rejected Take the pump back in Returns (others have to decide too): “No receipt.”',
    )
    expect(read({ ...decided, details: approved }, known, arabic)).toBe(
      'الموافقة على Take the pump back في Returns مع choice: warehouse: Sara Lind',
    )
    expect(read({ event: 'approval.reassigned', target: approval, details: { executionId: run, to: user } }, known)).toBe(
      'Sara Lind gave Take the pump back in Returns to Sara Lind',
    )
    const lost = markFormer({ ...known, [dana]: 'Dana Reyes' }, [dana], frame.common.former)
    const handedOver = { event: 'approval.reassigned', target: approval, details: { executionId: run, from: dana, to: user } }
    expect(read(handedOver, lost)).toBe('Sara Lind gave Take the pump back in Returns from Dana Reyes (removed) to Sara Lind')
    expect(read(handedOver, known)).toBe(`Sara Lind gave Take the pump back in Returns from ${dana} to Sara Lind`)
    expect(read({ ...handedOver, details: { from: 'role:admin', to: dana } }, lost, arabic)).toBe(
      'إسناد Take the pump back بدلًا من مدير إلى Dana Reyes (removed): Sara Lind',
    )
    expect(read({ ...handedOver, details: {} }, known)).toBe('Sara Lind gave Take the pump back')
    expect(read({ ...decided, details: {} }, names)).toBe('Sara Lind decided an approval')
  })

  test('of an approval that waits says to whom it was escalated, and what its deadline decided', () => {
    const approval = 'apr_01h455vb4pex5vsknk084sn02q'
    const run = 'exec_01h455vb4pex5vsknk084sn02q'
    const known = { ...names, [approval]: 'Pay invoice 4711', [run]: 'Invoices' }
    const asked = { executionId: run, asked: [user, 'role:owner'], notified: ['boss@example.org'] }
    const escalated = { actor: 'system:approvals', event: 'approval.escalated', target: approval, details: asked }
    expect(read(escalated, known)).toBe('Pay invoice 4711 in Invoices was escalated to Sara Lind, owner, boss@example.org')
    const expired = { ...escalated, event: 'approval.expired', details: { executionId: run, decision: 'reject' } }
    expect(read(expired, known)).toBe('The deadline of Pay invoice 4711 in Invoices passed: it counts as rejected')
  })

  test('says whether a file was shown with an approval or downloaded', () => {
    const run = 'exec_01h455vb4pex5vsknk084sn02q'
    const opened = { event: 'file.opened', target: 'file_1', details: { name: 'photo.png', state: 'shown', executionId: run } }
    const known = { ...names, [run]: 'Damage' }
    expect(read(opened, known)).toBe('Sara Lind saw the file photo.png with an approval in Damage')
    expect(read({ ...opened, details: { ...opened.details, state: 'saved' } }, known)).toBe(
      'Sara Lind downloaded the file photo.png with an approval in Damage',
    )
  })

  test('has its object and its result, also where the thing has no name any more', () => {
    expect(read({ event: 'trigger.toggled', details: { enabled: false, name: 'Every night' }, target: 'trg_1' })).toBe(
      'Sara Lind switched the start Every night off',
    )
    expect(read({ event: 'trigger.deleted', details: { name: 'Every night', workflowId: workflow }, target: 'trg_1' })).toBe(
      'Sara Lind deleted the start Every night of Invoices',
    )
    expect(read({ event: 'user.role_changed', target: user, details: { role: 'admin' } })).toBe(
      'Sara Lind changed the role of Sara Lind to administrator',
    )
    expect(
      read({ event: 'user.removed', target: dana, details: { name: 'Dana Reyes' } }, { ...names, [dana]: 'Dana Reyes (removed)' }),
    ).toBe('Sara Lind removed the user Dana Reyes')
    expect(read({ event: 'account_domain.deleted', target: 'dom_1', details: { domain: 'example.com' } })).toBe(
      'Sara Lind deleted the domain example.com',
    )
    expect(read({ event: 'oauth.decided', target: null, details: { client: 'Claude', allowed: true } })).toBe(
      'Sara Lind let the program Claude use the account',
    )
    expect(read({ event: 'execution.cancelled', target: 'exec_9', details: {} }, { ...names, exec_9: 'Invoices' })).toBe(
      'Sara Lind cancelled a run of Invoices',
    )
    expect(read({ event: 'audit.exported', target: null, details: { date: '2026-11-23' } })).toBe(
      'Sara Lind exported the audit log of 2026-11-23',
    )
  })

  test('without names shows ids, and never the name of an event', () => {
    expect(read({ event: 'workflow.deleted' }, {})).toBe(`user:${user} deleted the workflow`)
    expect(read({ event: 'future.thing' })).toBe('Sara Lind did something that this page has no words for')
  })

  test.each([
    ['English', english],
    ['Arabic', arabic],
  ])('has words in %s and a kind for every event of the contract, and for those that other parts of the server write', (_, words) => {
    const events = Object.values(groups).flatMap((group) => Object.values(group).map(({ audit }: { readonly audit: string }) => audit))
    const wordless = [...new Set([...events, ...others])].filter(
      (event) => event !== 'none' && sentenceOf({ actor: '', event, target: null, details: {} }, {}, words).pattern === words.other,
    )
    expect(wordless).toEqual([])
    const kinds = Object.values(auditKinds).flatMap((all) => all.split(','))
    const isOf = (event: string) => kinds.some((kind) => (kind.endsWith('*') ? event.startsWith(kind.slice(0, -1)) : event === kind))
    expect([...new Set([...events, ...others])].filter((event) => event !== 'none' && !isOf(event))).toEqual([])
  })

  test.each([
    ['English', english],
    ['Arabic', arabic],
  ])('has in %s a value or nothing for each place of its sentence', (_, words) => {
    const flags = { on: { enabled: true }, off: { enabled: false } }
    const left = Object.keys(english.events).flatMap((key) => {
      const [event = '', result = ''] = key.split('/')
      const details = result === 'on' || result === 'off' ? flags[result] : { decision: result }
      const { pattern, parts } = sentenceOf({ actor: 'system:x', event, target: workflow, details }, names, words)
      return [...pattern.matchAll(/\{(\w+)\}|[[\]]/g)].filter(([, name = '[']) => parts[name] === undefined).map(() => key)
    })
    expect(left).toEqual([])
  })
})

/** Events of no operation: those of executions, of refused sign-ins, of directories, of erasures and of new packs. */
const others = [
  'archivist.pack_requested',
  'auth.refresh_token_reused',
  'auth.sign_in_refused',
  'execution.ended',
  'execution.erased',
  'execution.started',
  'scim.user_activated',
  'scim.user_created',
  'scim.user_deactivated',
  'scim.user_deleted',
  'scim.user_updated',
]
