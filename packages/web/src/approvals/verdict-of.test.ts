import { expect, test } from 'vitest'
import { verdictOf } from './verdict-of.ts'

const early = '2026-11-30T10:00:00.000Z'
const late = '2026-11-30T11:00:00.000Z'
const lapsed = (endedAt: string) => ({ lapsedApproval: { endedAt, onDeadline: 'reject' as const } })
const decided = (endedAt: string) => ({ decidedApproval: { endedAt, verdict: 'rejected' as const } })

test.each([
  ['without an ended approval there is no verdict', {}, undefined],
  ['a decision is the verdict', decided(early), 'rejected'],
  ['an approval without a decision has no verdict', lapsed(early), undefined],
  ['a decision after one that was missing is the verdict', { ...lapsed(early), ...decided(late) }, 'rejected'],
  ['a decision that was missing after another one leaves no verdict', { ...decided(early), ...lapsed(late) }, undefined],
])('%s', (_name, run, verdict) => expect(verdictOf(run)).toBe(verdict))
