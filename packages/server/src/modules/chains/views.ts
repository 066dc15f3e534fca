import type { ExecutionSummary } from '@millrace/engine/storage'
import { toTypeId } from '#platform/ids.ts'
import type { Chain, ChainMember, ChainStep } from './model.ts'

export function chainView({ id, name, description, members, workflowId, revision, createdAt, updatedAt }: Chain) {
  return {
    id: toTypeId('chn', id),
    name,
    description: description ?? null,
    members: members.map(memberView),
    workflowId: toTypeId('wf', workflowId),
    revision,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function memberView(member: ChainMember) {
  if (!('parallel' in member)) return stepView(member)
  const { name, parallel, condition, onFault } = member
  return { name, parallel: parallel.map(stepView), onFault, ...(condition === undefined ? {} : { condition }) }
}

function stepView({ name, workflowId, mapping, condition, onFault }: ChainStep) {
  return {
    name,
    workflowId: toTypeId('wf', workflowId),
    onFault,
    ...(mapping === undefined ? {} : { mapping }),
    ...(condition === undefined ? {} : { condition }),
  }
}

export function runView({ id, state, trigger, createdAt, endedAt }: ExecutionSummary) {
  return { executionId: toTypeId('exec', id), state, trigger, createdAt: createdAt.toISOString(), endedAt: endedAt?.toISOString() ?? null }
}
