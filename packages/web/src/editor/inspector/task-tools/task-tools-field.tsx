import type { Json } from '@millrace/dsl'
import { api } from '#src/api/client.ts'
import { ToolList } from '#src/agent-tools/tool-list.tsx'
import type { Tool } from '#src/agent-tools/tool.ts'
import { isObject, jsonAt } from '#src/document/task-json.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { secretsOf, secretsOnlyOf, taskTools, toolOfTask, withoutTool, withTool } from '#src/editor/inspector/task-tools/task-tools.ts'
import { YamlField } from '#src/editor/inspector/yaml-field.tsx'

/** The tools of a `call: agent`, by the forms that a run of an agent has. */
export function TaskToolsField({ pointer, label }: { readonly pointer: string; readonly label: string }) {
  const { json, set, unset } = useForm()
  const value = jsonAt(json, pointer)
  const tools = taskTools(value)
  if (tools === undefined) return <YamlField label={label} pointer={pointer} value={value} onCommit={(next) => set(pointer, next)} />
  const add = async (tool: Tool) => {
    const added = toolOfTask(tool, tool.kind === 'workflow' ? await documentOf(tool.workflowId) : undefined)
    set(pointer, (now) => withTool(now, added))
    const secrets = secretsOf(added)
    if (secrets.length > 0) set('/use/secrets', (now) => [...new Set([...(Array.isArray(now) ? now : []), ...secrets])])
  }
  const remove = (name: string) => {
    const tool = (Array.isArray(value) ? value : []).find((one) => isObject(one) && one['name'] === name)
    const unneeded = new Set<unknown>(isObject(tool) ? secretsOnlyOf(json, tool) : [])
    if (tools.length === 1) unset(pointer)
    else set(pointer, (now) => withoutTool(now, name))
    const listed = jsonAt(json, '/use/secrets')
    if (!Array.isArray(listed) || unneeded.size === 0) return
    const kept = (secrets: readonly Json[]) => secrets.filter((secret) => !unneeded.has(secret))
    if (kept(listed).length === 0) unset('/use/secrets')
    else set('/use/secrets', (now) => [...kept(Array.isArray(now) ? now : [])])
  }
  return <ToolList tools={tools} add={add} remove={remove} />
}

async function documentOf(id: string) {
  const { definition } = await api.workflows.get({ params: { id } })
  return isObject(definition) ? definition['document'] : undefined
}
