import { type NamedTool, takenNames, toolNamePattern } from '@millrace/contract/tool-names'
import type { GivenTool, Tool } from '#src/agent-tools/tool.ts'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'

/** A form that makes a tool, or changes one. */
export interface ToolFormProps {
  /** The tool that is changed. */
  readonly tool?: GivenTool
  /** Gets what the form says; a workflow without an id is the one that the tool has. */
  readonly save: (tool: Tool) => Promise<void>
}

export const name = (): FieldSpec => ({ name: 'name', label: m.agents.toolName, required: true, hint: m.agents.toolNameHint })
export const description = (): FieldSpec => ({ name: 'description', label: m.agents.toolWhat, kind: 'textarea', rows: 2, required: true })
export const risk = (): FieldSpec => ({
  name: 'risk',
  label: m.agents.risk,
  kind: 'select',
  options: [
    ['', m.agents.riskDefault],
    ['safe', m.agents.risks.safe],
    ['ask', m.agents.risks.ask],
  ],
})
export const riskOf = (text: string): { readonly risk?: 'safe' | 'ask' } => (text === 'safe' || text === 'ask' ? { risk: text } : {})

/** What the button below a form says. */
export const saveLabel = (tool: GivenTool | undefined): string => (tool === undefined ? m.starts.add : m.common.save)

/** The text of a member; empty where it has none. */
export function textOf(tool: GivenTool | undefined, member: string): string {
  const value = tool?.[member]
  return typeof value === 'string' ? value : ''
}

/** What is wrong with the name of a tool beside others; undefined when nothing is. */
export function nameProblem(tool: Tool, others: readonly NamedTool[]): string | undefined {
  if (!toolNamePattern.test(tool.name)) return m.agents.toolNameRule
  const taken = takenNames([...others, tool]).get(others.length)
  return taken === undefined ? undefined : m.agents.toolNameTaken(taken)
}
