import type { Json, JsonObject } from '@millrace/dsl'
import { api } from '#src/api/client.ts'
import { changedTool } from '#src/agent-tools/changed-tool.ts'
import { type ListedTool, ToolList } from '#src/agent-tools/tool-list.tsx'
import type { Tool } from '#src/agent-tools/tool.ts'
import { below, isObject, jsonAt } from '#src/document/task-json.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import {
  changedMembers,
  secretsOf,
  secretsOnlyOf,
  taskTools,
  toolOfTask,
  withoutTool,
  withTool,
} from '#src/editor/inspector/task-tools/task-tools.ts'
import { YamlField } from '#src/editor/inspector/yaml-field.tsx'

/** The tools of a `call: agent`, by the forms that a run of an agent has. */
export function TaskToolsField({ pointer, label }: { readonly pointer: string; readonly label: string }) {
  const { json, set, unset } = useForm()
  const value = jsonAt(json, pointer)
  const tools = taskTools(value)
  if (tools === undefined) return <YamlField label={label} pointer={pointer} value={value} onCommit={(next) => set(pointer, next)} />
  const toolAt = (name: string) => {
    const index = tools.findIndex((tool) => tool.name === name)
    const tool = Array.isArray(value) ? value[index] : undefined
    return isObject(tool) ? { tool, at: below(pointer, index) } : undefined
  }
  /** Lists the secrets that a tool needs, and no more those that only its former version needed. */
  const listSecrets = (before: JsonObject | undefined, after: JsonObject | undefined) => {
    const needed = after === undefined ? [] : secretsOf(after)
    const unneeded = new Set(before === undefined ? [] : secretsOnlyOf(json, before)).difference(new Set(needed))
    const listed = (now: Json | undefined) => [...new Set([...(Array.isArray(now) ? now : []), ...needed])]
    const next = (now: Json | undefined) => listed(now).filter((secret) => typeof secret !== 'string' || !unneeded.has(secret))
    const now = jsonAt(json, '/use/secrets')
    if (JSON.stringify(next(now)) === JSON.stringify(now ?? [])) return
    if (next(now).length === 0) unset('/use/secrets')
    else set('/use/secrets', next)
  }
  const save = async (made: Tool, changed: ListedTool | undefined) => {
    const isNamed = made.kind === 'workflow' && made.workflowId !== ''
    const tool = toolOfTask(made, isNamed ? await documentOf(made.workflowId) : undefined)
    const before = changed === undefined ? undefined : toolAt(changed.name)
    if (before === undefined) set(pointer, (now) => withTool(now, tool))
    const after = changedTool(before?.tool, tool)
    for (const [member, next] of before === undefined ? [] : changedMembers(before.tool, after)) {
      const place = below(before?.at ?? pointer, member)
      if (next === undefined) unset(place)
      else set(place, next)
    }
    listSecrets(before?.tool, after)
  }
  const remove = (name: string) => {
    if (tools.length === 1) unset(pointer)
    else set(pointer, (now) => withoutTool(now, name))
    listSecrets(toolAt(name)?.tool, undefined)
  }
  return <ToolList tools={tools} save={save} remove={remove} />
}

async function documentOf(id: string) {
  const { definition } = await api.workflows.get({ params: { id } })
  return isObject(definition) ? definition['document'] : undefined
}
