import { cronStartOf } from '@millrace/dsl'
import { rawJson } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { definitionOf, diagnosticView } from './definition.ts'
import { type InvalidDraft, type StoredDefinition, type LastExecution, stateOf, type WorkflowHead } from './model.ts'
import type { Requirements } from './requirements.ts'
import type { Dependents, UsingWorkflow, WorkflowUse } from './workflows-using.ts'

/** A workflow as it stands in a list. */
export function summaryView(workflow: WorkflowHead) {
  return {
    id: toTypeId('wf', workflow.id),
    name: workflow.name,
    description: workflow.description ?? null,
    tags: [...workflow.tags],
    state: stateOf(workflow),
    revision: workflow.revision,
    version: workflow.latest?.number ?? null,
    hasUnpublishedChanges: workflow.latest?.checksum !== workflow.draftChecksum,
    triggers: [...workflow.triggers],
    lastExecution: workflow.lastExecution === undefined ? null : lastExecutionView(workflow.lastExecution),
    minutesPerRun: workflow.minutesPerRun ?? null,
    createdAt: workflow.createdAt.toISOString(),
    updatedAt: workflow.updatedAt.toISOString(),
  }
}

/** A workflow with the definition of its draft or of a version, and its canonical YAML. */
export function workflowView(
  workflow: WorkflowHead,
  definition: StoredDefinition,
  definitionText: string,
  invalidDraft: InvalidDraft | undefined,
  nowMs: number,
) {
  return {
    ...summaryView(workflow),
    ...(invalidDraft === undefined ? {} : { hasUnpublishedChanges: true }),
    definition: rawJson(definition.json),
    definitionText,
    source: invalidDraft?.source ?? definition.source,
    syntax: invalidDraft?.syntax ?? definition.syntax,
    valid: invalidDraft === undefined,
    warnings: definition.warnings.map(diagnosticView),
    cronStart: cronStart(definition, nowMs),
  }
}

function cronStart(stored: StoredDefinition, nowMs: number) {
  return stored.json.includes('"cron"') ? (cronStartOf(definitionOf(stored), nowMs) ?? null) : null
}

function lastExecutionView({ id, state, createdAt, endedAt }: LastExecution) {
  return { id: toTypeId('exec', id), state, createdAt: createdAt.toISOString(), endedAt: endedAt?.toISOString() ?? null }
}

/** Workflows that run another one, as they stand on the wire. */
export function callersView(callers: readonly Omit<UsingWorkflow, 'document'>[]) {
  return callers.map(({ id, name, managedBy }) => ({ id: toTypeId('wf', id), name, managedBy: managedBy ?? null }))
}

/** What the deletion of a workflow concerns, as it stands on the wire. */
export function dependentsView({ callers, followers, awaitingTurns }: Dependents) {
  return { callers: callersView(callers), followers: callersView(followers), awaitingTurns }
}

const usesMax = 100

/** Workflows that use a thing, as they stand on the wire. */
export function usesView(uses: readonly WorkflowUse[]) {
  const shown = uses.slice(0, usesMax)
  const data = shown.map(({ id, name, managedBy, draft, published }) => {
    return { id: toTypeId('wf', id), name, managedBy: managedBy ?? null, draft, published }
  })
  return { data, total: uses.length }
}

/** What a workflow needs, as it stands on the wire. */
export function requirementsView(requirements: Requirements) {
  const { secrets, variables, connections, models, events, workflows, permissions, inputSchema, reads } = requirements
  const plain = { secrets: [...secrets], variables: [...variables] }
  const needs = { ...plain, connections: [...connections], models: [...models], workflows: [...workflows], permissions: [...permissions] }
  return {
    ready: Object.values(needs).every((list) => list.every(({ missing }) => !missing)),
    inputSchema: inputSchema ?? null,
    reads: reads.map(({ task, ...read }) => ({ ...read, task: task ?? null })),
    ...needs,
    events: events.map(({ type, source, pointer }) => ({ type, source: source ?? null, pointer })),
  }
}
