import type { Tool } from '#src/agent-tools/tool.ts'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'

/** A form that makes a tool. */
export interface ToolFormProps {
  readonly add: (tool: Tool) => Promise<void>
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
