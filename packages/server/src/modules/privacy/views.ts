import { toTypeId } from '#platform/ids.ts'
import type { Decision, DecisionFigure } from './decision-store.ts'
import type { Finding } from './detect/finding.ts'
import type { Policy } from './policy-store.ts'

export function spanView({ kind, start, end, score, rule }: Finding) {
  return { kind, start, end, score, rule }
}

export function decisionView({ id, at, source, action, actor, workflowId, target, purpose, reason, counts, characters }: Decision) {
  return {
    id: toTypeId('prd', id),
    at: at.toISOString(),
    source,
    action,
    actor,
    workflowId: workflowId === undefined ? null : toTypeId('wf', workflowId),
    target: target ?? null,
    purpose: purpose ?? null,
    reason: reason ?? null,
    counts: { ...counts },
    characters,
  }
}

export function policyView({
  id,
  workflowId,
  point,
  action,
  kinds,
  minScore,
  purpose,
  legalBasis,
  retention,
  enabled,
  revision,
  updatedAt,
}: Policy) {
  return {
    id: toTypeId('prp', id),
    workflowId: workflowId === undefined ? null : toTypeId('wf', workflowId),
    point,
    action,
    kinds: [...kinds],
    minScore,
    purpose,
    legalBasis,
    retention: retention ?? null,
    enabled,
    revision,
    updatedAt: updatedAt.toISOString(),
  }
}

export function statsView({ from, to, figures }: { readonly from: Date; readonly to: Date; readonly figures: readonly DecisionFigure[] }) {
  const byKind: Record<string, number> = {}
  const byAction: Record<string, number> = {}
  const bySource: Record<string, number> = {}
  const days = new Map<string, { date: string; decisions: number; findings: number }>()
  let decisions = 0
  let findings = 0
  for (const figure of figures) {
    const found = Object.values(figure.counts).reduce((sum, count) => sum + count, 0)
    for (const [kind, count] of Object.entries(figure.counts)) byKind[kind] = (byKind[kind] ?? 0) + count
    byAction[figure.action] = (byAction[figure.action] ?? 0) + figure.decisions
    bySource[figure.source] = (bySource[figure.source] ?? 0) + figure.decisions
    const day = days.get(figure.date) ?? { date: figure.date, decisions: 0, findings: 0 }
    days.set(figure.date, { ...day, decisions: day.decisions + figure.decisions, findings: day.findings + found })
    decisions += figure.decisions
    findings += found
  }
  return { from: from.toISOString(), to: to.toISOString(), decisions, findings, byKind, byAction, bySource, days: [...days.values()] }
}
